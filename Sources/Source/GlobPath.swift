/// A path with a pattern of names in it, such as `~/Downloads/*.pdf`.
package struct GlobPath {
  /// The folder before the first name with a wildcard.
  package let folder: String
  /// The names after it.
  package let pattern: String

  /// Splits a path; nil if it has no wildcard.
  package init?(_ path: String) {
    guard let wildcard = path.firstIndex(where: { "*?".contains($0) }) else { return nil }
    guard let slash = path[..<wildcard].lastIndex(of: "/") else {
      (folder, pattern) = (".", path)
      return
    }
    folder = slash == path.startIndex ? "/" : String(path[..<slash])
    pattern = String(path[path.index(after: slash)...])
  }
}
