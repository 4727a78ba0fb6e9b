import CEL
import ErrandKit
import FoundationEssentials
import JSON
import LanguageServer
import TestSupport
import Testing

/// Random edits and malformed messages: the server stays in sync with the text and keeps running.
@Suite struct FuzzTests {
  private static let pieces = [
    "\n", "  ", "- ", ": ", "{{ ", " }}", "'", "\"", "[", "]", "{", "}", "#", "---\n", "\r\n", "é",
    "𝒳",
    "say", "find", "steps:\n", "it", ".title", "when: ", "as: x\n", "&a ", "*a", "!", "|\n", "\t",
    "0",
  ]

  private static let methods = [
    "completion", "hover", "signatureHelp", "definition", "references", "documentSymbol",
    "foldingRange",
    "semanticTokens/full", "codeLens", "codeAction", "prepareRename", "documentHighlight",
    "formatting",
  ]

  /// Bytes of messages in which something is wrong.
  private static func malformed(_ generator: inout SeededGenerator) -> [UInt8] {
    let contents = [
      "{", "[]", "3", "null", "{\"id\":{}}", "{\"method\":\"textDocument/hover\",\"id\":1}",
      "{\"method\":\"textDocument/didChange\",\"params\":{\"textDocument\":{\"uri\":7}}}",
      "{\"method\":\"textDocument/didChange\",\"params\":[1]}",
      "{\"id\":1,\"method\":\"initialize\"}",
      "{\"method\":\"textDocument/didOpen\",\"params\":{}}", "{\"jsonrpc\":\"2.0\",\"result\":1}",
      "\u{FEFF}{}", "{\"method\":\"\\ud800\"}",
    ]
    let content = Array(generator.pick(contents).utf8)
    switch generator.next() % 4 {
    case 0: return Array("Content-Length: x\r\n\r\n".utf8)
    case 1: return Array("X: 1\r\n\r\n".utf8)
    default: return Array("Content-Length: \(content.count)\r\n\r\n".utf8) + content
    }
  }

  @Test func randomEditsAndMessagesLeaveTheServerInStep() throws {
    var generator = SeededGenerator(seed: 18)
    let edits = Amount.of("ERRAND_LSP_EDITS", quick: 800, whole: 100_000)
    var session = try Session()
    var model = TextDocument("")
    var memory: [Int] = []
    var count = 0
    while count < edits {
      if count % 200 == 0 {
        // Opens a new text, occasionally in a new session.
        if count % 2_000 == 0 { session = try Session() }
        let text = Sample.text(of: generator.pick(ShippedTests.files))
        model = TextDocument(text)
        session.open("fuzz.yaml", text, language: "errand")
        if count % 5_000 == 0 { memory.append(Self.residentKiB) }
      }
      count += 1
      var changes: [Value] = []
      for _ in 0...generator.next() % 2 {
        let start = place(&generator, model)
        let end = generator.chance(oneIn: 2) ? start : near(start, &generator)
        let text = generator.chance(oneIn: 3) ? "" : generator.pick(Self.pieces)
        model.replace(from: start, to: end, with: text, .utf16)
        changes.append(
          .map(MapValue([("range", session.range(start, end)), ("text", .string(text))])))
      }
      session.change("fuzz.yaml", changes)
      if generator.chance(oneIn: 10) {
        var reader = MessageReader()
        reader.append(Self.malformed(&generator))
        while let part = reader.next() { _ = session.server.take(part) }
      }
      if generator.chance(oneIn: 8) {
        let parameters = session.parameters(
          "fuzz.yaml", at: place(&generator, model),
          ("range", session.range(place(&generator, model), place(&generator, model))))
        _ = try? session.request("textDocument/" + generator.pick(Self.methods), parameters)
      }
      #expect(session.server.text(of: session.uri("fuzz.yaml")) == model.text)
      if count % 40 == 0 { try expectCheck(session, model.text) }
      // Diagnostics lie within the text.
      for finding in session.diagnostics[session.uri("fuzz.yaml")] ?? [] {
        let end = finding["range"]?["end"]?.place ?? TextPosition(line: -1, character: 0)
        #expect(end.line >= 0 && end.line < model.lineCount)
      }
    }
    // Nothing piles up.
    if let first = memory.dropFirst().first, let last = memory.last {
      #expect(last < first + 60_000, "\(memory)")
    }
  }

  /// Caches change nothing: the findings are those of a check without them.
  private func expectCheck(_ session: Session, _ text: String) throws {
    let errand = try Errand.open(
      Session.options(home: session.folder.path, folder: session.folder.path))
    let path = session.path("fuzz.yaml")
    let findings = try errand.check(text, at: path).filter { $0.place?.file == path }
    let told = session.diagnostics[session.uri("fuzz.yaml")] ?? []
    #expect(
      told.map { $0["message"]?.string ?? "" }
        == findings.map { $0.message + ($0.help.map { "\nhelp: \($0)" } ?? "") })
  }

  private func place(_ generator: inout SeededGenerator, _ text: TextDocument) -> TextPosition {
    TextPosition(
      line: Int(generator.next() % UInt64(text.lineCount + 1)),
      character: Int(generator.next() % 40))
  }

  private func near(_ place: TextPosition, _ generator: inout SeededGenerator) -> TextPosition {
    TextPosition(
      line: place.line + (generator.chance(oneIn: 6) ? 1 : 0),
      character: Int(generator.next() % 40))
  }

  /// The memory of this process (proc(5), `/proc/self/statm`).
  private static var residentKiB: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4 } ?? 0
  }
}
