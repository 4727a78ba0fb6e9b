import CEL
import Catalog
import DefinitionTesting
import Engine
import FoundationEssentials
import JSON
import LanguageService
import Program
import Source
import Testing
import YAML

/// The JSON Schema of documents.
@Suite struct SchemaTests {
  /// The package folder.
  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }

  private static let files: [String] = [
    "schemas/entities", "schemas/intents", "shortcuts", "automations",
  ]
  .flatMap { folder in
    ((try? FileManager.default.contentsOfDirectory(atPath: root + "/" + folder)) ?? []).sorted()
      .map { folder + "/" + $0 }
  }

  private static func text(of path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: root + "/" + path)), as: UTF8.self)
  }

  private static let shipped = schema(of: "", isOpen: true)
  private static let closed = schema(of: "", isOpen: false)
  private static let beside = schema(of: own, isOpen: false)

  /// The schema beside definitions of one's own.
  private static func schema(of text: String, isOpen: Bool) -> Value {
    let catalog = DefinitionCatalog()
    catalog.add(SourceFile(name: "own.yaml", bytes: Array(text.utf8)), to: .user)
    let context = CompilationContext(catalog: catalog, environment: Environment(), verbs: .errand)
    return DocumentSchema(context, isOpen: isOpen).value
  }

  private static func problem(of text: String, with schema: Value) throws -> String? {
    let validator = SchemaValidator(schema)
    let file = SourceFile(name: "sample.yaml", bytes: Array(text.utf8))
    for slice in DocumentSlice.split(file) {
      if let problem = try validator.problem(of: slice.parse().plainValue) { return problem }
    }
    return nil
  }

  @Test(arguments: files)
  func acceptsShippedFiles(_ path: String) throws {
    let text = try Self.text(of: path)
    let first = path.hasPrefix("schemas") ? "../json" : "../schemas/json"
    #expect(text.hasPrefix("# yaml-language-server: $schema=\(first)/errand.schema.json\n"))
    #expect(try Self.problem(of: text, with: Self.shipped) == nil)
    #expect(try Self.problem(of: text, with: Self.closed) == nil)
  }

  /// The first line is for the project only: it names a path in it.
  @Test func builtInTextsLackTheFirstLine() {
    let catalog = DefinitionCatalog()
    let names = catalog.entityNames + catalog.actionNames
    #expect(names.count == Self.files.count)
    for name in names {
      #expect(catalog.source(of: name)?.contains("yaml-language-server") == false, "\(name)")
    }
  }

  @Test func hasEveryKeyAndVerb() throws {
    let schema = Self.shipped
    for kind in Definition.Kind.allCases {
      let keys = schema["definitions"]?[kind.rawValue]?["properties"]
      #expect(keys?.names == kind.keys.map(\.name))
    }
    let step = schema["definitions"]?["step"]?["properties"]
    for key in Step.blocks.joined() + Step.modifiers {
      #expect(step?[key.name]?["description"] != nil, "\(key.name)")
    }
    for name in VerbTable.errand.names() {
      let verb = try #require(VerbTable.errand.signature(named: name))
      let known = step?[name]
      #expect(known?["description"]?.text.contains("Value: ") == true, "\(name)")
      #expect(known?["properties"]?.names ?? [] == verb.arguments.map(\.name))
    }
  }

  private static let own = """
    entity: Book
    properties: {title: string, pages: 'int?', shelf: {type: enum, values: [here, there]}}
    ---
    intent: shelve
    description: Puts a book on its shelf.
    parameters:
      book: {type: Book, primary: true}
      high: {type: int, max: 9, description: How high.}
    steps: [{say: '{{ book }}'}]
    """

  @Test(arguments: [
    ("- say: Hello", nil), ("- {say: Hello, as: a, when: 1 < 2}", nil), ("- paste", nil),
    ("- say", "$.steps"), ("- asd fgh", "$.steps"), ("- as: links", "$.steps"),
    ("- {say: Hello, log: Hello}", "$.steps[0].log: enum"),
    ("- {say: Hello, wen: 1 < 2}", "$.steps[0].wen: enum"),
    ("- say: {txt: Hello}", "$.steps[0].say.txt: not allowed"),
    ("- exec: {command: [ls], shell: ls}", "$.steps[0].exec: oneOf"),
    ("- exec: {shell: 'ls {{ it }}'}", "$.steps[0].exec.shell: pattern"),
    ("- {if: 1 < 2}", "$.steps[0]: `then` is missing"),
    ("- {then: [{say: Hello}]}", "$.steps[0]: `if` is missing"),
    ("- {for: x, in: [1], parallel: 2, do: [{say: x}]}", nil),
    ("- parallel: {a: [{say: a}], b: [{say: b}]}", nil),
    ("- parallel: [{say: a}]", "$.steps[0]: anyOf"),
    ("- {try: [{say: a}], catch: [{on: network, do: [{say: b}]}]}", nil),
    ("- {say: a, retry: {times: 3, dely: 1s}}", "$.steps[0].retry.dely: not allowed"),
    ("- {find: {entity: Link, limit: '{{ 2 }}'}, as: string}", "$.steps[0].as: not"),
    ("- {http: {url: 'https://a.example', redirects: 99}}", "$.steps[0].http.redirects: maximum"),
    ("- shelve: '{{ it }}'", nil), ("- shelve: {book: '{{ it }}', high: 3}", nil),
    ("- shelve: {book: '{{ it }}', high: 10}", "$.steps[0].shelve.high: maximum"),
    ("- shelve: {bok: '{{ it }}'}", "$.steps[0].shelve.bok: not allowed"),
    ("- shelv: 3", "$.steps[0].shelv: not allowed"),
    ("- create: {entity: Book, set: {title: A, shelf: here}}", nil),
    ("- create: {entity: Book, set: {title: A, shelf: hre}}", "$.steps[0].create.set.shelf: anyOf"),
    ("- create: {entity: Bok}", "$.steps[0].create.entity: enum"),
    ("- run: {name: '{{ it }}', with: {a: 1}}", nil),
    ("- run: {name: shelve, with: {high: 3}}", nil),
    ("- run: {name: shelve, with: {hihg: 3}}", "$.steps[0].run.with.hihg: not allowed"),
    ("- run: shelv", "$.steps[0].run: anyOf"),
  ])
  func judgesSteps(_ step: String, _ problem: String?) throws {
    let text = "shortcut: sample\nsteps:\n  " + step
    let found = try Self.problem(of: text, with: Self.beside)
    #expect(found == nil ? problem == nil : problem.map { found?.hasPrefix($0) == true } == true)
    // The shipped schema allows definitions that it does not know.
    if step.contains("shelv") || step.contains("Book") {
      #expect(try Self.problem(of: text, with: Self.shipped) == nil)
    }
  }

  @Test(arguments: [
    ("shortcut: sample\nsteps: [{say: a}]\nstesp: []", "$.stesp: not allowed"),
    ("shortcutt: sample\nsteps: [{say: a}]", "$: oneOf"),
    ("shortcut: find\nsteps: [{say: a}]", "$.shortcut: not"),
    ("shortcut: sample", "$: `steps` is missing"),
    ("intent: a\nparameters: {n: integer}\nsteps: []", "$.parameters.n: anyOf"),
    ("intent: a\nparameters: {n: {type: enum}}\nsteps: []", "$.parameters.n: `values` is missing"),
    ("intent: a\nparameters: {n: {type: int, min: one}}\nsteps: []", "$.parameters.n.min: pattern"),
    ("entity: A\nproperties: {id: int}", "$.properties.id: not"),
    ("automation: a\non: [{every: {hours: 3}}]\nsteps: []", "$.on[0]: anyOf"),
    ("automation: a\non: {cron: 0 9 * * *}\nrequires: power\nsteps: []", nil),
    ("shortcut: a\ndurable: 'true'\nsteps: []", "$.durable: type"),
    ("shortcut: a\ninput: {from: clipboard}\nsteps: stop", nil),
    (
      "shortcut: a\nsteps: stop\ntests: [{answers: {it: [[a, b], c]}, expect: {output: 1}}]", nil
    ),
  ])
  func judgesDocuments(_ text: String, _ problem: String?) throws {
    #expect(try Self.problem(of: text, with: Self.shipped) == problem)
  }
}
