import Testing

/// Runs the examples of all pages.
@Suite struct PageTests {
  private static let pages =
    [
      "README.md", "docs/api.md", "docs/tutorial.md", "docs/cli.md", "docs/events.md",
      "docs/sharing.md", "docs/hub.md",
      "docs/checks.md", "docs/mistakes.md",
    ] + Page.languagePages

  @Test(arguments: pages)
  func everyExampleRunsAsThePageSays(_ path: String) throws {
    let mismatches = try Page(path).run()
    #expect(mismatches.isEmpty, "\(mismatches.joined(separator: "\n\n"))")
  }
}
