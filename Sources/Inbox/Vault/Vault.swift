import CEL
import CLinux
import CSodium
import Glibc
import Links
import POSIX

/// The person's key pair, which seals secrets and waiting shares.
///
/// Its file holds the public key, with which every program can seal, and the secret key under a
/// passphrase (Argon2id). While the vault is unlocked, the secret key is in the kernel's keyring of
/// the user, and nowhere on the disk.
package struct Vault: Sendable {
  /// The path of the file.
  package let path: String
  /// The path of a file with the fingerprint of the public key that was last seen to be right, apart
  /// from the vault's file; nil for none.
  private let pin: String?

  package init(path: String, pin: String? = nil) {
    self.path = path
    self.pin = pin
  }

  /// The shortest passphrase, in characters.
  package static let shortestPassphrase = 8

  /// The parts of the file.
  struct KeyFile {
    var publicKey: [UInt8]
    /// The cost of Argon2id: passes, and bytes of memory.
    var passes: UInt64
    var memory: Int
    var salt: [UInt8]
    /// A nonce and the secret key under the key of the passphrase.
    var lockedKey: [UInt8]
    /// Whether the public key has the checksum beside it, or none as in earlier releases.
    var isIntact = true
  }

  private static let header = "errand vault 1"
  /// The most memory that a file may ask for, in bytes.
  private static let maxMemory = 1 << 30

  /// Whether there is a vault.
  package var exists: Bool { access(path, F_OK) == 0 }

  /// The file; nil if there is no vault.
  ///
  /// - Throws: `malformed`, `io`.
  func file() throws(InboxError) -> KeyFile? {
    let bytes: [UInt8]
    do {
      bytes = try Descriptor(path, O_RDONLY | O_NOFOLLOW).bytes(limit: 4096) ?? []
    } catch {
      if error.code == ENOENT { return nil }
      throw .system(path, error.code)
    }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: " ").map(String.init)
    }
    guard words.count == 4, words[0].joined(separator: " ") == Self.header,
      (2...3).contains(words[1].count), words[1][0] == "public",
      let key = Base64.decode(words[1][1]),
      key.count == Int(crypto_box_PUBLICKEYBYTES),
      words[2].count == 4, words[2][0] == "argon2id", let passes = UInt64(words[2][1]),
      let memory = Int(words[2][2]), let salt = Base64.decode(words[2][3]),
      salt.count == Int(crypto_pwhash_SALTBYTES), (1...64).contains(passes),
      (8192...Self.maxMemory).contains(memory),
      words[3].count == 2, words[3][0] == "secret", let locked = Base64.decode(words[3][1]),
      locked.count
        == Int(crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES + crypto_box_SECRETKEYBYTES)
    else {
      throw InboxError(.malformed, "\(path) is not a vault", help: "restore it from a backup")
    }
    return KeyFile(
      publicKey: key, passes: passes, memory: memory, salt: salt, lockedKey: locked,
      isIntact: words[1].count == 2 || words[1][2] == Self.checksum(of: key))
  }

  private static func checksum(of key: [UInt8]) -> String { String(fingerprint(of: key).prefix(8)) }

  private static func fingerprint(of key: [UInt8]) -> String { SHA256.hash(key).hexadecimal }

  // MARK: The fingerprint

  /// Whether the public key is the one that was last seen to be right, as far as that is known.
  private func isKnown(_ key: [UInt8]) -> Bool {
    guard let pin, let known = try? Descriptor(pin, O_RDONLY | O_NOFOLLOW).bytes(limit: 128) else {
      return true
    }
    return known == Array(Self.fingerprint(of: key).utf8)
  }

  /// Records that the public key is right.
  private func remember(_ key: [UInt8]) throws(InboxError) {
    guard let pin else { return }
    try InboxError.wording {
      try Folder.make(Folder.parent(of: pin))
      let draft = try TemporaryFile(for: pin)
      try draft.file.write(Array(Self.fingerprint(of: key).utf8))
      try draft.publish(as: pin)
    }
  }

  /// The error of a vault that is intact but not the one used before.
  private var foreignVault: InboxError {
    InboxError(
      .foreignKey, "the public key in \(path) is not the one that was used here before",
      help: "`errand vault repair` restores it, or takes another vault of yours for its own")
  }

  /// The public key, for sealing; nil if there is no vault.
  ///
  /// - Throws: `malformed` if it is damaged, `foreignKey` if it differs from the remembered key,
  ///   `io`.
  package func publicKey() throws(InboxError) -> [UInt8]? {
    guard let file = try file() else { return nil }
    guard file.isIntact else { throw foreignKey }
    guard isKnown(file.publicKey) else { throw foreignVault }
    return file.publicKey
  }

  /// The error of a public key that is not the secret key's.
  private var foreignKey: InboxError {
    InboxError(
      .foreignKey,
      "the public key in \(path) was changed: it is not the one of the vault's secret key, and what "
        + "was sealed for it since then cannot be opened here",
      help: "`errand vault repair` restores the right one; then find out who can write this file")
  }

  // MARK: Passphrases

  /// Makes a vault, which is locked.
  ///
  /// - Throws: `unfit` if there is one already or the passphrase is too short, `io`.
  package func make(passphrase: String) throws(InboxError) {
    guard !exists else {
      throw InboxError(.unfit, "there is a vault already", help: "errand vault change")
    }
    var publicKey = [UInt8](repeating: 0, count: Int(crypto_box_PUBLICKEYBYTES))
    var secretKey = [UInt8](repeating: 0, count: Int(crypto_box_SECRETKEYBYTES))
    _ = errand_hide_memory()
    crypto_box_keypair(&publicKey, &secretKey)
    defer { sodium_memzero(&secretKey, secretKey.count) }
    try write(publicKey, secretKey, passphrase)
    try remember(publicKey)
  }

  /// Locks the secret key with a new passphrase; sealed data is unchanged.
  ///
  /// - Throws: `locked` for a wrong passphrase, `unfit` for a new one that is too short, `io`.
  package func change(from old: String, to new: String) throws(InboxError) {
    var (file, secretKey) = try opened(by: old)
    defer { sodium_memzero(&secretKey, secretKey.count) }
    try write(file.publicKey, secretKey, new)
  }

  /// Restores the public key, which follows from the secret one.
  ///
  /// - Returns: Whether the file had a wrong public key.
  /// - Throws: `locked` for a wrong passphrase, `io`.
  package func repair(passphrase: String) throws(InboxError) -> Bool {
    var (file, secretKey) = try opened(by: passphrase, isRepair: true)
    defer { sodium_memzero(&secretKey, secretKey.count) }
    let publicKey = Self.publicKey(of: secretKey)
    let wasKnown = isKnown(publicKey)
    try remember(publicKey)
    if file.publicKey == publicKey, file.isIntact { return !wasKnown }
    file.publicKey = publicKey
    try write(file)
    return true
  }

  private static func publicKey(of secretKey: [UInt8]) -> [UInt8] {
    var key = [UInt8](repeating: 0, count: Int(crypto_box_PUBLICKEYBYTES))
    crypto_scalarmult_base(&key, secretKey)
    return key
  }

  /// Puts the secret key into the keyring, for a time.
  ///
  /// - Throws: `locked` for a wrong passphrase, `io` without a keyring.
  package func unlock(passphrase: String, for seconds: Int64) throws(InboxError) {
    var (file, secretKey) = try opened(by: passphrase)
    defer { sodium_memzero(&secretKey, secretKey.count) }
    errand_key_remove(Self.name(of: file.publicKey))
    let seconds = UInt32(clamping: seconds)
    guard errand_key_add(Self.name(of: file.publicKey), secretKey, secretKey.count, seconds) == 0
    else {
      throw InboxError(
        .io,
        "the vault cannot be unlocked: this system has no keyring for keys "
          + "(\(String(cString: strerror(errno))))",
        help: "see keyctl(1); the key is never written to a file")
    }
  }

  /// Takes the secret key out of the keyring.
  package func lock() throws(InboxError) {
    if let file = try file() { errand_key_remove(Self.name(of: file.publicKey)) }
  }

  /// Removes the vault. Sealed data that is left can never be opened.
  package func remove() throws(InboxError) {
    try lock()
    guard unlink(path) == 0 || errno == ENOENT else { throw .system(path) }
    if let pin { unlink(pin) }
  }

  /// Checks a passphrase.
  ///
  /// - Throws: `locked` if it is wrong.
  package func expect(passphrase: String) throws(InboxError) {
    var (_, secretKey) = try opened(by: passphrase)
    sodium_memzero(&secretKey, secretKey.count)
  }

  /// - Throws: `foreignKey` if the file's public key is not the secret key's, unless it is repaired.
  private func opened(
    by passphrase: String, isRepair: Bool = false
  ) throws(InboxError) -> (KeyFile, [UInt8]) {
    guard let file = try file() else {
      throw InboxError(.unfit, "there is no vault", help: "errand vault init")
    }
    _ = errand_hide_memory()
    var key = try Self.key(passphrase, file)
    defer { sodium_memzero(&key, key.count) }
    let nonce = Int(crypto_secretbox_NONCEBYTES)
    var secretKey = [UInt8](repeating: 0, count: Int(crypto_box_SECRETKEYBYTES))
    let locked = Array(file.lockedKey[nonce...])
    guard
      crypto_secretbox_open_easy(
        &secretKey, locked, UInt64(locked.count), Array(file.lockedKey[..<nonce]), key) == 0
    else { throw InboxError(.locked, "the passphrase is wrong") }
    if !isRepair {
      let isOwn = file.isIntact && file.publicKey == Self.publicKey(of: secretKey)
      guard isOwn, isKnown(file.publicKey) else {
        sodium_memzero(&secretKey, secretKey.count)
        throw isOwn ? foreignVault : foreignKey
      }
      try remember(file.publicKey)
    }
    return (file, secretKey)
  }

  private static func key(_ passphrase: String, _ file: KeyFile) throws(InboxError) -> [UInt8] {
    var key = [UInt8](repeating: 0, count: Int(crypto_secretbox_KEYBYTES))
    guard
      crypto_pwhash(
        &key, UInt64(key.count), passphrase, UInt64(passphrase.utf8.count), file.salt, file.passes,
        file.memory, crypto_pwhash_ALG_ARGON2ID13) == 0
    else { throw InboxError(.io, "there is not enough memory to check the passphrase") }
    return key
  }

  /// Writes the file at once, so that always one of the two passphrases opens it.
  private func write(
    _ publicKey: [UInt8], _ secretKey: [UInt8], _ passphrase: String
  ) throws(InboxError) {
    guard passphrase.count >= Self.shortestPassphrase else {
      throw InboxError(
        .unfit, "a passphrase has at least \(Self.shortestPassphrase) characters")
    }
    var file = KeyFile(
      publicKey: publicKey, passes: UInt64(crypto_pwhash_OPSLIMIT_MODERATE),
      memory: Int(crypto_pwhash_MEMLIMIT_MODERATE),
      salt: Self.random(Int(crypto_pwhash_SALTBYTES)), lockedKey: [])
    var key = try Self.key(passphrase, file)
    defer { sodium_memzero(&key, key.count) }
    let nonce = Self.random(Int(crypto_secretbox_NONCEBYTES))
    var locked = [UInt8](
      repeating: 0, count: secretKey.count + Int(crypto_secretbox_MACBYTES))
    crypto_secretbox_easy(&locked, secretKey, UInt64(secretKey.count), nonce, key)
    file.lockedKey = nonce + locked
    try write(file)
  }

  private func write(_ file: KeyFile) throws(InboxError) {
    let text = """
      \(Self.header)
      public \(Base64.encode(file.publicKey)) \(Self.checksum(of: file.publicKey))
      argon2id \(file.passes) \(file.memory) \(Base64.encode(file.salt))
      secret \(Base64.encode(file.lockedKey))

      """
    try InboxError.wording {
      try Folder.make(Folder.parent(of: path))
      let draft = try TemporaryFile(for: path)
      try draft.file.write(Array(text.utf8))
      try draft.publish(as: path)
    }
    errno = Folder.sync(Folder.parent(of: path))
    // Some file systems do not support this call.
    if errno != 0, errno != EINVAL { throw .system(path) }
  }

  static func random(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes
  }

  // MARK: The keyring

  /// Whether the secret key is in the keyring.
  package var isUnlocked: Bool {
    guard let key = try? file()?.publicKey else { return false }
    return errand_key_find(Self.name(of: key)) > 0
  }

  /// Calls `body` with the key pair.
  ///
  /// - Throws: `locked` while the vault is; rethrows errors of `body`.
  func withKeys<Result>(
    _ body: (_ publicKey: [UInt8], _ secretKey: [UInt8]) throws -> Result
  ) throws -> Result {
    guard let file = try file() else {
      throw InboxError(
        .locked, "it is sealed, and the vault \(path) is gone", help: "restore it from a backup")
    }
    // From now on the key is in this process's memory.
    _ = errand_hide_memory()
    var secretKey = [UInt8](repeating: 0, count: Int(crypto_box_SECRETKEYBYTES))
    defer { sodium_memzero(&secretKey, secretKey.count) }
    guard errand_key_read(Self.name(of: file.publicKey), &secretKey, secretKey.count) == 0 else {
      throw InboxError(.locked, "the vault is locked", help: "errand vault unlock")
    }
    return try body(file.publicKey, secretKey)
  }

  /// The name of the key in the keyring: one for each vault.
  private static func name(of publicKey: [UInt8]) -> String {
    "errand:" + Base64.encode(publicKey)
  }
}
