package import ErrandKit
import Glibc
import Links
import POSIX
package import Source

/// The tokens of the API, in a file that only the person can read; secrets are kept as hashes.
package struct TokenFile: Sendable {
  /// The path.
  package let path: String

  /// The token file of a person.
  package init(_ places: Places) { path = places.config + "/tokens" }

  private static let header = "errand tokens 1"
  /// The maximum size of the file in bytes.
  private static let limit = 1 << 20
  private static let prefix = "errand_"

  /// Returns all tokens, oldest first.
  ///
  /// - Throws: `unreadable` if other users can read the file, or it has another format.
  package func read() throws(Diagnostic) -> [Token] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ENOENT { return [] }
      throw failure(String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0
    else {
      throw Diagnostic(
        "unreadable", "\(path) can be read by others, so it is not used",
        help: "chmod 600 \(path), and create the tokens anew")
    }
    let bytes = try FileReader.bytes(from: descriptor, named: path, limit: Self.limit)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.first.map({ $0 == Self.header }) ?? false else {
      throw failure("it is not a token file")
    }
    var tokens: [Token] = []
    for line in lines.dropFirst() {
      guard let token = (try? JSONValue(parsing: String(line))).flatMap({ Token(json: $0) }) else {
        throw failure("it has a damaged line")
      }
      tokens.append(token)
    }
    return tokens
  }

  /// Creates a token and returns its secret, which is not kept.
  ///
  /// - Throws: `conflict` if the name is taken; `unreadable`, `unwritable`.
  package func create(
    _ name: String, _ scope: Token.Scope, only: [String], access: [String: String] = [:],
    at now: Int64, expires: Int64?
  ) throws(Diagnostic) -> String {
    let secret = Self.prefix + SystemHost.randomBytes(32).base64URL
    let token = Token(
      id: SystemHost.randomBytes(8).hexadecimal, name: name, scope: scope, only: only,
      access: access,
      created: now,
      expires: expires, hash: SHA256.hex(of: secret))
    var isTaken = false
    try change { tokens in
      isTaken = tokens.contains { $0.name == name }
      if !isTaken { tokens.append(token) }
    }
    if isTaken {
      throw Diagnostic(
        "conflict", "there is a token “\(name)” already",
        help: "revoke it first, or choose another name")
    }
    return secret
  }

  /// Removes a token; false if there is none with this name.
  ///
  /// - Throws: `unreadable`, `unwritable`.
  package func revoke(_ name: String) throws(Diagnostic) -> Bool {
    var isFound = false
    try change { tokens in
      isFound = tokens.contains { $0.name == name }
      tokens.removeAll { $0.name == name }
    }
    return isFound
  }

  private func change(_ body: (inout [Token]) -> Void) throws(Diagnostic) {
    let lock = try FileLock.taken(beside: path)
    defer { lock.release() }
    var tokens = try read()
    body(&tokens)
    let lines = [Self.header] + tokens.map { (try? $0.json.text()) ?? "" }
    guard
      PrivateFile(path: path).replace(
        Array(lines.map { $0 + "\n" }.joined().utf8), isDurable: true)
    else {
      throw Diagnostic(
        "unwritable", "\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  private func failure(_ reason: String) -> Diagnostic {
    Diagnostic("unreadable", "\(path) cannot be read: \(reason)")
  }
}

/// The tokens known to the server: read again after each change of the file.
struct KnownTokens {
  private let file: TokenFile
  private var tokens: [Token] = []
  /// The identity of the file that was read; nil if there was none.
  private var version: FileVersion?

  private struct FileVersion: Equatable {
    let inode: UInt
    let size: Int
    let seconds: Int
    let nanoseconds: Int
  }

  init(_ file: TokenFile) { self.file = file }

  /// Returns the token with a secret, compared with all in constant time; nil if it is unknown.
  mutating func token(withSecret secret: String) -> Token? {
    let status = stat.at(file.path)
    let current = status.map {
      FileVersion(
        inode: $0.st_ino, size: $0.st_size, seconds: $0.st_mtim.tv_sec,
        nanoseconds: $0.st_mtim.tv_nsec)
    }
    if current != version || current == nil {
      // A damaged file grants no access.
      tokens = (try? file.read()) ?? []
      version = current
    }
    let hash = Array(SHA256.hex(of: secret).utf8)
    var found: Token?
    for token in tokens where Array(token.hash.utf8).isSameInConstantTime(as: hash) {
      found = token
    }
    return found
  }
}
