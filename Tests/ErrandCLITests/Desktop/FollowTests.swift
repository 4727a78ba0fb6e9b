import Links
import TestSupport
import Testing

@testable import ErrandCLI

/// `errand follow` and the addresses of Errand.
@Suite struct FollowTests {
  /// A library with a link, and a browser that records the addresses it opens.
  private func library() throws -> Sandbox {
    let sandbox = try Sandbox()
    try sandbox.write("#!/bin/sh\necho \"$1\" >> opened\n", to: "bin/browser", isProgram: true)
    sandbox.environment["BROWSER"] = sandbox.path + "/bin/browser"
    _ = try sandbox.run("save", "https://swift.org", "--title", "Swift")
    return sandbox
  }

  private func follow(_ sandbox: Sandbox, _ address: String, answer: String? = nil) throws
    -> ProgramRun
  {
    try sandbox.run(
      ["follow", address, "--quiet"] + (answer.map { ["--answer", "follow=\($0)"] } ?? []))
  }

  @Test func readsWithoutAQuestion() throws {
    let sandbox = try library()
    #expect(try follow(sandbox, "errand://search?q=swift").out.contains("https://swift.org"))
    #expect(try follow(sandbox, "errand://show/link:1").out.contains("https://swift.org"))
    #expect(try follow(sandbox, "errand://show/recent").out.contains("https://swift.org"))
    #expect(sandbox.read("opened") == nil)
  }

  @Test func asksBeforeItChanges() throws {
    let sandbox = try library()
    let save = "errand://run/save?url=https%3A%2F%2Fyaml.org&tags=a%2Cb&title=YAML+Home"
    let refused = try follow(sandbox, save)
    #expect(refused.status != 0 && refused.err.contains("Run save?"), "\(refused)")
    #expect(refused.err.contains("title: YAML Home") && refused.err.contains("https://yaml.org"))
    #expect(try follow(sandbox, save, answer: "no").status != 0)
    #expect(try sandbox.run("find", "links", "--count").out == "1\n")
    #expect(try follow(sandbox, save, answer: "yes").status == 0)
    let link = try sandbox.run(
      "get", "link:2", "--format", "{{ self.title }}: {{ self.tags.join(' ') }}"
    ).out
    #expect(link == "YAML Home: a b\n")
    #expect(try follow(sandbox, "errand://open/link:1").status != 0)
    #expect(sandbox.read("opened") == nil)
    #expect(try follow(sandbox, "errand://open/link:1", answer: "yes").status == 0)
    #expect(sandbox.read("opened") == "https://swift.org\n")
  }

  @Test func givesResultsBackOnlyAfterAQuestion() throws {
    let sandbox = try library()
    let address = "errand://search?q=swift&x-success=https%3A%2F%2Fapp.example%2Fdone%3Fid%3D7"
    let asked = try follow(sandbox, address)
    #expect(asked.status != 0 && asked.err.contains("The result goes to app.example."), "\(asked)")
    let alike = try follow(
      sandbox, "errand://search?q=swift&x-success=https://аррӏе.com/&x-error=https://apple.com/")
    #expect(
      alike.err.contains("The result goes to apple.com, xn--80ak6aa92e.com (аррӏе.com)."),
      "\(alike)")
    #expect(sandbox.read("opened") == nil)
    #expect(try follow(sandbox, address, answer: "yes").status == 0)
    let opened = try #require(sandbox.read("opened"))
    #expect(opened.hasPrefix("https://app.example/done?id=7&result="), "\(opened)")
    #expect(opened.contains("json=%5B%7B"))
    let failing =
      "errand://run/add-task?title=x&due=someday&x-error=https%3A%2F%2Fapp.example%2Foops"
    _ = try follow(sandbox, failing, answer: "yes")
    #expect(sandbox.read("opened")?.hasSuffix("https://app.example/oops?code=failed\n") == true)
  }

  @Test func readsAnAddressWhereAnItemIsWanted() throws {
    let sandbox = try library()
    let shared = try sandbox.run("share", "errand://open/link:1", "--quiet")
    #expect(shared.out.hasPrefix("https://errand.localhost/w/"), "\(shared)")
  }

  /// Addresses that must have no effect, each on its own.
  private static let hostile: [String] = {
    let effects = ["run/save?url=https://a.example", "run/add-task?title=x", "run/add-note?text=x"]
    let callbacks = [
      "javascript:alert(1)", "file:///etc/passwd", "errand://run/save?url=x", "data:text/html,x",
      "ftp://a.example",
      "https://", "//a.example", "https://a.example/\u{0}", "https://a b.example", "vbscript:x",
    ]
    let endings = [
      "%00", "%1B%5B2J", "%0D", "%E2%80%AE", "%E2%80%A8", "%C3", "%zz", "%", "%+1", "#x",
    ]
    var all = [
      "errand:", "errand://", "errand:x", "errand:/run", "errand://run/save?url=%",
      "errand://run/save?%3D=1", "errand://run/ save", "errand://run/sav", "errand://open/",
      "errand://show", "errand://search?x=1", "errand://search?q=a&x=1",
      "errand://run/save?url=https://a.example&x-success=", "errand:///", "errand://run",
      "errand://run/", "errand://open",
      "errand://x/y",
      "errand://search", "errand://search?q=", "errand://open/link:1/delete", "errand://run/save/x",
      "ERRAND://open/link:1", "errand://show/link:1?x=1", "errand://run/nothing",
      "errand://run/serve",
      "errand://run/delete?ref=link:1", "errand://run/undo", "errand://run/--yes",
      "errand://run/save?--yes=1",
      "errand://run/save?yes=1&url=https://a.example", "errand://run/save?url=a&url=b",
      "errand://run/../save",
      "errand://run/./x.yaml", "errand://run/%2Ftmp%2Fx.yaml",
      "errand://open/" + String(repeating: "a", count: 70_000),
      "errand://run/save?" + (0..<3_000).map { "a\($0)=1" }.joined(separator: "&"),
      "https://a.example", "file:///etc/passwd", "javascript:alert(1)", " errand://open/link:1",
    ]
    for effect in effects {
      all += callbacks.map { "errand://\(effect)&x-success=\($0)" }
      all += callbacks.map { "errand://\(effect)&x-cancel=\($0)" }
      all += endings.map { "errand://\(effect)\($0)" }
      all += endings.map { "errand://\(effect)&x-error=https://a.example/\($0)" }
      all += [
        "errand://\(effect)", "errand://\(effect)&x-success=https://evil.example",
        "errand://\(effect)&x-source=errand",
      ]
    }
    all += endings.flatMap {
      ["errand://open/link:1\($0)", "errand://search?q=a\($0)", "errand://\($0)"]
    }
    return all
  }()

  @Test func hostileAddressesDoNothingUnasked() throws {
    let sandbox = try library()
    #expect(Self.hostile.count >= 200)
    for address in Self.hostile {
      let run = try follow(sandbox, address)
      let isQuiet = (try? ErrandAddress(address)).map {
        if case .search = $0.action { true } else { false }
      }
      #expect(isQuiet == true || run.status != 0, "\(address): \(run)")
      #expect(
        !run.err.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E }, "\(address)")
    }
    #expect(sandbox.read("opened") == nil)
    #expect(try sandbox.run("find", "links", "--count").out == "1\n")
    #expect(try sandbox.run("find", "tasks", "--count").out == "0\n")
    #expect(try sandbox.run("find", "notes", "--count").out == "0\n")
  }

  @Test func desktopFilesAreWrittenAndRemoved() throws {
    let sandbox = try Sandbox([".config/Thunar/uca.xml": "<actions>\n</actions>\n"])
    #expect(try sandbox.run("desktop", "install").status == 0)
    #expect(try sandbox.run("desktop", "install").status == 0)
    let entry = try #require(sandbox.read(".local/share/applications/errand-address.desktop"))
    #expect(entry.contains("MimeType=x-scheme-handler/errand;") && entry.contains("follow %u"))
    #expect(sandbox.read(".config/Thunar/uca.xml")?.components("Send to Errand") == 2)
    try sandbox.write("some text\n", to: "note.txt")
    let script = "'.local/share/nautilus/scripts/Send to Errand' \"$PWD/note.txt\""
    #expect(try sandbox.shell(script).status == 0)
    #expect(try sandbox.run("inbox").out.contains("note.txt"))
    #expect(try sandbox.run("desktop", "remove").err == "Removed.\n")
    #expect(sandbox.read(".local/share/applications/errand.desktop") == nil)
    #expect(sandbox.read(".config/Thunar/uca.xml") == "<actions>\n</actions>\n")
  }

  @Test func menuDoesWhatWasChosen() throws {
    let sandbox = try library()
    try sandbox.write("#!/bin/sh\ngrep Swift\n", to: "bin/rofi", isProgram: true)
    #expect(try sandbox.run("desktop", "menu").status == 0)
    #expect(sandbox.read("opened") == "https://swift.org\n")
  }
}

extension String {
  /// The number of parts between occurrences of a text.
  fileprivate func components(_ text: String) -> Int {
    split(separator: text, omittingEmptySubsequences: false).count
  }
}
