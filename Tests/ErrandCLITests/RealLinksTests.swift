import FoundationEssentials
import TestSupport
import Testing

/// The main workflow on 125,722 real links.
@Suite(.enabled(if: RealLinks.areHere, "the real links (../shared/data/links) are not here"))
struct RealLinksTests {
  @Test func nothingIsLostAndEverythingWorks() throws {
    let sandbox = try Sandbox([
      ".config/errand/reading.yaml": """
      entity: Reading
      identity: link
      properties: {link: Link, rating: {type: int, default: 3}}
      display: {title: '{{ self.link }} ({{ self.rating }})'}
      ---
      intent: rate
      parameters: {link: Link, rating: {type: int, min: 1, max: 5}}
      steps:
        - create: {entity: Reading, onConflict: merge, set: {link: '{{ link }}', rating: '{{ rating }}'}}
      dialog: {full: 'Rated {{ it }}.'}
      """,
      "bin/browser": "#!/bin/sh\necho \"$1\" >> \"$HOME/opened\"\n",
    ])
    sandbox.environment["BROWSER"] = sandbox.path + "/bin/browser"
    _ = try sandbox.shell("chmod +x bin/browser")

    let imported = try sandbox.shell("gunzip -c '\(RealLinks.path)' | errand import -")
    // One link, `https:///events.deveel.org`, has no host: it is reported, not lost.
    #expect(imported.status == 1, "\(imported)")
    #expect(imported.err.contains("stdin:124510: `url`: it has no host\n"), "\(imported)")
    let summary = try #require(
      (imported.out + imported.err).split(separator: "\n").first { $0.hasPrefix("created") })
    let numbers = summary.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
    try #require(numbers.count == 4, "\(summary)")
    #expect(numbers[0] + numbers[1] + numbers[2] == numbers[3])
    #expect(numbers[2...] == [1, 125_722])
    let count = try sandbox.run("find", "Link", "--format", "{{ self.id }}").out.split(
      separator: "\n"
    ).count
    #expect(count == numbers[0])

    // Running it again adds no duplicates.
    let again = try sandbox.shell("gunzip -c '\(RealLinks.path)' | head -n 2000 | errand import -")
    #expect(
      "\(again.out)\(again.err)".contains("created 0, merged 2000, bad 0 of 2000 lines"), "\(again)"
    )

    let swift = try sandbox.run("search", "swift", "package", "manager", "--limit", "5")
    #expect(swift.status == 0)
    #expect(swift.out.split(separator: "\n").count == 5)
    let php = try sandbox.run(
      "find", "Link", "--where", "'php' in tags && createdAt < timestamp('2013-01-01T00:00:00Z')",
      "--limit", "50")
    #expect(php.out.contains("https://github.com/briannesbitt/Carbon\n"))
    #expect(try sandbox.run("recent", "--limit", "50").out.split(separator: "\n").count == 50)
    let shared = try sandbox.run("share", "https://github.com/briannesbitt/Carbon")
    #expect(shared.out.contains("/w/"), "\(shared)")
    #expect(try sandbox.run("open", String(shared.out.dropLast())).status == 0)
    #expect(sandbox.read("opened") == "https://github.com/briannesbitt/Carbon\n")

    let shortcuts: [[String]] = [
      ["quick-share", "https://github.com/briannesbitt/Carbon"],
      ["search-and-share", "Carbon", "--answer", "link=1"],
      [
        "save-with-tags", "https://errand.example", "--answer", "title=New", "--answer", "tags=a,b",
      ],
      ["open-recent", "--answer", "link=New"],
      ["find-by-tag", "php", "--answer", "What now?=Done"],
      ["save-from-clipboard"],
    ]
    for words in shortcuts {
      let run = try sandbox.run(["run"] + words)
      #expect(run.status == 0, "\(words): \(run)")
    }
    #expect(sandbox.read("opened")?.hasSuffix("https://errand.example\n") == true)

    let rated = try sandbox.run("rate", "https://github.com/briannesbitt/Carbon", "5")
    #expect(rated.err == "Rated Carbon (5).\n", "\(rated)")
    #expect(try sandbox.run("find", "Reading", "--where", "rating > 4").out == "Carbon (5)\n")
  }
}

/// External data that may lie beside the project.
enum RealLinks {
  static let path: String = {
    var parts = #filePath.split(separator: "/").dropLast(4).map(String.init)
    parts += ["shared", "data", "links", "awesome.jsonl.gz"]
    return "/" + parts.joined(separator: "/")
  }()

  static let areHere = FileManager.default.isReadableFile(atPath: path)
}
