import ErrandKit
import Links

/// Makes and checks cursors: the signed ids of the items before a page.
struct CursorSigner: Sendable {
  private let key: [UInt8]

  /// Reads the key, or makes one.
  ///
  /// - Throws: `unwritable`.
  init(keyFile path: String) throws {
    if let bytes = try? FileReader.bytes(of: path, limit: 32), bytes.count == 32 {
      key = bytes
      return
    }
    key = SystemHost.randomBytes(32)
    guard PrivateFile(path: path).replace(key, isDurable: true) else {
      throw ErrandError(code: "unwritable", message: "\(path) cannot be written")
    }
  }

  init(key: [UInt8]) { self.key = key }

  /// Returns a cursor for the page after some items.
  func cursor(_ served: ServedItems, of query: [String]) -> String {
    let payload = Array(served.text.utf8).base64URL
    return payload + "." + signature(payload, query)
  }

  /// Returns the items before a cursor.
  ///
  /// - Throws: A problem if the cursor was not made here for this query.
  func served(before cursor: String, of query: [String]) throws(Problem) -> ServedItems {
    let parts = cursor.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2,
      Array(signature(parts[0], query).utf8).isSameInConstantTime(as: Array(parts[1].utf8)),
      let bytes = [UInt8](base64URL: parts[0]),
      let served = ServedItems(String(decoding: bytes, as: UTF8.self))
    else { throw Problem(422, "invalid-value", "the cursor is not of this query") }
    return served
  }

  private func signature(_ payload: String, _ query: [String]) -> String {
    // The lengths make the text unambiguous.
    let text = ([payload] + query).map { "\($0.utf8.count) \($0)\n" }.joined()
    return SHA256.authenticate(text, key: key).base64URL
  }
}
