package import CEL

/// A share that is not done yet, as lists show it.
package struct InboxEntry {
  /// Where it is on its way.
  package enum State: String {
    /// In the folder, and nothing keeps it there.
    case waiting
    /// In the folder, since nothing takes it or it can't be read.
    case refused
    /// In the queue.
    case queued, running
    /// In the queue, from which it is not taken any more until somebody wants it.
    case failed, suspended
  }

  /// The name of its file.
  package let name: String
  package var state: State
  /// What it is, in a few words.
  package var summary = ""
  package var from: String?
  /// What takes it; nil while that is open.
  package var handler: String?
  /// Why it stays; nil while nothing is wrong.
  package var reason: String?
  package var time: Timestamp?
  /// Its job; nil while it lies in the folder.
  package var job: Int64?

  /// The entry for another program.
  package var value: Value {
    .record([
      "share": name, "state": state.rawValue, "what": summary, "from": from, "handler": handler,
      "reason": reason, "time": time, "job": job,
    ])
  }
}
