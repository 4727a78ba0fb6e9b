/// Limits of a file, which bound memory, stack and time.
package struct Limits: Sendable {
  /// Maximum size of a file in bytes.
  package var bytes = 4 << 20
  /// Maximum nesting depth of a document.
  package var depth = 100
  /// Maximum number of nodes in a document after expanding aliases.
  package var nodes = 200_000

  package static let standard = Limits()
}
