import CEL
import Glibc
import Testing

@testable import Exchange

/// Files of other programs with random changes.
@Suite struct MutatedFilesTests {
  /// The number of mutated files per format.
  private static var count: Int {
    getenv("ERRAND_IMPORT_MUTATIONS").flatMap { Int(String(cString: $0)) } ?? 300
  }

  @Test(arguments: ForeignSamples.all.map(\.name))
  func areReadWithoutATrap(_ name: String) throws {
    let text = ForeignSamples.text(name)
    let whole = try ForeignItems.of(text, name: name)
    #expect(!whole.items.isEmpty)
    var random = SplitMix(seed: 1)
    for _ in 0..<Self.count {
      let bytes = random.mutated(Array(text.utf8))
      do {
        let read = try ForeignItems.of(bytes, name: name)
        // What is read never grows beyond what is there.
        #expect(read.items.count + read.problems.count <= bytes.count + 1)
      } catch is ExchangeError {}
    }
  }

  /// Each text of a file is in an item or in the report; of what is left out, the name.
  @Test(arguments: ForeignSamples.all.map(\.name))
  func loseNothingSilently(_ name: String) throws {
    var random = SplitMix(seed: 2)
    for _ in 0..<max(Self.count / 30, 1) {
      var words: [String] = []
      let text = ForeignSamples.text(name) {
        let letters = ["abcdefgh", "äöüßéñø", "дежзийк", "見出語句文字"].randomElement(using: &random)
        let word = (0..<6).compactMap { _ in letters?.randomElement(using: &random) }
        // A number makes it the only one, in an ASCII form for names of elements and hosts.
        words.append("w\(words.count + 10)\(String(word))")
        return words.last ?? ""
      }
      let read = try ForeignItems.of(text, name: name)
      let found = (read.items + read.problems).joined(separator: "\n")
      for word in words { #expect(found.contains(word), "\(word) of \(text)") }
    }
  }

  @Test(arguments: ForeignSamples.all.map(\.name))
  func recordsGrowWithTheFileOnly(_ name: String) throws {
    let text = ForeignSamples.text(name)
    for unit in ["[", "{\"items\":[", "<note>", "@a ", "\n", "\"", "a:b ", "```\n", "<en-todo/>"] {
      let file = text + String(repeating: unit, count: 20_000)
      let read = try? ForeignItems.of(file, name: name)
      #expect(read?.items.count ?? 0 <= 20_100)
    }
  }
}

/// A source of random numbers with a seed.
private struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// Returns bytes with some changed, removed, repeated or added.
  mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let marks = Array("\"'[]{}<>:,;\\\n\r\t |=-+@#0x\u{FF}".utf8)
    for _ in 0...Int.random(in: 0..<6, using: &self) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &self)
      let end = min(bytes.count, place + Int.random(in: 1...20, using: &self))
      switch Int.random(in: 0..<5, using: &self) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 3: bytes.insert(marks.randomElement(using: &self) ?? 0, at: place)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }
}
