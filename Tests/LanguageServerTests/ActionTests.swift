import CEL
import LanguageServer
import Testing

@Suite struct ActionTests {
  /// The changes that are offered for a range of a document.
  private func actions(_ session: Session, _ name: String, _ range: Value) throws -> [Value] {
    try session.request(
      "textDocument/codeAction",
      session.parameters(
        name, at: nil, ("range", range), ("context", .map(MapValue([("diagnostics", .list([]))])))
      )
    ).list ?? []
  }

  private func errors(_ session: Session, _ name: String) -> [Value] {
    (session.diagnostics[session.uri(name)] ?? []).filter { $0["severity"] == 1 }
  }

  /// The identity of a mistake, independent of its location.
  private func key(_ finding: Value) -> String {
    "\(finding["code"]?.string ?? "") \(finding["message"]?.string ?? "")"
  }

  @Test(arguments: Sample.all)
  func aSuggestedChangeMendsItsMistakeOrLeadsToTheNext(_ sample: Sample) throws {
    let session = try Session()
    session.open(sample.file, sample.text, language: "errand")
    for finding in errors(session, sample.file) {
      for action in try actions(session, sample.file, finding["range"] ?? .null) {
        guard action["diagnostics"]?[0] == finding else { continue }
        let edits = action["edit"]?["changes"]?[session.uri(sample.file)]?.list ?? []
        let text = TextDocument(sample.text).applying(edits)
        #expect(text != sample.text)
        let before = errors(session, sample.file).count { key($0) == key(finding) }
        session.replace(sample.file, text)
        let left = errors(session, sample.file).filter { key($0) == key(finding) }
        // The same words at a later place are the next mistake.
        let moved = left.first?["range"]?["start"]?.place != finding["range"]?["start"]?.place
        #expect(left.count < before || moved, "\(action["title"]?.string ?? ""):\n\(text)")
        session.replace(sample.file, sample.text)
      }
    }
  }

  /// Samples whose advice is code that no change of the text can place, with the reason.
  private static let exceptions = [
    "no-properties.yaml": "the properties are the author's to choose",
    "enum-without-values.yaml": "the values are the author's to choose",
    "two-kinds.yaml": "one of the two documents would have no steps",
    "unclosed-template.yaml": "a bracket within it is open, too",
  ]

  /// The samples whose advice names the replacement; each is repaired by a change.
  @Test func everyAdviceThatSpellsOutCodeHasAChange() throws {
    var without: [String] = []
    for sample in Sample.all {
      let session = try Session()
      session.open(sample.file, sample.text, language: "errand")
      let findings = session.diagnostics[session.uri(sample.file)] ?? []
      let suggesting = findings.filter { finding in
        let help = finding["message"]?.string?.split(separator: "\n").dropFirst().joined() ?? ""
        let code = #/(?:did you mean|write|add|remove|close it with|put a line) `[^`…]+`/#
        return help.contains(code)
      }
      for finding in suggesting {
        let found = try actions(session, sample.file, finding["range"] ?? .null)
        if Self.exceptions[sample.file] == nil,
          !found.contains(where: { $0["diagnostics"]?[0] == finding })
        {
          without.append("\(sample.file): \(finding["message"]?.string ?? "")")
        }
      }
    }
    #expect(without == [])
  }

  /// A text with a mistake in its last line, and the text after the first change that is offered.
  @Test(arguments: [
    ("shortcut: a\nsteps:\n\t- say: a\n", "shortcut: a\nsteps:\n  - say: a\n"),
    ("shortcut: a\nsteps:\n  - sleep: 5\n", "shortcut: a\nsteps:\n  - wait: 5s\n"),
    ("shortcut: a\nsteps:\n  - exec: ls -l\n", "shortcut: a\nsteps:\n  - exec: [ls, -l]\n"),
    ("shortcut: a\nsteps:\n  - paste:\n    as: x\n", "shortcut: a\nsteps:\n  - paste:\n"),
    (
      "shortcut: a\nsteps:\n  - find:\n      entity: Link\n      as: links\n",
      "shortcut: a\nsteps:\n  - find:\n      entity: Link\n    as: links\n"
    ),
    (
      "shortcut: a\nsteps:\n  - find: {entity: Link, first: true}\n    as: l\n"
        + "  - say: '{{ l.title }}'\n",
      "shortcut: a\nsteps:\n  - find: {entity: Link, first: true}\n    as: l\n"
        + "  - say: '{{ l.?title.orValue(\"\") }}'\n"
    ),
    ("shortcut: a\nsteps:\n  - print: Hi\n", "shortcut: a\nsteps:\n  - say: Hi\n"),
    (
      "shortcut: a\nsteps:\n  - say: '{{ \"n: \" + 3 }}'\n",
      "shortcut: a\nsteps:\n  - say: '{{ \"n: \" + string(3) }}'\n"
    ),
    ("shortcut: a\nsteps:\n  - say: a\nwhen_its_so: b\n", nil),
  ])
  func changeIsCodeThatAdviceSpellsOut(_ text: String, _ mended: String?) throws {
    let session = try Session()
    session.open("a.yaml", text, language: "errand")
    let lines = text.split(separator: "\n").count
    let range = session.range(
      TextPosition(line: 0, character: 0), TextPosition(line: lines, character: 0))
    let first = try actions(session, "a.yaml", range).first
    let edits = first?["edit"]?["changes"]?[session.uri("a.yaml")]?.list
    #expect(edits.map { TextDocument(text).applying($0) } == mended)
  }

  @Test func everyNameThatMayBeMeantIsOffered() throws {
    let session = try Session()
    session.open(
      "a.yaml", "shortcut: a\nsteps:\n  - sya: Hello\n  - find: {entity: Link, wehre: 'true'}\n")
    let range = session.range(
      TextPosition(line: 2, character: 5), TextPosition(line: 2, character: 5))
    let found = try actions(session, "a.yaml", range)
    #expect(found.map { $0["title"]?.string } == ["Change to `say`"])
    #expect(found.first?["isPreferred"] == true)
    #expect(found.first?["kind"] == "quickfix")
  }
}
