import Catalog
import Engine
import FoundationEssentials
import Items
import Program
import TestSupport
import Testing

/// Checks that the reference pages are complete.
@Suite struct CompletenessTests {
  private static func text(of page: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: Page.root + "/" + page)), as: UTF8.self)
  }

  /// Finds the table row whose first column contains a name.
  private static func row(of name: String, in page: String) -> Substring? {
    page.split(separator: "\n").first { line in
      line.hasPrefix("|") && line.dropFirst().prefix { $0 != "|" }.contains("`\(name)`")
    }
  }

  @Test(arguments: VerbTable.errand.names())
  func everyVerbIsThereWithItsArguments(_ name: String) throws {
    let verb = try #require(VerbTable.errand.signature(named: name))
    #expect(verb.name == name)
    let row = try #require(Self.row(of: name, in: try Self.text(of: "docs/language/verbs.md")))
    for argument in verb.arguments {
      // An argument with few values is documented with them: `as: card`.
      let isNamed = row.contains("`\(argument.name)`") || row.contains("`\(argument.name): ")
      #expect(isNamed, "\(name): \(argument.name)")
      #expect(row.contains("**`\(argument.name)`**") == argument.isRequired, "\(argument.name)")
    }
  }

  @Test(arguments: DataType.simple.map(\.description) + ["enum"])
  func everyTypeIsThere(_ name: String) throws {
    #expect(Self.row(of: name, in: try Self.text(of: "docs/language/types.md")) != nil)
  }

  /// Identifiers exist only where a `Diagnostic` is created or reported.
  @Test func everyMistakeIsThere() throws {
    let page = try Self.text(of: "docs/language/errors.md")
    var found: Set<String> = []
    let sources = URL(filePath: Page.root + "/Sources").path
    for file in try FileManager.default.subpathsOfDirectory(atPath: sources)
    where file.hasSuffix(".swift") {
      let text = try Self.text(of: "Sources/" + file)
      for match in text.matches(of: #/(?:Diagnostic|report)\(\s*"([a-z-]+)"/#) {
        found.insert(String(match.1))
      }
    }
    #expect(found.count > 50)
    let missing = found.filter { Self.row(of: $0, in: page) == nil }
    #expect(missing.sorted() == [])
  }

  /// Every documented identifier has an example that triggers it, including those of expressions.
  @Test func everyMistakeHasASection() throws {
    let page = try Self.text(of: "docs/mistakes.md")
    let reference = try Self.text(of: "docs/language/errors.md")
    let section = try #require(reference.split(separator: "\n## Mistakes in files\n").last)
    let table = section.split(separator: "\n| `W").first ?? ""
    let rows = table.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let ids = rows.flatMap { row in
      (row.split(separator: "|").first ?? "").matches(of: #/`([a-z-]+)`/#).map { String($0.1) }
    }
    #expect(ids.count > 70)
    // `later-release` disappears with each release; `unwritable` does not concern definitions.
    let withoutExample: Set = ["later-release", "unwritable"]
    for id in ids {
      #expect(page.contains("\n## \(id)\n"), "\(id)")
      if !withoutExample.contains(id) { #expect(page.contains("[\(id)]\n"), "\(id)") }
    }
    #expect(page.ranges(of: "\n## ").count == ids.count)
  }

  @Test func everyWarningHasASection() throws {
    let page = try Self.text(of: "docs/checks.md")
    let reference = try Self.text(of: "docs/language/errors.md")
    var found: Set<String> = []
    let sources = URL(filePath: Page.root + "/Sources").path
    for file in try FileManager.default.subpathsOfDirectory(atPath: sources)
    where file.hasSuffix(".swift") {
      let text = try Self.text(of: "Sources/" + file)
      for match in text.matches(of: #/"(W[0-9]{3})"/#) { found.insert(String(match.1)) }
    }
    #expect(found.count >= 8)
    for id in found.sorted() {
      #expect(page.contains("\n## \(id): "), "\(id)")
      #expect(page.contains("[\(id)]\n"), "\(id)")
      #expect(Self.row(of: id, in: reference) != nil, "\(id)")
    }
  }

  /// Every documented limit is exercised by a test.
  @Test func everyLimitNamesItsTest() throws {
    let page = try Self.text(of: "docs/language/errors.md")
    let section = try #require(page.split(separator: "\n## Limits\n").last)
    let rows = section.split(separator: "\n## ").first?.split(separator: "\n").filter {
      $0.hasPrefix("| ") && !$0.hasPrefix("| |")
    }
    var tests = ""
    for file in try FileManager.default.subpathsOfDirectory(atPath: Page.root + "/Tests")
    where file.hasSuffix(".swift") {
      tests += try Self.text(of: "Tests/" + file)
    }
    #expect((rows?.count ?? 0) >= 12)
    for row in rows ?? [] {
      let names = row.split(separator: "|").last?.matches(of: #/`([A-Za-z0-9]+)`/#) ?? []
      #expect(!names.isEmpty, "\(row)")
      for name in names {
        let exists = tests.contains("func \(name.1)(")
        #expect(exists, "\(name.1)")
      }
    }
  }

  @Test func everyCommandIsThereWithItsFlags() throws {
    let page = try Self.text(of: "docs/cli.md")
    let sandbox = try Sandbox()
    let help = try sandbox.run("help").out
    var commands: [String] = []
    var isBelow = false
    for line in help.split(separator: "\n") {
      if !line.hasPrefix("  ") {
        isBelow = line.hasPrefix("Commands for ")
      } else if isBelow, !line.hasPrefix("   ") {
        commands.append(String(line.dropFirst(2).prefix { $0 != "," && $0 != " " }))
      }
    }
    #expect(commands.count >= 30)
    for command in commands {
      #expect(page.contains("`\(command)`") || page.contains("`\(command) "), "\(command)")
      for match in try sandbox.run("help", command).out.matches(of: #/--[a-z-]+[a-z]/#) {
        let flag = match.0
        #expect(page.contains("`\(flag)`") || page.contains("`\(flag) "), "\(command) \(flag)")
      }
    }
  }
}
