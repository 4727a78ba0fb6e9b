import Source
import Testing

@testable import YAML

/// Parses the documents of a text, or returns their problems.
func parse(_ text: String, limits: Limits = .standard) -> [Result<Node, Diagnostics>] {
  DocumentSlice.split(SourceFile(name: "t.yaml", text: text)).map { slice in
    Result { () throws(Diagnostics) in try slice.parse(limits: limits) }
  }
}

/// Returns the ids, lines and columns of all problems in a text.
func problems(_ text: String, limits: Limits = .standard) -> [String] {
  parse(text, limits: limits).flatMap { result -> [String] in
    guard case .failure(let diagnostics) = result else { return [] }
    return diagnostics.all.map { diagnostic in
      let position = diagnostic.span?.position
      return "\(diagnostic.id) \(position?.line ?? 0):\(position?.column ?? 0)"
    }
  }
}

@Suite struct ParsingTests {
  @Test func nodesKeepOrderTextAndStyle() throws {
    let node = try #require(
      try parse("b: 1.10\na: 'x y'\nc:\n  - ''\n  - {k: v}\n").first?.get())
    let mapping = try #require(node.mapping)
    #expect(mapping.entries.map(\.key.text) == ["b", "a", "c"])
    #expect(mapping["b"]?.scalar?.text == "1.10")
    #expect(mapping["a"]?.scalar?.style == .singleQuoted)
    #expect(mapping["c"]?.sequence?.count == 2)
  }

  @Test(
    arguments: [
      ("on", false, nil), ("No", false, nil), ("yes", false, nil), ("true", false, true),
      ("False", false, false), ("~", true, nil), ("null", true, nil), ("", true, nil),
      ("'null'", false, nil), ("'true'", false, nil),
    ] as [(String, Bool, Bool?)])
  func coreSchema(text: String, isNull: Bool, bool: Bool?) throws {
    let scalar = try #require(try parse("k: \(text)").first?.get().mapping?["k"]?.scalar)
    #expect(scalar.isNull == isNull)
    #expect(scalar.bool == bool)
  }

  @Test func documentsAreParsedOneByOne() throws {
    let results = parse("a: 1\n---\nb: [\n---\nc: 3\n...\n# nothing\n---\n")
    #expect(results.count == 3)
    #expect(throws: Never.self) { try results[0].get() }
    #expect(throws: Diagnostics.self) { try results[1].get() }
    #expect(try results[2].get().mapping?["c"]?.scalar?.text == "3")
  }

  @Test func marksAreByteOffsets() throws {
    let text = "título: 'añ漢'\nx: {é: [1, two]}\n"
    let node = try #require(try parse(text).first?.get())
    let value = try #require(node.mapping?["título"]?.scalar)
    #expect(value.span.text == "'añ漢'")
    let list = try #require(node.mapping?["x"]?.mapping?["é"])
    #expect(list.span.text == "[1, two]")
  }

  @Test func byteOrderMarkIsSkipped() throws {
    let node = try #require(try parse("\u{FEFF}a: 1\n").first?.get())
    #expect(node.mapping?.entries.first?.key.text == "a")
    #expect(node.mapping?.entries.first?.key.span.text == "a")
  }

  @Test(arguments: [
    ("plain: a «b» c\n", "b"), ("single: 'it''s «b»'\n", "b"),
    ("double: \"a\\t\\u00e9 «b»\"\n", "b"),
    ("folded: >-\n  one\n  two «b»\n", "b"), ("literal: |\n  one\n    two «b»\n", "b"),
    ("multi: one\n  two «b»\n", "b"), ("quoted: 'one\n\n  two «b»'\n", "b"),
    ("escaped: \"one \\\n   two «b»\"\n", "b"),
  ])
  func partsOfScalarsHaveSpans(marked: String, wanted: String) throws {
    let text = marked.replacing("«", with: "").replacing("»", with: "")
    let start = marked.utf8.distance(
      from: marked.startIndex, to: marked.firstIndex(of: "«")!)
    let scalar = try #require(try parse(text).first?.get().mapping?.entries.first?.value.scalar)
    let inValue = try #require(Array(scalar.text.utf8).lastIndex(of: UInt8(ascii: "b")))
    #expect(scalar.span(of: inValue..<inValue + 1).range == start..<start + 1)
  }
}

@Suite struct ProblemTests {
  @Test(arguments: [
    ("a: 1\nb: 2\na: 3\n", ["duplicate-key 3:1"]),
    ("a: {x: 1, x: 2}\nb: 1\nb: 2\n", ["duplicate-key 1:11", "duplicate-key 3:1"]),
    ("<<: {a: 1}\n", ["yaml-merge-key 1:1"]),
    ("a: !!int 1\n", ["yaml-tag 1:4"]),
    ("if: !done\n", ["yaml-tag 1:5"]),
    ("url: {{ url }}\n", ["unquoted-template 1:6"]),
    ("say: Issue #5 is done\n", ["swallowed-comment 1:12"]),
    ("say: &hi there\n", ["unused-anchor 1:6"]),
    ("a: &x 1\nb: *x\n", []),
    ("a: *x\n", ["yaml-alias 1:4"]),
    ("a: x ? b : c\n", ["yaml-syntax 1:10"]),
    ("if: 'a' in tags\n", ["yaml-syntax 1:9"]),
    ("a: 'open\nb: 1\n", ["yaml-syntax 1:4"]),
    ("a: [1, 2\n", ["yaml-syntax 1:4"]),
    ("a: {b: [1, 2]\nc: 3\n", ["yaml-syntax 1:4"]),
    ("a: {b: 1\n", ["yaml-syntax 1:4"]),
    ("\ta: 1\n", ["yaml-syntax 1:1"]),
    ("[1]: 2\n", ["yaml-syntax 1:1"]),
    ("a: @home\n", ["yaml-syntax 1:4"]),
    ("a: b\u{0}c\n", ["invalid-utf8 1:5"]),
  ])
  func everyProblemIsLocated(text: String, expected: [String]) {
    #expect(problems(text) == expected)
  }

  @Test(arguments: [
    ("if: !done\n", "put it in quotes: if: '!done'"),
    ("  - if: 'a' in tags\n", "put the whole value in quotes: - if: \"'a' in tags\""),
    ("text: x ? a : b\n", "put the value in quotes: text: 'x ? a : b'"),
    ("url: {{ url }}\n", "put it in quotes: url: '{{ url }}'"),
    ("a: {in: ., match: *.jpg}\n", "put the value in quotes: a: {in: ., match: '*.jpg'}"),
    ("a: [@x, y]\n", "put the value in quotes: a: ['@x', y]"),
    ("a: {b: [x}\n", "close it with `]`: a: {b: [x]}"),
    ("a: {b: [x\nc: 1\n", "close it with `]`: a: {b: [x]}"),
    ("a: [1,\n  2\n", "close it with `]`"),
    ("a: 'open\n", "close it with `'`: a: 'open'"),
    ("a: \"\\d\"\n", "write the backslash twice, or put the text in single quotes"),
    ("- paste\n  as: x\n", "write `- paste:`"),
    ("a: 1\nsteps\n  - b\n", "write `steps:`"),
    ("a:\n  b: 1\n  - c: 2\n", "begin that line with a `-`, too: `- b: 1`"),
    ("a:\n    - b: 1\n  - c: 2\n", "begin both with the same number of spaces"),
    (
      "say: Issue #5 is done\n",
      """
      put the text in quotes: say: 'Issue #5 is done'
      or, if it is a comment, write a space after the `#`
      """
    ),
  ])
  func trapsShowTheCorrectedLine(text: String, help: String) throws {
    guard case .failure(let diagnostics) = parse(text)[0] else {
      Issue.record("parsed")
      return
    }
    #expect(diagnostics.all.first?.help == help)
  }

  @Test func twoHundredLevelsAreRejected() {
    let text = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    #expect(problems(text) == ["yaml-limit 1:101"])
    let blocks = (0..<200).map { String(repeating: " ", count: $0) + "a:" }.joined(separator: "\n")
    #expect(problems(blocks).first?.hasPrefix("yaml-limit ") == true)
  }

  @Test func billionLaughsIsRejected() {
    var text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
    for level in 1..<20 {
      let aliases = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(aliases)]\n"
    }
    #expect(problems(text).map { $0.prefix(10) } == ["yaml-limit"])
  }

  @Test func aliasesAreExpandedWithinLimits() throws {
    let node = try #require(try parse("a: &x [1, 2]\nb: *x\n").first?.get())
    #expect(node.mapping?["b"]?.sequence?.count == 2)
  }

  @Test func oversizedFileIsRejected() {
    var limits = Limits.standard
    limits.bytes = 10
    #expect(problems("a: 123456789\n", limits: limits) == ["yaml-limit 1:1"])
  }

  @Test func invalidUTF8IsLocated() {
    let file = SourceFile(name: "t.yaml", bytes: Array("a: x".utf8) + [0xC3, 0x28])
    #expect(throws: Diagnostics.self) { try DocumentSlice.split(file)[0].parse() }
  }
}
