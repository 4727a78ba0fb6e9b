import ErrandKit
import Testing

/// Definitions: listing, checking, testing and trust.
@Suite struct DefinitionTests {
  private let home: Home

  init() throws { home = try Home() }

  @Test func listsAvailableDefinitions() throws {
    let errand = try home.open(["mine.yaml": "shortcut: mine\ndescription: Mine.\nsteps: []"])
    let mine = errand.definitions.first { $0.name == "mine" }
    #expect(mine?.kind == "shortcut")
    #expect(mine?.description == "Mine.")
    #expect(mine?.origin == "your own")
    #expect(errand.definitions.contains { $0.kind == "entity" && $0.name == "Link" })
    try home.write("shortcut: more\nsteps: []", to: ".config/errand/more.yaml")
    #expect(!errand.definitions.contains { $0.name == "more" })
    try errand.reload()
    #expect(errand.definitions.contains { $0.name == "more" })
  }

  @Test func describesADefinition() throws {
    let errand = try home.open([
      "fetch.yaml": """
      intent: fetch
      title: Fetch a page
      phrases: ['fetch {page}']
      parameters:
        page: {type: url, description: The page.}
        depth: {type: int, min: 1, max: 3, default: 2}
        form: {type: enum, values: [text, html], default: text}
        tags: list<string>?
      returns: string
      steps: [{http: {url: 'https://api.example.com/{{ depth }}'}}, {value: ''}]
      """
    ])
    let fetch = try errand.definition("fetch")
    #expect(fetch.title == "Fetch a page")
    #expect(fetch.phrases == ["fetch {page}"])
    #expect(fetch.parameters.map(\.type) == ["url", "int", "enum", "list<string>?"])
    #expect(fetch.parameters.map(\.isRequired) == [true, false, false, false])
    #expect(
      fetch.parameters[1].schema == [
        "type": "integer", "minimum": 1.0, "maximum": 3.0, "default": 2,
      ])
    #expect(fetch.parameters[2].schema["enum"] == ["text", "html"])
    #expect(fetch.parameterSchema["required"] == ["page"])
    #expect(fetch.resultSchema == ["type": "string"])
    #expect(fetch.capabilities == ["http:api.example.com"])
    #expect(!fetch.isForeign && fetch.isAllowed && fetch.source.hasPrefix("intent: fetch"))
    #expect(try errand.definition("save").mayChange)
    #expect(try !errand.definition("recent").mayChange)
    let link = try errand.definition("Link")
    #expect(link.summary.kind == "entity")
    #expect(link.parameters.first { $0.name == "url" }?.isRequired == true)
    let error = #expect(throws: ErrandError.self) { try errand.definition("svae") }
    #expect(error?.code == "not-found")
  }

  @Test func describesItemsAsResults() throws {
    let errand = try home.open([
      "newest.yaml": "intent: newest\nreturns: list<Link>?\nsteps: [{value: null}]"
    ])
    let list = try #require(try errand.definition("newest").resultSchema?["anyOf"]?.array)
    #expect(list[1] == ["type": "null"])
    let link = list[0]["items"]
    #expect(link?["required"] == ["entity", "id", "ref"])
    #expect(link?["properties"]?["entity"] == ["const": "Link"])
    #expect(link?["properties"]?["tags"] == ["type": "array", "items": ["type": "string"]])
  }

  @Test func findingsHavePositionAndReplacement() throws {
    let errand = try home.open()
    let text = "shortcut: mine\nstpes: []\nsteps: [{say: Hello}]\n"
    let finding = try #require(try errand.check(text, at: "/nowhere/mine.yaml").first)
    #expect(finding.code == "unknown-key")
    #expect(finding.severity == .error)
    #expect(finding.place?.file == "/nowhere/mine.yaml")
    #expect(finding.place?.bytes == 15..<20)
    #expect(finding.place?.line == 2)
    #expect(finding.place?.column == 1)
    #expect(finding.place?.endColumn == 6)
    #expect(finding.replacement == "steps" || finding.replacement == nil)
    try home.write(text, to: "mine.yaml")
    #expect(try errand.check([home.path + "/mine.yaml"]).map(\.code) == ["unknown-key"])
  }

  @Test func checksUnsavedTextOfAFile() throws {
    let errand = try home.open(["mine.yaml": "shortcut: mine\nsteps: [{say: Hello}]"])
    let path = home.path + "/.config/errand/mine.yaml"
    #expect(try errand.check("shortcut: mine\nsteps: [{sya: Hello}]", at: path).count == 1)
    #expect(try errand.check("shortcut: mine\nsteps: [{say: Hallo}]", at: path).isEmpty)
    #expect(try errand.check().filter { $0.severity == .error }.isEmpty)
  }

  @Test func runsTests() throws {
    let errand = try home.open([
      "double.yaml": """
      intent: double
      parameters: {n: int}
      steps: [{value: '{{ n * 2 }}'}]
      tests:
        - name: of two
          parameters: {n: 2}
          expect: {output: 4}
        - name: of three
          parameters: {n: 3}
          expect: {output: 7}
      """
    ])
    let outcomes = try errand.test(["double"])
    #expect(outcomes.map(\.name) == ["of two", "of three"])
    #expect(outcomes.map(\.failures.count) == [0, 1])
    #expect(outcomes[1].failures.first?.place?.line == 10)
    #expect(throws: ErrandError.self) { try errand.test(["nothing"]) }
  }

  @Test func trustAppliesToReviewedContent() throws {
    try home.write("shortcut: theirs\nsteps: [{exec: [date]}]", to: ".errand/theirs.yaml")
    let errand = try home.open()
    #expect(errand.problems.count == 1)
    #expect(!errand.definitions.contains { $0.name == "theirs" })
    let seen = try #require(try errand.project())
    #expect(seen.trust == .unknown)
    #expect(seen.files.count == 1)
    try home.write("shortcut: theirs\nsteps: [{exec: [date, -u]}]", to: ".errand/theirs.yaml")
    try errand.trust(seen)
    #expect(try errand.project()?.trust == .changed)
    try errand.trust(try #require(try errand.project()))
    try errand.reload()
    let theirs = try errand.definition("theirs")
    #expect(theirs.isForeign && !theirs.isAllowed)
    #expect(theirs.capabilities == ["exec:date"])
    let refused = try errand.start("theirs")
    let error = #expect(throws: ErrandError.self) {
      try refused.result { if $0.name == "confirm" { try refused.answer(false) } }
    }
    #expect(error?.code == "declined")
    try errand.allow("theirs")
    #expect(try errand.definition("theirs").isAllowed)
    #expect(try errand.start("theirs").result() != .null)
    #expect(errand.trustedPaths.contains(home.path + "/.errand"))
    #expect(try errand.distrust(home.path + "/.errand"))
    #expect(try !errand.distrust(home.path + "/.errand"))
    #expect(errand.trustedPaths.isEmpty)
    #expect(try errand.project()?.trust == .unknown)
  }

  @Test func setsSettingsAndSecrets() throws {
    let errand = try home.open()
    #expect(errand.settings.first { $0.name == "keepRuns" }?.origin == .default)
    try errand.set("keepRuns", to: "7d")
    #expect(errand.settings.first { $0.name == "keepRuns" }?.value == "7d")
    #expect(throws: ErrandError.self) { try errand.set("keepRuns", to: "soon") }
    #expect(throws: ErrandError.self) { try errand.set("keepRnus", to: "7d") }
    try errand.set("keepRuns", to: nil)
    #expect(errand.settings.first { $0.name == "keepRuns" }?.origin == .default)
    try errand.setSecret("token", to: "sesame")
    #expect(try errand.secretNames() == ["token"])
    #expect(throws: ErrandError.self) { try errand.setSecret("short", to: "abc") }
    #expect(throws: ErrandError.self) { try errand.setSecret("a b", to: "sesame") }
    try errand.setSecret("token", to: nil)
    #expect(throws: ErrandError.self) { try errand.setSecret("token", to: nil) }
  }
}
