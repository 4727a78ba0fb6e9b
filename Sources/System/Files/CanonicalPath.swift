import Glibc
import Program

/// Paths in full and without links, so that two of them can be compared.
enum CanonicalPath {
  /// A path without links as far as it is there; what is not there yet is taken as it is written.
  @Sendable
  static func text(_ path: String) -> String {
    var rest: [Substring] = []
    var existing = path.isEmpty ? "." : path
    while true {
      if let resolved = realpath(existing, nil) {
        defer { free(resolved) }
        return joined(String(cString: resolved), rest)
      }
      let folder = FilePathText.folder(of: existing)
      guard folder != existing else { return path }
      rest.insert(Substring(FilePathText.name(of: existing)), at: 0)
      existing = folder
    }
  }

  /// A folder with the rest of a path, in which `..` goes up.
  private static func joined(_ folder: String, _ rest: [Substring]) -> String {
    var parts = folder.split(separator: "/")
    for part in rest where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}
