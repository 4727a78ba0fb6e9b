package import CEL
package import Items

/// The environment of a worker: clock, machine state, files and events.
package protocol WorkerWorld: AnyObject {
  /// The current time.
  var now: Timestamp { get }
  /// Returns the requirements that are met now.
  func available() -> [Requirement]
  /// The name of the time since the machine started, and how long it has slept since.
  var session: (boot: String, slept: Duration) { get }
  /// Whether the worker must end.
  var isEnding: Bool { get }
  /// Waits until a time, or until there may be something to do.
  ///
  /// - Parameters:
  ///   - time: The latest time to return; nil to wait for an event.
  ///   - folders: The folders whose files to watch.
  ///   - isForMachine: Whether to watch for changes of the machine state.
  func wait(until time: Timestamp?, watching folders: [String], forMachine isForMachine: Bool)
  /// Expands a leading `~` to the home directory.
  func expanded(_ path: String) -> String
  /// Returns the files in a folder; nil if it cannot be read.
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
