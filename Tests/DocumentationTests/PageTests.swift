import Testing

/// The documents say what the program does.
@Suite struct PageTests {
  @Test(
    arguments: [
      "README.md", "docs/language.md", "docs/tutorial.md", "docs/cli.md", "docs/events.md",
      "docs/sharing.md", "docs/checks.md", "docs/mistakes.md",
    ])
  func everyExampleRunsAsThePageSays(_ path: String) throws {
    let mismatches = try Page(path).run()
    #expect(mismatches.isEmpty, "\(mismatches.joined(separator: "\n\n"))")
  }
}
