import Testing

@testable import Catalog

/// The tables of keys describe every key.
@Suite struct KeyTests {
  /// Returns a table and all tables below it, each once.
  private static func tables(_ keys: [KeyDeclaration], depth: Int = 0) -> [[KeyDeclaration]] {
    guard depth < 8 else { return [] }
    return [keys] + keys.flatMap { below($0.form, depth: depth + 1) }
  }

  private static func below(_ form: ValueForm, depth: Int) -> [[KeyDeclaration]] {
    switch form {
    case .list(let element), .names(_, let element): below(element, depth: depth)
    case .either(let forms): forms.flatMap { below($0, depth: depth) }
    case .mapping(let keys): tables(keys(), depth: depth)
    default: []
    }
  }

  @Test(arguments: Definition.Kind.allCases)
  func everyKeyOfADocumentIsDeclaredOnce(_ kind: Definition.Kind) {
    let tables = Self.tables(kind.keys)
    #expect(!tables.isEmpty)
    for keys in tables {
      #expect(Set(keys.map(\.name)).count == keys.count, "\(keys.map(\.name))")
      for key in keys { #expect(key.summary.hasSuffix("."), "\(key.name)") }
    }
  }

  @Test func everyKeyOfAStepIsDeclaredOnce() {
    for block in Step.blocks + [[]] {
      for keys in Self.tables(block + Step.modifiers) {
        #expect(Set(keys.map(\.name)).count == keys.count, "\(keys.map(\.name))")
      }
    }
    #expect(ReservedWord.heads.count == 8)
  }
}
