import Items
import Source
import Testing
import YAML

@testable import Catalog

extension DefinitionCatalog {
  /// A catalog that knows some verbs.
  convenience init() { self.init(VerbWords(isVerb: isVerb)) }
}

/// Whether a word is a verb in these tests.
@Sendable func isVerb(_ word: String) -> Bool { ["say", "stop", "copy", "set"].contains(word) }

/// Returns `id line:column` of all problems in a text with one document.
func problems(_ text: String) -> [String] {
  let file = SourceFile(name: "t.yaml", text: text)
  do throws(Diagnostics) {
    _ = try Definition.parse(DocumentSlice.split(file)[0], verbs: VerbWords(isVerb: isVerb))
    return []
  } catch {
    return error.all.map {
      "\($0.id) \($0.span?.position.line ?? 0):\($0.span?.position.column ?? 0)"
    }
  }
}

@Suite struct DefinitionTests {
  @Test(arguments: [
    ("intent: a\ntitel: x\nsteps: [stop]\n", ["unknown-key 2:1"]),
    ("intent: A b\nsteps: [stop]\n", ["bad-name 1:9"]),
    ("entity: link\nproperties: {a: string}\n", ["bad-name 1:9"]),
    ("entity: Link\n", ["no-properties 1:9"]),
    ("entity: X\nproperties: {a: strin}\n", ["unknown-type 2:17"]),
    ("entity: X\nproperties: {a: {type: strin}}\n", ["unknown-type 2:24"]),
    ("entity: X\nproperties: {a: {type: enum}}\n", ["enum-without-values 2:24"]),
    ("entity: X\nproperties: {a: string, A: string}\n", ["bad-name 2:25"]),
    ("entity: X\nproperties: {aB: string, ab: string}\n", ["duplicate-name 2:26"]),
    ("entity: X\nproperties: {id: string}\n", ["reserved-name 2:14"]),
    ("entity: X\nidentity: b\nproperties: {a: string}\n", ["unknown-property 2:11"]),
    (
      "entity: X\nproperties: {a: string}\nqueries: {q: {sort: [-a, id, b]}}\n",
      ["unknown-property 3:30"]
    ),
    ("foo: x\n", ["no-kind 1:1"]),
    ("intnet: x\nsteps: []\n", ["no-kind 1:1"]),
    ("intent: a\nshortcut: b\nsteps: []\n", ["two-kinds 2:1"]),
    ("intent: a\n", ["no-steps 1:9"]),
    ("intent: stop\nsteps: [stop]\n", ["reserved-name 1:9"]),
    ("intent: a\nparameters: {x: {title: t}}\nsteps: [stop]\n", ["missing-type 2:14"]),
    ("intent: a\nsteps:\n  - say: a\n    copy: b\n", ["two-steps 4:5"]),
    ("intent: a\nsteps:\n  - if: true\n", ["missing-body 3:5"]),
    ("intent: a\nsteps:\n  - for: x\n    do: [stop]\n", ["missing-list 3:10"]),
    ("intent: a\nsteps:\n  - say: '{{ x'\n    when: true\n", []),
    ("intent: a\nsteps:\n  - menu: m\n", ["missing-options 3:5"]),
    ("intent: a\nsteps:\n  - try: [stop]\n", ["missing-body 3:5"]),
    ("intent: a\nsteps:\n  - say: x\n    onResume: never\n", ["invalid-value 4:15"]),
    ("shortcut: a\nmode: twice\nsteps:\n  - say: x\n", ["invalid-value 2:7"]),
    ("shortcut: a\nmode: single\nmax: 2\nsteps:\n  - say: x\n", ["missing-argument 3:6"]),
    ("shortcut: a\nmode: parallel\nmax: 0\nsteps:\n  - say: x\n", ["invalid-value 3:6"]),
    ("shortcut: a\ndurable: maybe\nsteps:\n  - say: x\n", ["wrong-type 2:10"]),
    ("intent: a\nsteps: [stop]\ndialog: {full: 'x {{ y'}\n", ["unclosed-template 3:19"]),
    ("intent: a\nvariables: {x: {type: int}}\nsteps: [stop]\n", ["unset-variable 2:23"]),
    ("intent: a\nsteps:\n  - say: x\n    as: it\n", ["reserved-name 4:9"]),
    ("shortcut: a\ninput: {type: string, from: [air]}\nsteps: [stop]\n", ["unknown-source 2:30"]),
    ("shortcut: a\nsteps: [stop]\ntests: [{name: x}]\n", ["test-without-expect 3:9"]),
  ])
  func everyMistakeIsLocated(text: String, expected: [String]) {
    #expect(problems(text) == expected)
  }

  @Test func allErrorsOfADocumentAreReported() {
    let found = problems(
      "intent: A\ntitel: x\nparameters: {x: {type: foo}}\nsteps:\n  - say: a\n    copy: b\n")
    #expect(found == ["bad-name 1:9", "unknown-type 3:24", "two-steps 6:5", "unknown-key 2:1"])
  }
}

@Suite struct DataTypeTests {
  @Test(arguments: [
    "string", "int?", "list<string>", "list<Link>?", "map<list<int>>", "Link", "any",
  ])
  func typesReadAsTheyAreWritten(text: String) {
    #expect(DataType.parse(text)?.description == text)
  }

  @Test(arguments: ["", "strin", "list<", "list<>", "int??", "link", "list<int", "map<a>"])
  func invalidTypesAreNil(text: String) {
    #expect(DataType.parse(text) == nil)
  }
}

@Suite struct TemplateTests {
  private func template(_ text: String) throws -> Template {
    let file = SourceFile(name: "t", text: "k: " + quoted(text) + "\n")
    let node = try DocumentSlice(whole: file).parse()
    return try Template(scalar: try #require(node.mapping?["k"]?.scalar))
  }

  private func quoted(_ text: String) -> String {
    "\""
      + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("\n", with: "\\n") + "\""
  }

  private func parts(_ text: String) throws -> [String] {
    try template(text).segments.map { segment in
      switch segment {
      case .text(let text): text
      case .expression(let source): "<\(source.text)>"
      }
    }
  }

  @Test(arguments: [
    ("a {{ b }} c", ["a ", "< b >", " c"]),
    ("{{ {'a': {'b': 1}}.a }}", ["< {'a': {'b': 1}}.a >"]),
    ("{{ '}}' + \"}}\" }}", ["< '}}' + \"}}\" >"]),
    ("{{ r'\\' }}x", ["< r'\\' >", "x"]),
    ("{{ '\\'}}' }}", ["< '\\'}}' >"]),
    ("{{ '''a'b}}''' }}", ["< '''a'b}}''' >"]),
    ("{{{{ x }}", ["{{ x }}"]),
    ("{{ xs.join('\n') }}", ["< xs.join('\\n') >"]),
    ("", []),
  ])
  func splits(text: String, expected: [String]) throws {
    #expect(try parts(text) == expected)
  }

  @Test func partsOfExpressionsHaveSpans() throws {
    let template = try template("a {{ \"x\" + bad }}")
    let sources = template.segments.compactMap { segment in
      if case .expression(let source) = segment { source } else { nil }
    }
    let source = try #require(sources.first)
    let start = try #require(source.text.range(of: "bad"))
    let offset = source.text.utf8.distance(from: source.text.startIndex, to: start.lowerBound)
    #expect(source.span(of: offset..<offset + 3).text == "bad")
  }

  @Test func anEmptyTemplateIsAnError() {
    #expect(throws: Diagnostic.self) { try template("a {{ }}") }
  }
}

extension String {
  fileprivate func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }
}
