import Glibc
import Program

/// Absolute paths without symbolic links, for comparison.
enum CanonicalPath {
  /// Number of links followed at most, as by the kernel (path_resolution(7)).
  private static let linkLimit = 40

  /// Resolves the links of the existing part of a path, and those to what does not exist, which a
  /// write would create; the rest is kept as written.
  @Sendable
  static func text(_ path: String) -> String {
    var rest: [Substring] = []
    var existing = path.isEmpty ? "." : path
    var links = 0
    while true {
      if let resolved = resolved(existing) { return joined(resolved, rest) }
      let folder = FilePathText.folder(of: existing)
      if links < linkLimit, let target = target(ofLink: existing) {
        links += 1
        existing = target.hasPrefix("/") ? target : folder + "/" + target
        continue
      }
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

  /// The path of an open file; nil if it is not known.
  static func ofOpen(_ descriptor: Int32) -> String? {
    target(ofLink: "/proc/self/fd/\(descriptor)")
  }

  /// The path in a link; nil for anything else.
  private static func target(ofLink path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink(path, start, buffer.count)
      guard count > 0, count < buffer.count else { return nil }
      return String(
        decoding: buffer[..<count].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
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
