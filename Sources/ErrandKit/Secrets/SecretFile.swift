import CEL
import Glibc
import Inbox
import POSIX
import Program
package import Source

/// The person's secrets, in a private file.
///
/// Each line has a name and the secret in base64; changes rewrite the whole file. With a vault, the
/// file is sealed.
package struct SecretFile {
  /// The path.
  package let path: String
  /// The vault that seals the file, if there is one.
  private let vault: Vault

  /// The secrets of a person; the file need not exist.
  package init(_ places: Places) {
    path = places.secrets
    vault = places.vault
  }

  private static let header = "errand secrets 1"
  /// The maximum size of the file in bytes.
  private static let limit = 4 << 20

  /// Whether the secrets are sealed and the vault is locked.
  package var isLocked: Bool {
    guard vault.exists, !vault.isUnlocked,
      let bytes = try? FileReader.bytes(of: path, limit: Self.limit)
    else { return false }
    return Sealer.isSealed(bytes)
  }

  /// Returns all secrets by name.
  ///
  /// - Throws: `unreadable` if other users can read the file, it has another format, or it is sealed
  ///   while the vault is locked.
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
    var bytes = try FileReader.bytes(from: descriptor, named: path, limit: Self.limit)
    do { bytes = try vault.opened(bytes) } catch {
      let error = error as? InboxError
      throw Diagnostic(
        "unreadable", "the secrets cannot be read: \(error?.message ?? "\(path) is damaged")",
        help: error?.help)
    }
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
    try write(secrets, sealing: true)
  }

  private func write(_ secrets: [String: String], sealing: Bool) throws(Diagnostic) {
    let lines = secrets.sorted { $0.key < $1.key }.map { name, text in
      "\(name) \(Base64.encode(Array(text.utf8)))"
    }
    let text = Array(([Self.header] + lines).map { $0 + "\n" }.joined().utf8)
    guard let bytes = sealing ? try? vault.sealed(text) : text else {
      throw Diagnostic("unwritable", "\(vault.path) is not a vault")
    }
    guard PrivateFile(path: path).replace(bytes, isDurable: true) else {
      throw Diagnostic(
        "unwritable", "\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  /// Writes the secrets unencrypted, before the vault is removed.
  ///
  /// - Throws: `unreadable`, `unwritable`.
  package func unseal() throws(Diagnostic) {
    let lock = try FileLock.taken(beside: path)
    defer { lock.release() }
    let secrets = try read()
    if !secrets.isEmpty { try write(secrets, sealing: false) }
  }

  /// The reason a name is invalid; nil if it is valid.
  package static func problem(withName name: String) -> String? {
    if name.isPlainWord(with: "_-."), !name.isEmpty, name.utf8.count <= 64 { return nil }
    // What follows `=` is likely the secret itself, which is never shown.
    let shown = name.contains("=") ? "\(name.prefix { $0 != "=" })=…" : name
    return "“\(shown)” is not a valid name of a secret"
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
