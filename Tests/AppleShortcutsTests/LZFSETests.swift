import AppleShortcuts
import FoundationEssentials
import Testing

/// The decoder of LZFSE beside the reference; `scripts/test-lzfse` makes the pairs.
@Suite struct LZFSETests {
  private static let vectors = ProcessInfo.processInfo.environment["ERRAND_LZFSE"]

  @Test(.enabled(if: vectors != nil, "scripts/test-lzfse makes the inputs"))
  func decodesAsTheReference() throws {
    let path = try #require(Self.vectors)
    let text = try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    var random = SystemRandomNumberGenerator()
    var count = 0
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", omittingEmptySubsequences: false)
      let packed = [UInt8](Data(base64Encoded: String(parts[0])) ?? Data())
      let data = [UInt8](Data(base64Encoded: String(parts[1])) ?? Data())
      #expect(try LZFSE.decoded(packed, limit: data.count) == data)
      // A changed or cut stream gives an error or other data, within its bounds.
      var changed = packed
      changed[Int.random(in: 0..<changed.count, using: &random)] ^= UInt8.random(
        in: 1...255, using: &random)
      #expect((try? LZFSE.decoded(changed, limit: 1 << 20).count) ?? 0 <= 1 << 20)
      let cut = Array(packed[..<Int.random(in: 0..<packed.count, using: &random)])
      #expect(throws: LZFSE.Invalid.self) { try LZFSE.decoded(cut, limit: 1 << 20) }
      count += 1
    }
    print("\(count) inputs compared")
  }

  @Test(arguments: ["", "bvx", "bvx$", "bvx-", "bvxn\0\0\0\0", "bvx2", "words of text"])
  func shortDataIsRefused(text: String) throws {
    if text == "bvx$" {
      #expect(try LZFSE.decoded(Array(text.utf8), limit: 0) == [])
    } else {
      #expect(throws: LZFSE.Invalid.self) { try LZFSE.decoded(Array(text.utf8), limit: 100) }
    }
  }
}
