import Catalog
import Source
import Testing

@testable import Engine

/// Whatever stands in a file, reading and compiling it ends, with diagnostics and never a trap.
@Suite struct MutationTests {
  /// A small random source with a seed (Steele, Lea, Flood: SplitMix64).
  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  /// Pieces that mean something in YAML, in templates or in CEL.
  private static let pieces = [
    "{{", "}}", "{", "}", "[", "]", ":", ": ", "- ", "\n", "\n  ", "'", "\"", "#", " #x", "&a ",
    "*a",
    "!t ", "|", ">", "---\n", "\t", "\\", "?", "||", "&&", "null", "self", "it", "vars.", ".",
    "(", ")", "1e999", "9223372036854775808", "\u{0}", "é", "漢", "\u{1F600}", "then:", "do:",
    "as: x",
    "when: true", "list<list<", "<<: ", "~", "0x", "- if: ", "- find: {entity: Link}", "`",
  ]

  private static func mutate(_ text: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var bytes = text
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let position = Int.random(in: 0...bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        let piece = Self.pieces.randomElement(using: &random) ?? ""
        bytes.insert(contentsOf: Array(piece.utf8), at: position)
      case 1 where position < bytes.count:
        bytes.removeSubrange(
          position..<min(bytes.count, position + Int.random(in: 1...12, using: &random)))
      case 2 where position < bytes.count:
        bytes[position] = UInt8.random(in: 0...255, using: &random)
      case 3:
        let end = min(bytes.count, position + Int.random(in: 1...80, using: &random))
        let copy = Array(bytes[position..<end])
        bytes.insert(contentsOf: copy, at: Int.random(in: 0...bytes.count, using: &random))
      default:
        bytes.removeLast(min(bytes.count, Int.random(in: 0...40, using: &random)))
      }
    }
    return bytes
  }

  @Test(arguments: 0..<8)
  func mutatedDocumentsEndInDiagnostics(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let library = Library()
    let names = library.actionNames + library.entityNames
    let sources = names.compactMap { library.source(of: $0) }.map { Array($0.utf8) }
    var broken = 0
    for round in 0..<250 {
      let source = sources[round % sources.count]
      let file = SourceFile(name: "mutated.yaml", bytes: Self.mutate(source, &random))
      let library = Library()
      let found = library.add(file, to: .file)
      broken += library.problems.count
      for problem in library.problems { #expect(!problem.rendered().isEmpty) }
      let workspace = Workspace(library: library, host: FakeWorld().host(keyPath: nil)) { _ in
        throw RunError(.io, "there is no store here")
      }
      for (kind, name) in found {
        do {
          if kind == .entity {
            try workspace.check(entity: name)
          } else {
            try workspace.check(action: name)
          }
        } catch let error as Diagnostics {
          broken += error.all.count
          for problem in error.all { #expect(!problem.rendered().isEmpty) }
        } catch is RunError {
          broken += 1
        }
      }
    }
    // Most changes break something; if none did, nothing was looked at.
    #expect(broken > 50)
  }
}
