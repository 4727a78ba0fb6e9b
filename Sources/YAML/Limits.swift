/// What a file may be at most, so that no file can exhaust memory, stack or patience.
package struct Limits: Sendable {
  /// Bytes of one file.
  package var bytes = 4 << 20
  /// Levels of nesting of one document.
  package var depth = 100
  /// Nodes of one document once aliases are written out.
  package var nodes = 200_000

  package static let standard = Limits()
}
