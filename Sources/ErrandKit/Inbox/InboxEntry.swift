package import CEL

/// An unfinished share as it appears in a list.
package struct InboxEntry {
  /// The progress of a share.
  package enum State: String {
    /// In the folder, ready for import.
    case waiting
    /// In the folder, because no handler accepts it or it cannot be read.
    case refused
    /// In the folder, sealed while the vault is locked; a single entry represents all sealed
    /// shares.
    case sealed
    /// In the queue.
    case queued, running
    /// In the queue, but not run again until requested.
    case failed, suspended
  }

  /// The name of its file.
  package let name: String
  package var state: State
  /// A short description of the content.
  package var summary = ""
  package var from: String?
  /// The handler; nil while undecided.
  package var handler: String?
  /// The reason it was not handled; nil if there is no problem.
  package var reason: String?
  package var time: Timestamp?
  /// The job number; nil while the share is in the folder.
  package var job: Int64?

  /// The entry for machine-readable output.
  package var value: Value {
    .record([
      "share": name, "state": state.rawValue, "what": summary, "from": from, "handler": handler,
      "reason": reason, "time": time, "job": job,
    ])
  }
}
