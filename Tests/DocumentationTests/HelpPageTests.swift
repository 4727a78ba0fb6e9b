import Foundation
import TestSupport
import Testing

/// `errand help TOPIC`, which shows a page of the documentation.
@Suite struct HelpPageTests {
  /// The topics and titles of the index in `docs/language.md`.
  private static var index: [(topic: String, title: String)] {
    get throws {
      try Page.text(of: "docs/language.md").matches(of: /\[([^\]]+)\]\(language\/([a-z-]+)\.md\)/)
        .map { (String($0.2), String($0.1)) }
    }
  }

  @Test func everyPageOfTheIndexIsListedByItsTitle() throws {
    let index = try Self.index
    #expect(index.count >= 13)
    let help = try Sandbox().run("help").out
    for (topic, title) in index {
      #expect(help.contains(try Regex("(?m)^  \(topic) +\(title)$")), "\(topic)")
    }
  }

  /// Code is shown verbatim, line by line, and no words of the text are lost.
  @Test(arguments: Page.languagePages)
  func aPageIsShownWhole(path: String) throws {
    let page = try Page.text(of: path)
    let topic = String(try #require(path.split(separator: "/").last?.dropLast(3)))
    let run = try Sandbox().run("help", topic)
    #expect(run.status == 0)
    let shown = Set(run.out.split(separator: "\n").map(String.init))
    var isCode = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isCode.toggle()
      } else if isCode, !line.isEmpty {
        #expect(shown.contains("    " + line), "\(line)")
      }
    }
    func words(_ text: String) -> [String: Int] {
      let words = text.matches(of: /[A-Za-z]{3,}/).map { String($0.0) }
      return words.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    let prose = page.replacing(/(?m)^```.*$|<!--.*?-->|\]\([^)\n]*\)/, with: "")
    #expect(words(prose) == words(run.out))
  }

  @Test func aCommandComesBeforeAPage() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run("help", "test").out.contains("errand test"))
    #expect(try sandbox.run("help", "tests").out.hasPrefix("Tests of shortcuts\n"))
    #expect(try sandbox.run("help", "nonsense").status == 2)
  }
}
