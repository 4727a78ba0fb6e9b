import CEL
import CSodium
import ForeignText

/// A signed shortcut: an `AEA1` container with profile 0, which is signed but not encrypted.
///
/// The authentication codes are checked, which detects changed bytes, and the signature is checked
/// with the key in the file. Whether Apple issued the certificate of this key is not checked.
struct SignedArchive {
  /// The reason why a file is not a valid archive.
  struct Problem: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// The maximum decompressed size of a file, in bytes.
  private static func maxSize(of packed: Int) -> Int {
    min(4 << 20 + 64 * packed, ShortcutFile.maxSize)
  }

  static func isArchive(_ bytes: [UInt8]) -> Bool { bytes.starts(with: Array("AEA1".utf8)) }

  /// Returns the property list in a signed shortcut.
  ///
  /// - Throws: `Problem`.
  static func propertyList(in bytes: [UInt8]) throws -> [UInt8] {
    do {
      return try entry(of: contents(bytes))
    } catch is LZFSE.Invalid {
      throw Problem("it is cut off or damaged")
    }
  }

  /// The signature of an archive that was read.
  static func signature(of bytes: [UInt8]) -> ShortcutFile.Signature {
    var isValid = false
    var signer: String?
    if let length = try? Int(bytes.u32(8)), length < 1 << 20, 12 + length + 304 <= bytes.count {
      let start = 12 + length
      let authentication = Array(bytes[12..<start])
      if case .map(let map)? = try? PropertyList.value(of: authentication)?.value,
        case .list(let chain)? = map["SigningCertificateChain"],
        case .bytes(let leaf)? = chain.first
      {
        signer = DERValue.subject(ofCertificate: leaf)
      }
      if let key = try? publicKey(authentication) {
        // The signature counts as zeros.
        var signed = Array(bytes[..<(start + 304)])
        let signature = Array(signed[start..<(start + 128)])
        for index in start..<(start + 128) { signed[index] = 0 }
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        _ = crypto_hash_sha256(&digest, signed, UInt64(signed.count))
        isValid = P256.isValid(digest: digest, signature: signature, key: key)
      }
    }
    return ShortcutFile.Signature(isValid: isValid, signer: signer)
  }

  private static func contents(_ bytes: [UInt8]) throws -> [UInt8] {
    guard bytes.count > 16, bytes[4] == 0, bytes[5] == 0, bytes[6] == 0 else {
      throw Problem("it is encrypted, and not only signed")
    }
    let length = Int(try bytes.u32(8))
    let start = 12 + length
    guard length < 1 << 20, start + 304 <= bytes.count else {
      throw Problem("it is cut off or damaged")
    }
    let authentication = Array(bytes[12..<start])
    let key = try publicKey(authentication)
    func part(_ offset: Int, _ count: Int) -> [UInt8] {
      Array(bytes[start + offset..<start + offset + count])
    }
    let main = derived(
      part(128, 32), salt: part(160, 32), Array("AEA_AMK".utf8) + [0, 0, 0, 0] + key)
    let root = part(224, 48)
    var clusterCode = part(272, 32)
    let rootKey = derived(main, salt: [], Array("AEA_RHEK".utf8))
    guard code(rootKey, clusterCode + authentication, root) == part(192, 32) else {
      throw Problem("its header was changed since it was signed")
    }
    let size = Int(clamping: try root.u64(0))
    let segmentSize = Int(try root.u32(16))
    let perCluster = Int(try root.u32(20))
    guard size <= maxSize(of: bytes.count) else { throw Problem(ShortcutFile.tooLarge) }
    guard (1...1 << 28).contains(segmentSize), (1...4096).contains(perCluster) else {
      throw LZFSE.Invalid()
    }
    var output: [UInt8] = []
    output.reserveCapacity(size)
    var place = start + 304
    var cluster: UInt32 = 0
    while output.count < size {
      let heads = perCluster * 40
      let codes = 32 + perCluster * 32
      guard place + heads + codes <= bytes.count else { throw LZFSE.Invalid() }
      let head = Array(bytes[place..<place + heads])
      let tail = Array(bytes[place + heads..<place + heads + codes])
      let own = derived(main, salt: [], Array("AEA_CK".utf8) + Self.bytes(of: cluster))
      let headKey = derived(own, salt: [], Array("AEA_CHEK".utf8))
      guard code(headKey, tail, head) == clusterCode else {
        throw Problem("it was changed since it was signed")
      }
      clusterCode = Array(tail[..<32])
      place += heads + codes
      for segment in 0..<perCluster where output.count < size {
        let raw = Int(try head.u32(segment * 40))
        let packed = Int(try head.u32(segment * 40 + 4))
        guard raw > 0, raw <= min(segmentSize, size - output.count), place + packed <= bytes.count
        else {
          throw LZFSE.Invalid()
        }
        let data = Array(bytes[place..<place + packed])
        let segmentKey = derived(
          own, salt: [], Array("AEA_SK".utf8) + Self.bytes(of: UInt32(segment)))
        guard code(segmentKey, [], data) == Array(tail[32 + segment * 32..<64 + segment * 32])
        else { throw Problem("it was changed since it was signed") }
        let opened = packed == raw ? data : try LZFSE.decoded(data, limit: raw)
        guard opened.count == raw else { throw LZFSE.Invalid() }
        output += opened
        place += packed
      }
      cluster += 1
    }
    return output
  }

  /// The public key of the signer: that of the first certificate, or a key without a certificate.
  private static func publicKey(_ authentication: [UInt8]) throws -> [UInt8] {
    guard case .map(let map)? = try? PropertyList.value(of: authentication)?.value else {
      throw Problem("it has no certificate")
    }
    if case .bytes(let key)? = map["SigningPublicKey"], key.count == 65 { return key }
    if case .list(let chain)? = map["SigningCertificateChain"],
      case .bytes(let leaf)? = chain.first,
      leaf.count > 70
    {
      // A bit string of 66 bytes with an uncompressed point (RFC 5480 §2.2).
      let mark: [UInt8] = [0x03, 0x42, 0x00, 0x04]
      for place in 0..<leaf.count - 68 where Array(leaf[place..<place + 4]) == mark {
        return Array(leaf[place + 3..<place + 68])
      }
    }
    throw Problem("it has no certificate")
  }

  private static func bytes(of number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  /// HKDF-SHA-256 of 32 bytes (RFC 5869).
  private static func derived(_ key: [UInt8], salt: [UInt8], _ info: [UInt8]) -> [UInt8] {
    let salt = salt.isEmpty ? [UInt8](repeating: 0, count: 32) : salt
    return hmac(hmac(salt, key), info + [1])
  }

  /// The authentication code of data together with associated data.
  private static func code(_ key: [UInt8], _ beside: [UInt8], _ data: [UInt8]) -> [UInt8] {
    let size = (0..<8).map { UInt8(truncatingIfNeeded: UInt64(beside.count) >> UInt64($0 * 8)) }
    return hmac(key, beside + data + size)
  }

  private static func hmac(_ key: [UInt8], _ data: [UInt8]) -> [UInt8] {
    var state = crypto_auth_hmacsha256_state()
    var code = [UInt8](repeating: 0, count: 32)
    crypto_auth_hmacsha256_init(&state, key, key.count)
    crypto_auth_hmacsha256_update(&state, data, UInt64(data.count))
    crypto_auth_hmacsha256_final(&state, &code)
    return code
  }

  // MARK: Apple Archive

  /// The contents of the file in an Apple Archive: headers of fields with a name of three letters
  /// and a kind.
  private static func entry(of bytes: [UInt8]) throws -> [UInt8] {
    var place = 0
    while place + 6 <= bytes.count {
      guard Array(bytes[place..<place + 4]) == Array("AA01".utf8) else { throw LZFSE.Invalid() }
      let end = place + Int(bytes[place + 4]) + Int(bytes[place + 5]) << 8
      guard end <= bytes.count, end > place else { throw LZFSE.Invalid() }
      var field = place + 6
      var name = ""
      var blobs = 0
      var data: Range<Int>?
      func number(_ size: Int) throws -> Int {
        guard field + size <= end else { throw LZFSE.Invalid() }
        let value = (0..<size).reduce(0) { $0 | Int(bytes[field + $1]) << ($1 * 8) }
        field += size
        guard value >= 0, value <= bytes.count else { throw LZFSE.Invalid() }
        return value
      }
      while field + 4 <= end {
        let key = String(decoding: bytes[field..<field + 3], as: UTF8.self)
        let kind = bytes[field + 3]
        field += 4
        switch kind {
        case UInt8(ascii: "*"): break
        case UInt8(ascii: "1"), UInt8(ascii: "2"), UInt8(ascii: "4"), UInt8(ascii: "8"):
          field += Int(kind - 0x30)
        case UInt8(ascii: "A"), UInt8(ascii: "B"), UInt8(ascii: "C"):
          let size = try number([2, 4, 8][Int(kind - 0x41)])
          if key == "DAT" { data = end + blobs..<end + blobs + size }
          blobs += size
        case UInt8(ascii: "P"):
          let size = try number(2)
          guard field + size <= end else { throw LZFSE.Invalid() }
          if key == "PAT" { name = String(decoding: bytes[field..<field + size], as: UTF8.self) }
          field += size
        case UInt8(ascii: "S"): field += 8
        case UInt8(ascii: "T"): field += 12
        case UInt8(ascii: "F"): field += 4
        case UInt8(ascii: "G"): field += 20
        case UInt8(ascii: "H"): field += 32
        case UInt8(ascii: "I"): field += 48
        case UInt8(ascii: "J"): field += 64
        default: throw LZFSE.Invalid()
        }
      }
      if let data, name.hasSuffix(".wflow") {
        guard data.upperBound <= bytes.count else { throw LZFSE.Invalid() }
        return Array(bytes[data])
      }
      place = end + blobs
    }
    throw Problem("there is no shortcut in it")
  }
}
