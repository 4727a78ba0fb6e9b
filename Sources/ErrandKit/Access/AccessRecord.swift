package import Engine
import Glibc
import Links
import POSIX
import Program

/// What an answer of a person is remembered by: all definitions that take part as they are written,
/// what they may touch, and the programs that lie beside them.
package struct AccessRecord {
  /// A hash of all of it.
  package let hash: String
  /// The file or folder that the definitions stand in, in full.
  package let file: String
  /// All files from elsewhere that take part, likewise.
  package let files: [String]
  /// How messages call it.
  package let subject: String

  /// The most bytes of a program that are looked at; a larger one counts by its size.
  private static let programLimit = 64 << 20

  package init(_ request: AccessRequest, canonical: (String) -> String) {
    let named = request.files.first ?? ""
    files = request.files.map { $0.hasPrefix("<") ? $0 : canonical($0) }
    file = files.first ?? ""
    subject = named.hasPrefix("<") ? "the document" : named
    let folder = Self.folder(of: file)
    var whole = SHA256.Stream()
    func add(_ text: String) {
      // The length keeps the end of one from being taken as the beginning of the next.
      whole.add(Array("\(text.utf8.count) \(text)\n".utf8))
    }
    for part in request.parts {
      add(part.name)
      add(part.text)
    }
    for touch in request.touches {
      add(touch.grant)
      for program in touch.files + [touch.target].compactMap({ $0 }) where touch.kind == .exec {
        let path = canonical(program)
        guard path.hasPrefix(folder), let hash = Self.hash(ofFile: path) else { continue }
        add(path)
        add(hash)
      }
    }
    hash = whole.finish().hexadecimal
  }

  /// Whether a person has allowed it, or all of it stands in folders of the person's own that may do
  /// whatever they say.
  package func isAllowed(in places: Places) -> Bool {
    if AllowedFile(path: places.allowed).holds(self) { return true }
    let trusted = TrustFile(path: places.trusted)
    return files.allSatisfy(trusted.isFollowed)
  }

  /// The folder whose programs belong to a file: of a project's `.errand` the one around it.
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
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let bytes = try? FileReader.bytes(from: descriptor, named: path, limit: programLimit)
    return bytes.map { SHA256.hash($0).hexadecimal } ?? "size \(status.st_size)"
  }
}
