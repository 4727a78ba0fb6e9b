import AppleShortcuts
import CEL
import FoundationEssentials
import JSON
import Testing

/// The table of actions: the documentation has it, and it has every action with a meaning here.
@Suite struct ActionTableTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  @Test func theDocumentationHasTheTable() throws {
    let path = Self.root + "/docs/apple.md"
    let page = try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    let table = AppleActions.markdown
    if ProcessInfo.processInfo.environment["RECORD"] == "1",
      let start = page.firstRange(of: "## All actions\n\n")
    {
      try Data((page[..<start.upperBound] + table).utf8).write(to: URL(filePath: path))
    }
    #expect(page.hasSuffix("## All actions\n\n" + table), "RECORD=1 writes docs/apple.md")
  }

  @Test func noActionIsInTheTableTwice() {
    let names = AppleActions.translated
    #expect(Set(names).count == names.count)
  }

  @Test func everyActionWithAMeaningIsThere() throws {
    let path = Self.root + "/../shared/data/apple/actions.jsonl"
    guard let data = try? Data(contentsOf: URL(filePath: path)) else { return }
    let known = Set(AppleActions.translated)
    var missing: [String] = []
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
      guard case .map(let action) = try JSONParser().parse(String(line)),
        action["class"] == .string("here"), case .string(let identifier)? = action["identifier"]
      else { continue }
      let name = identifier.replacing("is.workflow.actions.", with: "")
      if !known.contains(name) { missing.append(name) }
    }
    #expect(missing == [])
  }
}
