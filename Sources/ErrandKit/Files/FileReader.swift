import Glibc
import POSIX
package import Source
import YAML

/// Reads whole files of a bounded size.
package enum FileReader {
  /// Returns the contents of a file, or of standard input for `-`.
  ///
  /// - Throws: A `Diagnostic` with the reason it cannot be read.
  package static func bytes(
    of path: String, limit: Int = Limits.standard.bytes
  ) throws(Diagnostic) -> [UInt8] {
    let file: Descriptor
    do {
      file =
        path == "-" ? Descriptor(adopting: dup(0), path: path) : try Descriptor(input: path)
    } catch {
      throw failure(path, error.code)
    }
    return try bytes(from: file.number, named: path, limit: limit)
  }

  /// Returns the contents of an open file; `each` receives every chunk as it is read.
  ///
  /// - Throws: A `Diagnostic` with the reason it cannot be read.
  package static func bytes(
    from descriptor: Int32, named path: String, limit: Int = Limits.standard.bytes,
    each: (([UInt8]) -> Void)? = nil
  ) throws(Diagnostic) -> [UInt8] {
    let bytes: [UInt8]?
    do {
      bytes = try Descriptor.bytes(from: descriptor, named: path, limit: limit, each: each)
    } catch {
      throw failure(path, error.code)
    }
    if let bytes { return bytes }
    throw Diagnostic("file-too-large", "\(name(path)) has more than \(limit) bytes")
  }

  private static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  /// The diagnostic for an `errno` value.
  package static func failure(_ path: String, _ code: Int32) -> Diagnostic {
    let error = SystemError(path, code)
    return Diagnostic(
      "unreadable", "\(name(path)) cannot be read: \(error.reason)",
      help: path.contains("://")
        ? "it is a URL, not a file: download it first"
        : code == ENOENT && path.contains("*")
          ? "no file here has such a name: a definition ends in .yaml, and a shell gives a pattern "
            + "that fits nothing as it is"
          : code == ENOENT
            ? neighbour(of: path).map { "did you mean \($0)?" }
              ?? "check the path, or use a name from `errand list`" : error.inputHelp)
  }

  /// The path of a file in the same folder whose name is much like that of an absent one.
  package static func neighbour(of path: String) -> String? {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let names = Folder.visibleNames(in: folder.isEmpty ? "." : String(folder))
    let name = String(path.dropFirst(folder.count))
    let whole = names.first { [name + ".yaml", name + ".yml"].contains($0) }
    return (whole ?? Suggestion.nearest(to: name, in: names)).map { folder + $0 }
  }
}
