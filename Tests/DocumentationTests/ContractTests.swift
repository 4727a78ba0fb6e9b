import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Loads and runs the examples of the language design, if it is available.
@Suite(.enabled(if: Contract.isPresent, "../shared/design/language.md is not here"))
struct ContractTests {
  /// All examples together, as a user's own layer.
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox()
    for (index, block) in try Contract.definitions().enumerated() {
      // Later properties of links, which the built-in intents rely on.
      let text =
        block.text.contains("entity: Link")
        ? block.text.replacing(
          "properties:\n",
          with: "properties:\n" + Self.later)
        : block.text
      try sandbox.write(text, to: ".config/errand/example\(index).yaml")
    }
    return sandbox
  }

  /// The properties of links that the contract does not have yet, and built-in shortcuts use.
  private static let later = """
      reading: {type: 'enum?', values: [unread, read, archived]}
      favourite: {type: bool, default: false}
      pageState: {type: 'enum?', values: [ok, gone, refused, unreachable]}
      private: {type: bool, default: false}
      merged: {type: 'list<any>', default: []}
      pageTitle: string?
      pageText: string?
      page: map<any>?
      fetched: timestamp?
      problem: string?

    """

  @Test func itsDocumentsLoadWithoutAMistake() throws {
    #expect(try Contract.definitions().count == 3)
    let run = try sandbox().run("doctor")
    #expect(run.status == 0)
    #expect(run.err == "")
  }

  @Test func savingSaysWhetherTheLinkIsNew() throws {
    let sandbox = try sandbox()
    let url = "https://swift.org"
    let first = try sandbox.run("save", url, "--tags", "swift")
    #expect(first == ProgramRun(out: url + "\n", err: "Saved \(url) in your library.\n"))
    let second = try sandbox.run("save", url, "--title", "Swift", "--tags", "language")
    #expect(second.err == "Updated Swift in your library.\n")
    let tags = try sandbox.run("search", "swift", "--format", "{{ self.tags }}")
    #expect(tags == ProgramRun(out: "swift, language\n", err: "Found 1.\n"))
  }

  @Test func searchingTakesTrailingWordsAndTags() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("save", "https://swift.org", "--title", "The Swift language")
    _ = try sandbox.run("save", "https://sqlite.org", "--title", "SQLite", "--tags", "c,database")
    #expect(try sandbox.run("search", "swift", "language").err == "Found 1.\n")
    #expect(try sandbox.run("search", "--tags", "c,database").out == "https://sqlite.org\n")
    #expect(try sandbox.run("search", "zig").err == "Nothing matches “zig”.\n")
    #expect(try sandbox.run("search", "--limit", "51").status == 2)
  }

  @Test func theShortcutCopiesASignedLinkToTheOneChosen() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("save", "https://swift.org", "--title", "Swift")
    let run = try sandbox.run("run", "search-and-share", "swift", "--answer", "link=Swift")
    #expect(run.status == 0)
    #expect(run.err == "Copied the link to Swift.\n")
    #expect(sandbox.read("clipboard")?.contains("/w/") == true)
    let none = try sandbox.run("run", "search-and-share", "zig")
    #expect(none == ProgramRun(out: "", err: "Nothing matches “zig”.\n"))
  }

  @Test func itsFormatWritesAReferenceATabAndATitle() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("save", "https://swift.org", "--title", "Swift")
    let run = try sandbox.run("find", "Link", "--format", #"{{ self.ref }}\t{{ self }}"#)
    #expect(run.out == "link:1\tSwift\n")
  }
}

/// The language design, which may lie beside the package.
enum Contract {
  private static let path = Page.root + "/../shared/design/language.md"

  static var isPresent: Bool { access(path, R_OK) == 0 }

  /// Its blocks of YAML.
  static func definitions() throws -> [MarkdownBlock] {
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    return MarkdownBlock.all(in: text, named: "language.md").filter { $0.language == "yaml" }
  }
}
