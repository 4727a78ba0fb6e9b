package import CEL

/// Receives the events of an import.
package struct ImportObserver {
  /// Called for a line that cannot be imported, with the reason.
  package var refused: (_ line: Int, _ reason: String) -> Void
  /// Called for a line that was imported in part, with the reason.
  package var shortened: (_ line: Int, _ reason: String) -> Void
  /// Called for a line with unknown members, with the whole line, so that nothing is lost.
  package var putAside: (_ line: Value) throws -> Void
  /// Called in a trial for each item as it would be, before it is compared with those stored.
  package var previewed: (_ item: Value) -> Void
  /// Called every few hundred lines, with the number of lines and bytes read so far.
  package var progressed: (_ lines: Int, _ bytesRead: Int) -> Void

  package init(
    refused: @escaping (_ line: Int, _ reason: String) -> Void,
    shortened: @escaping (_ line: Int, _ reason: String) -> Void,
    putAside: @escaping (_ line: Value) throws -> Void,
    previewed: @escaping (_ item: Value) -> Void = { _ in },
    progressed: @escaping (_ lines: Int, _ bytesRead: Int) -> Void
  ) {
    self.refused = refused
    self.shortened = shortened
    self.putAside = putAside
    self.previewed = previewed
    self.progressed = progressed
  }
}
