import CEL
import Engine
import Store

extension Errand {
  /// Starts sending and merging the changes of the library and its hub in a new process, and returns
  /// at once.
  ///
  /// The handle's `progress` events have the number of changes sent and received. The result has
  /// `sent`, `received`, `changed` and `conflicts`. Ending it at any point loses nothing.
  ///
  /// - Parameter follows: Whether it stays, syncs whenever the hub or the library has something new,
  ///   and takes jobs for the workers of the library, until it is ended.
  /// - Throws: `exec` if `errand` cannot be started, `io` if the process cannot be created. The
  ///   handle's error is `not-found` for a library without a hub, `network` if the hub cannot be
  ///   reached, `denied` if it refuses this machine.
  public func sync(following follows: Bool = false) throws(ErrandError) -> RunHandle {
    try launch(["hub", "sync"] + (follows ? ["--follow"] : []), [:], nil, run: RunOptions())
  }
}

extension Reader {
  /// Returns the state of sharing with other machines in the form of `errand hub --json`: `machine`,
  /// `service`, `synced`, `unsent`, `conflicts`, `unread` and `deadJobs`; nil for a library without a hub.
  ///
  /// - Throws: `store`, `busy`.
  public func hub() throws(ErrandError) -> JSONValue? {
    try reading { run in try HubStatus(run.store()).map { JSONValue($0.value) } }
  }

  /// Returns possibly unintended merges, latest first.
  ///
  /// - Throws: `store`, `busy`.
  package func conflicts() throws(ErrandError) -> [MergeConflict] {
    try reading { try $0.conflicts() }
  }
}

extension Writer {
  /// Removes a conflict with another machine; first gives the item the value that lost, if
  /// `restoring`.
  ///
  /// - Returns: A sentence about it.
  /// - Throws: `not-found`; `conflict` if the value cannot be restored; `store`, `busy`.
  package func settle(conflict number: Int64, restoring: Bool) throws(ErrandError) -> String {
    try writing { try $0.settle(conflict: number, restoring: restoring) }
  }
}
