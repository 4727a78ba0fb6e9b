import FoundationEssentials
import Testing

/// Checks that links and paths in the documents exist.
@Suite struct ReferenceTests {
  private static let pages =
    ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    + [
      "api", "architecture", "budgets", "cel", "checks", "cli", "events", "kit", "language",
      "mistakes",
      "sharing", "tutorial",
    ].map { "docs/\($0).md" } + Page.languagePages

  @Test(arguments: pages)
  func everyLinkLeadsToAFileAndAHeading(_ page: String) throws {
    let folder = page[..<(page.lastIndex(of: "/").map { page.index(after: $0) } ?? page.startIndex)]
    for target in Self.links(in: try Self.text(of: page)) where !target.contains("://") {
      let parts = target.split(
        separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let file = parts[0].isEmpty ? page : String(folder + parts[0])
      #expect(FileManager.default.fileExists(atPath: Page.root + "/" + file), "\(page): \(target)")
      guard parts.count > 1 else { continue }
      #expect(Self.anchors(in: try Self.text(of: file)).contains(String(parts[1])), "\(target)")
    }
  }

  private static func text(of page: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: Page.root + "/" + page)), as: UTF8.self)
  }

  /// Link targets outside code.
  private static func links(in text: String) -> [String] {
    text.replacing(#/`[^`\n]*`/#, with: "").matches(of: #/\]\(([^)\s]+)\)/#).map { String($0.1) }
  }

  /// GitHub's heading anchors: lower case, hyphens for spaces, no punctuation.
  private static func anchors(in text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
      String(
        line.drop { $0 == "#" || $0 == " " }.lowercased().compactMap { character in
          if character == " " { return "-" }
          return character.isLetter || character.isNumber || character == "-" ? character : nil
        })
    }
  }
}
