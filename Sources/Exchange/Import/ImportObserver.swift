package import CEL

/// Hears what becomes of an import on its way.
package struct ImportObserver {
  /// A line could not be taken in, and why.
  package var refused: (_ line: Int, _ reason: String) -> Void
  /// A line was taken in without a part of it, and why.
  package var shortened: (_ line: Int, _ reason: String) -> Void
  /// A line has members that are no properties; the whole of it, so that nothing is lost.
  package var putAside: (_ line: Value) throws -> Void
  /// So many lines were looked at, after so many bytes of the file; called every few hundred lines.
  package var progressed: (_ lines: Int, _ bytesRead: Int) -> Void

  package init(
    refused: @escaping (_ line: Int, _ reason: String) -> Void,
    shortened: @escaping (_ line: Int, _ reason: String) -> Void,
    putAside: @escaping (_ line: Value) throws -> Void,
    progressed: @escaping (_ lines: Int, _ bytesRead: Int) -> Void
  ) {
    self.refused = refused
    self.shortened = shortened
    self.putAside = putAside
    self.progressed = progressed
  }
}
