import Glibc
import Program

/// Absolute paths without symbolic links, for comparison.
enum CanonicalPath {
  /// Resolves the links of the existing part of a path; the rest is kept as written.
  @Sendable
  static func text(_ path: String) -> String {
    var rest: [Substring] = []
    var existing = path.isEmpty ? "." : path
    while true {
      if let resolved = resolved(existing) { return joined(resolved, rest) }
      let folder = FilePathText.folder(of: existing)
      guard folder != existing else { return path }
      rest.insert(Substring(FilePathText.name(of: existing)), at: 0)
      existing = folder
    }
  }

  /// Resolves the links of an existing path; nil, with `errno`, if it cannot be reached.
  static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Appends the rest of a path to a folder, resolving `..`.
  private static func joined(_ folder: String, _ rest: [Substring]) -> String {
    var parts = folder.split(separator: "/")
    for part in rest where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}
