import CEL
import Glibc
import POSIX
import Program
package import Source

/// The person's secrets, in a file that nobody else may read.
///
/// A line has a name and the text in base64; the file is written anew as a whole.
package struct SecretFile {
  /// Where it is.
  package let path: String

  /// The secrets in the file at a path, which need not be there.
  package init(path: String) { self.path = path }

  private static let header = "errand secrets 1"
  /// The most bytes of the file.
  private static let limit = 4 << 20

  /// All secrets by their names.
  ///
  /// - Throws: `unreadable` when others may read it, or it is no such file.
  package func read() throws(Diagnostic) -> [String: String] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ENOENT { return [:] }
      throw failure(String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0
    else {
      throw Diagnostic(
        "unreadable", "\(path) can be read by others, so it is not used",
        help: "chmod 600 \(path), and change the secrets in it")
    }
    let bytes = try FileReader.bytes(from: descriptor, named: path, limit: Self.limit)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.first.map({ $0 == Self.header }) ?? false else {
      throw failure("it is not a file of secrets")
    }
    var secrets: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: " ")
      guard parts.count == 2, let bytes = Base64.decode(String(parts[1])),
        let text = String(validating: bytes, as: UTF8.self)
      else { throw failure("a line of it is damaged") }
      secrets[String(parts[0])] = text
    }
    return secrets
  }

  /// Changes the secrets, with no other process in between.
  ///
  /// - Throws: `unreadable`, `unwritable`.
  package func change(_ body: (inout [String: String]) -> Void) throws(Diagnostic) {
    let lock = try FileLock.taken(beside: path)
    defer { lock.release() }
    var secrets = try read()
    body(&secrets)
    let lines = secrets.sorted { $0.key < $1.key }.map { name, text in
      "\(name) \(Base64.encode(Array(text.utf8)))"
    }
    let text = ([Self.header] + lines).map { $0 + "\n" }.joined()
    guard PrivateFile(path: path).replace(Array(text.utf8), isDurable: true) else {
      throw Diagnostic(
        "unwritable", "\(path) can't be written: \(String(cString: strerror(errno)))")
    }
  }

  /// Why a text can't be the name of a secret; nil when it can.
  package static func problem(withName name: String) -> String? {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "."):
        true
      default: false
      }
    }
    return isPlain && !name.isEmpty && name.utf8.count <= 64
      ? nil : "“\(name)” can't be the name of a secret"
  }

  /// Why a text can't be kept as a secret; nil when it can.
  package static func problem(withText text: String) -> String? {
    text.utf8.count >= KnownSecrets.shortest && !text.utf8.contains(0)
      ? nil : "a secret must have at least \(KnownSecrets.shortest) characters"
  }

  private func failure(_ reason: String) -> Diagnostic {
    Diagnostic("unreadable", "\(path) can't be read: \(reason)")
  }
}
