import ErrandKit
import TestSupport
import Testing

@testable import ErrandCLI

/// `errand browser-host` and `errand browser`.
@Suite struct BrowserHostTests {
  /// Sends messages to the program, and returns its answers.
  private func answers(_ sandbox: Sandbox, _ messages: [String]) throws -> [JSONValue] {
    var input: [UInt8] = []
    for message in messages {
      let bytes = Array(message.utf8)
      input += (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) } + bytes
    }
    return try answers(sandbox, input)
  }

  private func answers(_ sandbox: Sandbox, _ input: [UInt8]) throws -> [JSONValue] {
    try sandbox.write(bytes: input, to: "messages")
    let run = try sandbox.shell("errand browser-host < messages > answers")
    #expect(run.status == 0 && run.err.isEmpty, "\(run)")
    var rest = try FileReader.bytes(of: sandbox.path + "/answers", limit: 1 << 20)[...]
    var answers: [JSONValue] = []
    while rest.count >= 4 {
      let count = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      answers.append(
        try JSONValue(parsing: String(decoding: rest.dropFirst(4).prefix(count), as: UTF8.self)))
      rest = rest.dropFirst(4 + count)
    }
    return answers
  }

  @Test func sharesAreOnTheDiskAndImportedOnce() throws {
    let sandbox = try Sandbox()
    let share =
      #"{"share":{"url":"https://swift.org","title":"Swift","tags":["language"],"note":"Chapter 2","unread":true,"key":"k"}}"#
    let told = try answers(sandbox, [share])
    #expect(told.first?["ok"] == true)
    #expect(try sandbox.run("inbox", "drain").err == "Processed 1 share.\n")
    // The browser did not hear the answer, and sends it again.
    #expect(try answers(sandbox, [share]).first?["ok"] == true)
    #expect(try sandbox.run("inbox", "drain").status == 0)
    let link = try sandbox.run(
      "find", "links", "--format", "{{ self.title }} {{ self.tags.join(' ') }} {{ self.reading }}")
    #expect(link.out == "Swift language unread\n")
    #expect(try sandbox.run("find", "notes", "--format", "{{ self.text }}").out == "Chapter 2\n")
  }

  @Test func findsOnlyIfAllowed() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org", "--title", "Swift")
    let questions = [#"{"find":"swift"}"#, #"{"known":"https://swift.org"}"#]
    #expect(try answers(sandbox, questions).map { $0["ok"] } == [false, false])
    _ = try sandbox.run("settings", "set", "browserSearch", "on")
    let found = try answers(sandbox, questions + [#"{"known":"https://other.example"}"#])
    #expect(found[0]["items"]?.array?.first?["title"] == "Swift")
    #expect(found[1]["item"]?["ref"] == "link:1")
    #expect(found[2]["item"] == .null)
  }

  @Test func undoesWhatIsStillInTheInbox() throws {
    let sandbox = try Sandbox()
    let name = try #require(
      try answers(sandbox, [#"{"share":{"url":"https://swift.org"}}"#])[0]["share"]?.string)
    #expect(try answers(sandbox, [#"{"undo":"\#(name)"}"#])[0]["ok"] == true)
    #expect(try answers(sandbox, [#"{"undo":"\#(name)"}"#])[0]["ok"] == false)
    #expect(try sandbox.run("inbox").out == "")
  }

  @Test(arguments: [
    #"{"run":"enrich"}"#, "nonsense", "null", "[]", #"{"share":{}}"#,
    #"{"share":{"url":"javascript:1"}}"#,
    #"{"share":{"items":[{"title":"no address"}]}}"#,
  ])
  func refusesOtherMessages(_ message: String) throws {
    let sandbox = try Sandbox()
    let answer = try answers(sandbox, [message]).first
    #expect(answer?["ok"] == false && answer?["refused"] == true, "\(answer as Any)")
  }

  @Test func survivesDamagedMessages() throws {
    let sandbox = try Sandbox()
    #expect(try answers(sandbox, [UInt8]()).isEmpty)
    #expect(try answers(sandbox, [1, 0]).isEmpty)
    #expect(try answers(sandbox, [9, 0, 0, 0, 0x7B]).isEmpty)
    #expect(try answers(sandbox, [0xFF, 0xFF, 0xFF, 0xFF, 0])[0]["refused"] == true)
  }

  @Test func installsForTheBrowsersThatAreThere() throws {
    let sandbox = try Sandbox()
    let none = try sandbox.run("browser", "install")
    #expect(none.status == 1 && none.err.contains("no browser was used here yet"), "\(none)")
    _ = try sandbox.shell("mkdir -p .config/chromium .mozilla")
    #expect(try sandbox.run("browser", "install").err.hasPrefix("Installed for Firefox, Chromium."))
    let manifest = try #require(sandbox.read(".config/chromium/NativeMessagingHosts/errand.json"))
    let value = try JSONValue(parsing: manifest)
    let launcher = try #require(value["path"]?.string)
    #expect(launcher.hasSuffix("/.local/share/errand/browser-host"))
    #expect(try sandbox.run("browser", "remove").err == "Removed for Firefox, Chromium.\n")
    #expect(sandbox.read(".config/chromium/NativeMessagingHosts/errand.json") == nil)
  }
}
