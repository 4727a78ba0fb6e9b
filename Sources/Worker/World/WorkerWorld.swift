package import CEL
package import Items

/// What a worker asks of the world around it: the time, what the machine has, and when to look again.
package protocol WorkerWorld: AnyObject {
  /// The time now.
  var now: Timestamp { get }
  /// What there is of the things that jobs wait for.
  func available() -> [Requirement]
  /// Whether the worker is to end.
  var isEnding: Bool { get }
  /// Waits until a time, or until there may be something to do.
  ///
  /// - Parameters:
  ///   - time: when to look again at the latest; nil for whenever there is news.
  ///   - folders: whose files count as news.
  ///   - isForMachine: whether something waits for the network, mains or idleness.
  func wait(until time: Timestamp?, watching folders: [String], forMachine isForMachine: Bool)
  /// A path with `~` as the home of the person.
  func expanded(_ path: String) -> String
  /// What lies in a folder; nil where it can't be read.
  func files(in folder: String) -> [WatchedFile]?
}

/// A file in a folder that an automation watches.
package struct WatchedFile: Hashable, Sendable {
  package let name: String
  package let size: Int64
  package let modified: Timestamp

  package init(name: String, size: Int64, modified: Timestamp) {
    self.name = name
    self.size = size
    self.modified = modified
  }
}
