import CEL
import Glibc
import POSIX
import Program
package import Source

/// The person's secrets, in a private file.
///
/// Each line has a name and the secret in base64; changes rewrite the whole file.
package struct SecretFile {
  /// The path.
  package let path: String

  /// Creates a value for a path; the file need not exist.
  package init(path: String) { self.path = path }

  private static let header = "errand secrets 1"
  /// The maximum size of the file in bytes.
  private static let limit = 4 << 20

  /// Returns all secrets by name.
  ///
  /// - Throws: `unreadable` if other users can read the file, or it has another format.
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
      throw failure("it is not a secrets file")
    }
    var secrets: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: " ")
      guard parts.count == 2, let bytes = Base64.decode(String(parts[1])),
        let text = String(validating: bytes, as: UTF8.self)
      else { throw failure("it has a damaged line") }
      secrets[String(parts[0])] = text
    }
    return secrets
  }

  /// Changes the secrets under an interprocess lock.
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
        "unwritable", "\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  /// The reason a name is invalid; nil if it is valid.
  package static func problem(withName name: String) -> String? {
    name.isPlainWord(with: "_-.") && !name.isEmpty && name.utf8.count <= 64
      ? nil : "“\(name)” is not a valid name of a secret"
  }

  /// The reason a text is invalid; nil if it is valid.
  package static func problem(withText text: String) -> String? {
    text.utf8.count >= KnownSecrets.shortest && !text.utf8.contains(0)
      ? nil : "a secret must have at least \(KnownSecrets.shortest) characters"
  }

  private func failure(_ reason: String) -> Diagnostic {
    Diagnostic("unreadable", "\(path) cannot be read: \(reason)")
  }
}
