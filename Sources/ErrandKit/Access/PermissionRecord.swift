package import Engine
import Glibc
import Links
import POSIX
import Program

/// The identity of a grant: a hash over all definitions involved, their capabilities, and programs
/// next to them.
package struct PermissionRecord {
  /// The hash.
  package let hash: String
  /// The canonical path of the file or folder of the called definition.
  package let file: String
  /// The canonical paths of all foreign files involved.
  package let files: [String]
  /// The name in messages.
  package let subject: String

  /// The maximum number of bytes of a program to hash; a larger one is represented by its size.
  private static let programLimit = 64 << 20

  package init(_ request: PermissionRequest, canonical: (String) -> String) {
    let named = request.files.first ?? ""
    files = request.files.map { $0.hasPrefix("<") || Self.isName($0) ? $0 : canonical($0) }
    file = files.first ?? ""
    subject =
      Self.isName(named) ? "`\(named)`" : named.hasPrefix("<") ? "the document" : named
    let folder = Self.folder(of: file)
    var whole = SHA256.Stream()
    func add(_ text: String) {
      // The length prefix makes the concatenation unambiguous.
      whole.add(Array("\(text.utf8.count) \(text)\n".utf8))
    }
    for part in request.parts {
      add(part.name)
      add(part.text)
    }
    for capability in request.capabilities {
      add(capability.grant)
      for program in capability.files + [capability.target].compactMap({ $0 })
      where capability.kind == .exec {
        let path = canonical(program)
        guard path.hasPrefix(folder), let hash = Self.hash(ofFile: path) else { continue }
        add(path)
        add(hash)
      }
    }
    hash = whole.finish().hexadecimal
  }

  /// Whether the person has granted it, or all files are in folders trusted including future
  /// changes.
  package func isAllowed(in places: Places) -> Bool {
    if AllowedFile(path: places.allowed).holds(self) { return true }
    let trusted = TrustFile(path: places.trusted)
    return files.allSatisfy(trusted.isFollowed)
  }

  /// Whether it is the name of a built-in definition, and not a path.
  private static func isName(_ file: String) -> Bool {
    !file.contains { $0 == "/" || $0 == "." || $0 == "<" }
  }

  /// The folder whose programs belong to a file; for a project's `.errand`, its parent.
  private static func folder(of file: String) -> String {
    let path =
      file.firstRange(of: "/.errand/").map { String(file[..<$0.lowerBound]) }
      ?? Folder.parent(of: file)
    return path.hasSuffix("/") ? path : path + "/"
  }

  private static func hash(ofFile path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.isRegular else { return nil }
    let bytes = try? FileReader.bytes(from: descriptor, named: path, limit: programLimit)
    return bytes.map { SHA256.hash($0).hexadecimal } ?? "size \(status.st_size)"
  }
}
