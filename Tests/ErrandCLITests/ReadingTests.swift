import TestSupport
import Testing

@testable import ErrandCLI

/// States of links: unread, read, archived, favourite.
@Suite struct ReadingTests {
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox()
    let lines = """
      {"url": "https://swift.org", "title": "Swift"}
      {"url": "https://rust-lang.org", "title": "Rust"}
      """
    _ = try sandbox.run("import", "-", input: lines)
    return sandbox
  }

  @Test(arguments: [
    (
      "unread", "Added to your reading list: Swift.", "One link to read.",
      "Removed from your reading list: Swift.",
      "Nothing to read."
    ),
    (
      "read", "Marked as read: Swift.", "One link you have read.",
      "No longer marked as read: Swift.",
      "No link is marked as read."
    ),
    (
      "archive", "Archived Swift.", "One link in the archive.", "Removed from the archive: Swift.",
      "The archive is empty."
    ),
    (
      "favourite", "Favourite: Swift.", "One favourite.", "No longer a favourite: Swift.",
      "No favourites."
    ),
  ])
  func aLinkIsMarkedListedAndUnmarked(
    _ name: String, _ marked: String, _ listed: String, _ unmarked: String, _ empty: String
  ) throws {
    let sandbox = try sandbox()
    #expect(try sandbox.run(name) == ProgramRun(err: empty + "\n"))
    #expect(
      try sandbox.run(name, "swift") == ProgramRun(out: "https://swift.org\n", err: marked + "\n"))
    #expect(try sandbox.run(name) == ProgramRun(out: "https://swift.org\n", err: listed + "\n"))
    #expect(
      try sandbox.run(name, "link:1", "--remove")
        == ProgramRun(out: "https://swift.org\n", err: unmarked + "\n"))
    #expect(try sandbox.run(name) == ProgramRun(err: empty + "\n"))
  }

  @Test func archivedLinksAreHidden() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("archive", "1", "2", "-q")
    #expect(try sandbox.run("recent").out == "")
    #expect(try sandbox.run("search", "swift").out == "")
    #expect(try sandbox.run("archive", "--jsonl", "-q").out.split(separator: "\n").count == 2)
    _ = try sandbox.run("undo")
    #expect(try sandbox.run("recent").out.split(separator: "\n").count == 2)
  }

  @Test func aLinkIsSavedToBeRead() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("save", "https://zig.org", "--unread", "-q")
    _ = try sandbox.run("save", "https://swift.org", "--unread", "-q")
    #expect(try sandbox.run("unread", "-q").out == "https://zig.org\nhttps://swift.org\n")
    _ = try sandbox.run("save", "https://zig.org", "-q")
    #expect(try sandbox.run("unread", "-q").out == "https://zig.org\nhttps://swift.org\n")
  }

  /// A store of an earlier release, and a file exported from one.
  @Test func todaysStoresAndExportsFollow() throws {
    let sandbox = try Sandbox()
    let old = """
      entity: Link
      identity: url
      properties:
        url: url
        title: {type: 'string?', search: 10}
        summary: {type: 'string?', search: 3}
        tags: {type: 'list<string>', default: [], search: 5, index: true}
        status: {type: enum, values: [queued, processing, ready, failed, archived], default: queued, index: true}
        problem: string?
        source: string?
        wrappedLink: url?
      """
    try sandbox.write(old, to: ".config/errand/link.yaml")
    _ = try sandbox.run("create", "link", "url=https://a.org", "status=archived")
    _ = try sandbox.run("create", "link", "url=https://b.org", "status=ready")
    _ = try sandbox.run(
      "create", "link", "url=https://c.org", "status=failed", "problem=gave 404 Not Found")
    let exported = try sandbox.run("export", "Link").out
    try sandbox.write("", to: ".config/errand/link.yaml")
    let format = [
      "--format",
      "{{ self.status }} {{ self.reading }} {{ self.favourite }} {{ self.pageState }} {{ self.problem }}",
    ]
    let states = """
      queued archived false \u{20}
      ready  false \u{20}
      queued  false unreachable gave 404 Not Found

      """
    let run = try sandbox.run(["get", "link:1", "link:2", "link:3"] + format)
    #expect(run.out == states, "\(run)")
    // A link whose page could not be fetched is shown again.
    #expect(try sandbox.run("recent", "-q").out.hasPrefix("https://c.org\n"))
    #expect(run.err.contains("errand: migrated Link"))
    _ = try sandbox.run("import", "-", "--store", "new.db", input: exported)
    #expect(
      try sandbox.run(["get", "link:1", "link:2", "link:3", "--store", "new.db"] + format).out
        == states)
  }
}
