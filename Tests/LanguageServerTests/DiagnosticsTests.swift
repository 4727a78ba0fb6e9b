import CEL
import ErrandKit
import FoundationEssentials
import LanguageServer
import TestSupport
import Testing

/// A sample of `docs/mistakes.md` with the mistakes that the page shows of it.
struct Sample: Sendable, CustomTestStringConvertible {
  let file: String
  let text: String
  /// Line, column, severity, message and code, as `errand check` prints them.
  let lines: [String]

  var testDescription: String { file }

  static let root: String = {
    let folders = #filePath.split(separator: "/").dropLast(3)
    return "/" + folders.joined(separator: "/")
  }()

  static func text(of path: String) -> String {
    (try? String(contentsOfFile: root + "/" + path, encoding: .utf8)) ?? ""
  }

  /// The samples of the page that get a mistake.
  static let all: [Sample] = {
    let page = text(of: "docs/mistakes.md")
    var samples: [Sample] = []
    for match in page.matches(of: #/```yaml file=(\S+) wrong\n((?s:.*?))```/#) {
      let file = String(match.1)
      let shown = page.split(separator: "\n").filter {
        $0.hasPrefix(file + ":") && $0.hasSuffix("]")
      }
      samples.append(
        Sample(
          file: file, text: String(match.2),
          lines: shown.map { String($0.dropFirst(file.count + 1)) }))
    }
    return samples
  }()

  /// All files of the page, since some have to do with others.
  static let files: [String: String] = {
    var files: [String: String] = [:]
    for match in text(of: "docs/mistakes.md").matches(of: #/```yaml file=(\S+).*\n((?s:.*?))```/#) {
      files[String(match.1)] = String(match.2)
    }
    return files
  }()
}

@Suite struct DiagnosticsTests {
  @Test func thePageHasItsSamples() { #expect(Sample.all.count > 60) }

  @Test(arguments: Sample.all)
  func everyMistakeIsToldAsOnThePage(_ sample: Sample) throws {
    let session = try Session()
    session.open(sample.file, sample.text, language: "errand")
    let found = session.diagnostics[session.uri(sample.file)] ?? []
    let lines = found.map { finding in
      let start = finding["range"]?["start"]?.place ?? TextPosition(line: 0, character: 0)
      let message = finding["message"]?.string?.split(separator: "\n").first ?? ""
      let severity = finding["severity"] == 1 ? "error" : "warning"
      return "\(start.line + 1):\(start.character + 1): \(severity): \(message) "
        + "[\(finding["code"]?.string ?? "")]"
    }
    #expect(lines == sample.lines)
  }

  @Test(arguments: Sample.all)
  func everyMistakeHasTheRangeOfACheck(_ sample: Sample) throws {
    let session = try Session()
    session.open(sample.file, sample.text, language: "errand")
    let found = session.diagnostics[session.uri(sample.file)] ?? []
    let errand = try Errand.open(
      Session.options(home: session.folder.path, folder: session.folder.path))
    let findings = try errand.check(sample.text, at: session.path(sample.file))
    let text = TextDocument(sample.text)
    #expect(found.count == findings.count)
    for (diagnostic, finding) in zip(found, findings) {
      #expect(diagnostic["code"]?.string == finding.code)
      let start = diagnostic["range"]?["start"]?.place ?? TextPosition(line: 0, character: 0)
      let end = diagnostic["range"]?["end"]?.place ?? TextPosition(line: 0, character: 0)
      #expect(
        text.offset(of: start, .utf16)..<text.offset(of: end, .utf16) == finding.place?.bytes)
      #expect(
        diagnostic["message"]?.string
          == finding.message + (finding.help.map { "\nhelp: \($0)" } ?? ""))
    }
  }

  @Test func aKeystrokePutsAMistakeRightAndWrong() throws {
    let session = try Session()
    session.open("a.yaml", "shortcut: a\nsteps:\n  - sya: Hello\n  - tell: x\n")
    #expect(session.diagnostics[session.uri("a.yaml")]?.count == 2)
    session.edit(
      "a.yaml", TextPosition(line: 2, character: 4), TextPosition(line: 2, character: 7), "say")
    #expect(
      session.diagnostics[session.uri("a.yaml")]?.map { $0["code"]?.string } == ["unknown-step"])
    session.edit(
      "a.yaml", TextPosition(line: 3, character: 0), TextPosition(line: 4, character: 0), "")
    #expect(session.diagnostics[session.uri("a.yaml")] == [])
    session.notify("textDocument/didClose", session.parameters("a.yaml"))
    #expect(session.diagnostics[session.uri("a.yaml")] == [])
  }

  @Test func aChangedTypeIsSeenByWhatWasCheckedBefore() throws {
    let text = """
      shortcut: a
      parameters: {name: string}
      steps:
        - find: {entity: Link, where: 'self.url.contains(vars.name)'}
        - find: {entity: Link, where: 'problem != "x"'}
          as: links
        - set: {problem: 1}
        - say: '{{ name.trim() }} {{ links.size() }}'
          when: problem != "x"
      """
    func errors(_ session: Session) -> [Value] {
      (session.diagnostics[session.uri("a.yaml")] ?? []).filter { $0["severity"] == 1 }
    }
    let session = try Session()
    session.open("a.yaml", text)
    let first = errors(session)
    #expect(first.count == 1)
    session.replace("a.yaml", text.replacing("problem: 1", with: "problem: y"))
    #expect(errors(session) == [])
    session.replace("a.yaml", text.replacing("{name: string", with: "{name: int"))
    #expect(errors(session).count > 1)
    session.replace("a.yaml", text)
    #expect(errors(session) == first)
  }

  @Test func filesThatAreNotErrandsAreLeftAlone() throws {
    let session = try Session()
    session.open("compose.yaml", "services:\n  web: {image: nginx}\n")
    #expect(session.diagnostics[session.uri("compose.yaml")] == nil)
    session.open("other.yaml", "services:\n", language: "errand")
    #expect(session.diagnostics[session.uri("other.yaml")]?.isEmpty == false)
  }

  @Test func anEditedFileCountsForTheOthers() throws {
    let greet = "intent: greet\nparameters: {name: string}\nsteps:\n  - say: 'Hello, {{ name }}.'\n"
    let session = try Session([".config/errand/greet.yaml": greet])
    session.open(".config/errand/caller.yaml", "shortcut: caller\nsteps:\n  - greet: {nome: Ada}\n")
    let caller = session.uri(".config/errand/caller.yaml")
    #expect(session.diagnostics[caller]?.map { $0["code"]?.string } == ["unknown-parameter"])
    session.open(".config/errand/greet.yaml", greet.replacing("name", with: "nome"))
    session.rest()
    #expect(session.diagnostics[caller] == [])
    session.notify("textDocument/didClose", session.parameters(".config/errand/greet.yaml"))
    session.rest()
    #expect(session.diagnostics[caller]?.count == 1)
  }
}
