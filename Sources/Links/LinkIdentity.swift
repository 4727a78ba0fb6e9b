import CSodium

/// The two key pairs of a library for links between people: an X25519 pair opens links sealed for
/// it, and an Ed25519 pair signs those it sends.
///
/// Both are derived from the key that signs the library's links, so that only one file must be
/// kept.
package struct LinkIdentity: Sendable {
  /// The public keys, to be given to other people.
  package let address: LinkAddress
  private let boxSecret: [UInt8]
  private let signSecret: [UInt8]

  /// - Returns: nil if the system has no random source.
  package init?(_ key: LinkKey) {
    guard sodium_init() >= 0 else { return nil }
    let boxSeed = SHA256.authenticate("errand link 2 box", key: key.bytes)
    let signSeed = SHA256.authenticate("errand link 2 sign", key: key.bytes)
    var (boxPublic, signPublic) = (LinkAddress.emptyKey, LinkAddress.emptyKey)
    var boxSecret = [UInt8](repeating: 0, count: Int(crypto_box_SECRETKEYBYTES))
    var signSecret = [UInt8](repeating: 0, count: Int(crypto_sign_SECRETKEYBYTES))
    crypto_box_seed_keypair(&boxPublic, &boxSecret, boxSeed)
    crypto_sign_seed_keypair(&signPublic, &signSecret, signSeed)
    (self.boxSecret, self.signSecret) = (boxSecret, signSecret)
    address = LinkAddress(box: boxPublic, sign: signPublic)
  }

  /// Signs a text (Ed25519).
  func sign(_ text: some StringProtocol) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: Int(crypto_sign_BYTES))
    let bytes = Array(text.utf8)
    crypto_sign_detached(&signature, nil, bytes, UInt64(bytes.count), signSecret)
    return signature
  }

  /// Opens a box that was sealed for this library; nil for any other.
  func open(_ sealed: [UInt8]) -> [UInt8]? {
    guard sealed.count > crypto_box_sealbytes() else { return nil }
    var bytes = [UInt8](repeating: 0, count: sealed.count - crypto_box_sealbytes())
    let status = crypto_box_seal_open(
      &bytes, sealed, UInt64(sealed.count), address.box, boxSecret)
    return status == 0 ? bytes : nil
  }
}

extension LinkIdentity: CustomStringConvertible, CustomReflectable {
  /// The public keys, never the secret ones.
  package var description: String { address.text }

  /// Contains the public keys only.
  package var customMirror: Mirror { Mirror(self, children: ["address": address.text]) }
}

/// The public keys of a person who receives sealed links or signs them.
package struct LinkAddress: Hashable, Sendable {
  fileprivate let box: [UInt8]
  private let sign: [UInt8]

  private static let prefix = "errand-"
  private static let keySize = 32
  /// The size of the checksum: no letter has bits that do not count.
  private static let checkSize = 5
  fileprivate static var emptyKey: [UInt8] { [UInt8](repeating: 0, count: keySize) }

  fileprivate init(box: [UInt8], sign: [UInt8]) { (self.box, self.sign) = (box, sign) }

  /// Parses a public address, also one of earlier releases.
  ///
  /// - Throws: `invalid-value`.
  package init(_ text: String) throws(LinkError) {
    let bytes = [UInt8](base64URL: text.dropFirst(Self.prefix.count)) ?? []
    box = Array(bytes.prefix(Self.keySize))
    sign = Array(bytes.dropFirst(Self.keySize).prefix(Self.keySize))
    // Different letters may encode the same bytes.
    guard text == self.text || text == bareText, areValid else {
      let what =
        text.isEmpty ? "the recipient's public key is empty" : "“\(text)” is not a public key"
      throw LinkError(
        .invalidValue,
        "\(what): `errand settings` on the receiver's machine shows theirs, whole and exact")
    }
  }

  /// Whether a secret key can exist for both keys.
  private var areValid: Bool {
    guard sodium_init() >= 0, box.count == Self.keySize, sign.count == Self.keySize else {
      return false
    }
    var shared = Self.emptyKey
    let scalar = [UInt8](repeating: 1, count: Self.keySize)
    // Points of low order yield a publicly known secret, which libsodium refuses.
    return crypto_scalarmult(&shared, scalar, box) == 0
      && crypto_core_ed25519_is_valid_point(sign) == 1
  }

  /// The public address: both keys and the beginning of their SHA-256.
  package var text: String {
    Self.prefix + (box + sign + SHA256.hash(box + sign).prefix(Self.checkSize)).base64URL
  }

  /// The text of earlier releases, without a checksum, which they expect as the sender of a link.
  package var bareText: String { Self.prefix + (box + sign).base64URL }

  /// The id in links: the first 8 hexadecimal digits of the SHA-256 of both keys.
  var id: String { String(SHA256.hash(box + sign).hexadecimal.prefix(8)) }

  /// Seals bytes so that only the owner of the keys can read them.
  func seal(_ bytes: [UInt8]) -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: bytes.count + crypto_box_sealbytes())
    crypto_box_seal(&sealed, bytes, UInt64(bytes.count), box)
    return sealed
  }

  /// Whether the owner of the keys signed a text.
  func hasSigned(_ text: some StringProtocol, _ signature: [UInt8]) -> Bool {
    guard signature.count == Int(crypto_sign_BYTES) else { return false }
    let bytes = Array(text.utf8)
    return crypto_sign_verify_detached(signature, bytes, UInt64(bytes.count), sign) == 0
  }
}
