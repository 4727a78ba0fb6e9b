import CEL
import TestSupport
import Testing

@testable import JSON

@Suite struct JSONFuzzTests {
  /// Randomly mutated bytes are parsed or rejected, and parsed values can be written.
  @Test func mutatedTextsAreParsedOrRejected() throws {
    let seeds = [
      #"{"a":[1,-2.5e3,null,true],"b":{"é😀":"\u0000\n\\"},"c":[]}"#,
      #"[[[["\ud83d\ude00"]]],9223372036854775807,"x"]"#, #""plain""#, "-0.0", "[1,2",
    ].map { Array($0.utf8) }
    let pieces: [[UInt8]] = [
      [0x22], [0x5C], [0x5B], [0x5D], [0x7B], [0x7D], [0x2C], [0x3A], [0], [0xFF], [0xC3],
      [0xED, 0xA0, 0x80], Array(#"\u12"#.utf8), Array("1e999".utf8), Array("nul".utf8),
    ]
    var random = SeededGenerator(seed: 88)
    var readCount = 0
    for _ in 0..<20_000 {
      var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let start = Int.random(in: 0...bytes.count, using: &random)
        let end = Int.random(in: start...min(start + 3, bytes.count), using: &random)
        bytes.replaceSubrange(
          start..<end, with: pieces[Int.random(in: 0..<pieces.count, using: &random)])
      }
      do {
        let value = try JSONParser().parse(bytes)
        readCount += 1
        let text = try JSONWriter().text(of: value)
        #expect(try JSONWriter().text(of: JSONParser().parse(text)) == text)
      } catch {
        let place = try #require(error.place)
        #expect((0...bytes.count).contains(place.offset))
        #expect(place.line >= 1 && place.column >= 1)
      }
    }
    #expect(readCount > 100)
  }
}
