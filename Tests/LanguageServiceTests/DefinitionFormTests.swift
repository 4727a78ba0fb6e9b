import CEL
import Catalog
import Engine
import FoundationEssentials
import LanguageService
import Program
import Source
import Testing

/// Forms of definitions: their parts, and changes that leave all other bytes alone.
@Suite struct DefinitionFormTests {
  private static func form(_ text: String, _ name: String? = nil) throws -> DefinitionForm {
    let catalog = DefinitionCatalog()
    catalog.add(SourceFile(name: "own.yaml", text: text), to: .user)
    let context = CompilationContext(catalog: catalog, environment: Environment(), verbs: .errand)
    return try DefinitionForm(text, name: name, context)
  }

  /// A text with comments, blank lines and an odd layout.
  private static let odd = """
    # Before all.
    entity: Stone
    properties: {name: string}
    ---
    shortcut:   odd   # a name

    title: 'Odd'
    parameters:
        tag: {type: string,  prompt: 'Which tag?'}   # asked
    steps:

    # the first
    - say:   "Hello, {{ tag }}"  # polite

    - {ask:  'Who?', as:   who}
    # about the block
    - if: who   ==   "Ada"
      then:
      - say: >
          Folded
          text.
      # the last inside
      - stop
      else: [{say: 'no'},   stop]

    - find: {entity: Link,
             where: '"a" in self.tags'}
      as: links
      # below it
    output: none   # nothing
    tests: []
    """

  @Test func hasTheStepsWithTheirFieldsAndNames() throws {
    let form = try Self.form(Self.odd, "odd")
    let cards = form.steps.cards
    #expect(cards.map(\.word) == ["say", "ask", "if", "find"])
    #expect(cards.map(\.title) == ["Say", "Ask", "If", "Find items"])
    #expect(cards[0].fields.map(\.text) == ["Hello, {{ tag }}"])
    #expect(cards[1].fields.map { "\($0.key)=\($0.text)" } == ["prompt=Who?", "type=", "@as=who"])
    #expect(cards[2].blocks.map(\.title) == ["Then", "Otherwise"])
    #expect(cards[2].blocks[0].cards.map(\.path) == ["steps.2.then.0", "steps.2.then.1"])
    let condition = try #require(cards[2].fields.first?.condition)
    #expect(condition == FormCondition(subject: "who", comparison: .equals, value: "Ada"))
    #expect(cards[3].names.map(\.name) == ["tag", "who"])
    let filter = try #require(cards[3].fields.first { $0.key == "where" }?.condition)
    #expect(filter == FormCondition(subject: "self.tags", comparison: .contains, value: "a"))
    #expect(form.inputs.map(\.word) == ["tag"])
  }

  /// A change and the lines that it gives and takes.
  private struct Edit: Sendable {
    let description: String
    let edit: @Sendable (DefinitionForm) throws -> DefinitionForm
    let removed: [String]
    let added: [String]

    init(
      _ description: String, removed: [String] = [], added: [String] = [],
      _ edit: @escaping @Sendable (DefinitionForm) throws -> DefinitionForm
    ) {
      (self.description, self.edit, self.removed, self.added) = (description, edit, removed, added)
    }
  }

  private static let edits = [
    Edit(
      "a text", removed: [#"- say:   "Hello, {{ tag }}"  # polite"#],
      added: ["- say:   '{{ tag }}!'  # polite"]
    ) { try $0.setting("steps.0", "text", to: "{{ tag }}!") },
    Edit(
      "a text with quotes", removed: [#"- say:   "Hello, {{ tag }}"  # polite"#],
      added: [#"- say:   'It''s "so": #1'  # polite"#]
    ) { try $0.setting("steps.0", "text", to: #"It's "so": #1"#) },
    Edit("the same text") { try $0.setting("steps.0", "text", to: "Hello, {{ tag }}") },
    Edit(
      "a second argument", removed: ["- {ask:  'Who?', as:   who}"],
      added: ["- {ask:  {prompt: 'Who?', type: int}, as:   who}"]
    ) { try $0.setting("steps.1", "type", to: "int") },
    Edit(
      "another name", removed: ["- {ask:  'Who?', as:   who}"],
      added: ["- {ask:  'Who?', as:   person}"]
    ) { try $0.setting("steps.1", "@as", to: "person") },
    Edit("a condition of a step", added: ["  when: who == \"Bob\""]) {
      try $0.setting(
        "steps.0", "@when",
        to: FormCondition(subject: "tag", comparison: .equals, value: "x")
      )
      .setting(
        "steps.0", "@when", to: FormCondition(subject: "", comparison: .equals, value: "")
      )
      .setting("steps.3", "@when", to: "who == \"Bob\"")
    },
    Edit(
      "the condition of a block", removed: ["- if: who   ==   \"Ada\""],
      added: ["- if: '!who'"]
    ) {
      try $0.setting(
        "steps.2", "@if", to: FormCondition(subject: "who", comparison: .isFalse, value: ""))
    },
    Edit(
      "a filter", removed: ["         where: '\"a\" in self.tags'}"],
      added: ["         where: tag in self.tags}"]
    ) {
      try $0.setting(
        "steps.3", "where",
        to: FormCondition(subject: "self.tags", comparison: .contains, value: "{{ tag }}"))
    },
    Edit(
      "no filter", removed: ["- find: {entity: Link,", "         where: '\"a\" in self.tags'}"],
      added: ["- find: {entity: Link}"]
    ) { try $0.setting("steps.3", "where", to: "") },
    Edit(
      "a type", removed: ["    tag: {type: string,  prompt: 'Which tag?'}   # asked"],
      added: ["    tag: {type: url,  prompt: 'Which tag?'}   # asked"]
    ) { try $0.setting("parameters.#0", "@type", to: "url") },
    Edit(
      "a question", added: ["    day: {type: date, prompt: Until which day?}"]
    ) { try $0.adding(question: "Until which day?", type: "date") },
    Edit("a title", removed: ["title: 'Odd'"], added: ["title: Even"]) {
      try $0.setting("", "@title", to: "Even")
    },
    Edit("a description", added: ["description: It is."]) {
      try $0.setting("", "@description", to: "It is.")
    },
    Edit("a step at the end", added: ["- say: {}"]) { try $0.adding("say", to: "steps") },
    Edit("a step in lines", added: ["  - notify: {}"]) {
      try $0.adding("notify", to: "steps.2.then")
    },
    Edit(
      "a step in brackets", removed: ["  else: [{say: 'no'},   stop]"],
      added: ["  else: [{say: 'no'},   stop, {say: {}}]"]
    ) { try $0.adding("say", to: "steps.2.else") },
    Edit("a branch", added: ["  elif:", "    - if: ''", "      then: []"]) {
      try $0.adding(branch: "elif", to: "steps.2")
    },
    Edit("no branch", removed: ["  else: [{say: 'no'},   stop]"]) {
      try $0.removing("steps.2.else")
    },
    Edit("no step", removed: ["# the first", #"- say:   "Hello, {{ tag }}"  # polite"#]) {
      try $0.removing("steps.0")
    },
    Edit("no last step inside", removed: ["  # the last inside", "  - stop"]) {
      try $0.removing("steps.2.then.1")
    },
    Edit(
      "no step in brackets", removed: ["  else: [{say: 'no'},   stop]"], added: ["  else: [stop]"]
    ) { try $0.removing("steps.2.else.0") },
    Edit(
      "another order in brackets", removed: ["  else: [{say: 'no'},   stop]"],
      added: ["  else: [stop,   {say: 'no'}]"]
    ) { try $0.moving("steps.2.else.0", by: 1).form },
    Edit(
      "no input",
      removed: ["parameters:", "    tag: {type: string,  prompt: 'Which tag?'}   # asked"]
    ) {
      try $0.removing("parameters.#0")
    },
    Edit(
      "a name in use", removed: [#"- say:   "Hello, {{ tag }}"  # polite"#],
      added: ["- say:   'Hello, {{ tag }} {{ tag }}'  # polite"]
    ) { try $0.using("tag", in: "steps.0", "text") },
    Edit(
      "a test", removed: ["tests: []"],
      added: [
        "tests:", "  - parameters: {tag: '1'}", "    expect: {dialog: [Hello], output: null}",
      ]
    ) {
      try $0.adding(
        test: #"{"parameters": {"tag": "1"}, "expect": {"dialog": ["Hello"], "output": null}}"#)
    },
  ]

  @Test(arguments: edits.indices)
  func changesOnlyItsLines(_ index: Int) throws {
    let edit = Self.edits[index]
    let old = Self.odd.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let text = try edit.edit(Self.form(Self.odd, "odd")).text
    let new = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var (removed, added): ([String], [String]) = ([], [])
    for change in new.difference(from: old) {
      switch change {
      case .insert(_, let line, _): added.append(line)
      case .remove(_, let line, _): removed.insert(line, at: 0)
      }
    }
    #expect(removed == edit.removed, "\(edit.description)")
    #expect(added == edit.added, "\(edit.description)")
  }

  @Test func aMovedStepTakesItsComments() throws {
    let (form, path) = try Self.form(Self.odd, "odd").moving("steps.3", by: -2)
    #expect(path == "steps.1")
    #expect(form.steps.cards.map(\.word) == ["say", "find", "ask", "if"])
    #expect(
      form.text.contains(
        """
            - find: {entity: Link,
                     where: '"a" in self.tags'}
              as: links
              # below it
            - {ask:  'Who?', as:   who}
        """.replacing("\n    ", with: "\n").dropFirst(4)))
    // There and back again.
    #expect(try form.moving(path, by: 2).form.text == Self.odd)
    #expect(throws: FormProblem.self) { try form.moving("steps.9.then.0", by: 1) }
  }

  @Test func carriageReturnsStay() throws {
    let text = "shortcut: a\r\nsteps:\r\n  - say: A\r\n  - say: B\r\n"
    let form = try Self.form(text)
    #expect(try form.setting("steps.0", "text", to: "C").text == text.replacing("A", with: "C"))
    #expect(
      try form.adding("stop", to: "steps").text == text + "  - stop\r\n")
    #expect(
      try form.moving("steps.0", by: 1).form.text
        == "shortcut: a\r\nsteps:\r\n  - say: B\r\n  - say: A\r\n")
    #expect(try form.removing("steps.1").text == "shortcut: a\r\nsteps:\r\n  - say: A\r\n")
  }

  @Test func aDefinitionGrowsFromNothing() throws {
    var form = try Self.form("shortcut: links\ntitle: Links\nsteps: []\n")
    form = try form.adding(question: "Which tag?", type: "string")
    form = try form.adding("find", to: "steps")
    form = try form.setting(
      "steps.0", "where",
      to: FormCondition(subject: "self.tags", comparison: .contains, value: "{{ tag }}"))
    form = try form.adding("show", to: "steps")
    form = try form.using("links", in: "steps.1", "value")
    form = try form.adding("if", to: "steps")
    form = try form.adding("say", to: "steps.2.then")
    form = try form.setting("steps.2.then.0", "text", to: "One\nTwo")
    form = try form.setting(
      "steps.2", "@if", to: FormCondition(subject: "links", comparison: .isEmpty, value: ""))
    #expect(
      form.text == """
        shortcut: links
        title: Links
        parameters:
          tag: {type: string, prompt: Which tag?}
        steps:
          - find: {entity: Link, where: tag in self.tags}
            as: links
          - show: '{{ links }}'
          - if: size(links) == 0
            then:
              - say: |-
                  One
                  Two

        """)
    for index in [2, 1, 0] { form = try form.removing("steps.\(index)") }
    #expect(form.text.hasSuffix("\nsteps: []\n"))
  }

  @Test func whatItCannotExpressStays() throws {
    let text = """
      shortcut: odd
      steps:
        - unknown-thing: {a: 1}
        - exec: {shell: ls}
          retry: {times: 2}
        - http:
            url: https://a.example
            headers: {A: [1, {b: 2}]}

      """
    let form = try Self.form(text)
    let cards = form.steps.cards
    #expect(cards[0].source == "unknown-thing: {a: 1}" && cards[0].fields.isEmpty)
    #expect(cards[1].kept == ["retry"])
    let changed = try form.setting("steps.2", "url", to: "https://b.example")
    #expect(changed.text == text.replacing("a.example", with: "b.example"))
    #expect(throws: FormProblem.self) { try form.setting("steps.0", "a", to: "2") }
    #expect(throws: FormProblem.self) { try Self.form("shortcut: [") }
  }

  @Test func anAutomationHasItsTriggers() throws {
    var form = try Self.form("automation: friday\non: []\nsteps: []\n")
    form = try form.adding("at", to: "on")
    form = try form.setting("on.0", "@days", to: "fri")
    form = try form.adding("start", to: "on")
    form = try form.adding("find-by-tag", to: "steps")
    form = try form.setting("steps.0", "input", to: "swift")
    #expect(
      form.text == """
        automation: friday
        on:
          - at: '09:00'
            days: [fri]
          - start
        steps:
          - find-by-tag: swift

        """)
    #expect(form.triggers.map(\.title) == ["At a time of day", "When the computer starts"])
    form = try form.moving("on.1", by: -1).form.removing("on.1")
    #expect(form.triggers.map(\.word) == ["start"])
  }

  /// Expressions with the conditions that they are.
  static let conditions: [(String, FormCondition?)] = [
    ("a == 1", FormCondition(subject: "a", comparison: .equals, value: "1")),
    ("a != \"x y\"", FormCondition(subject: "a", comparison: .differs, value: "x y")),
    ("b in a", FormCondition(subject: "a", comparison: .contains, value: "{{ b }}")),
    ("a.contains('x')", FormCondition(subject: "a", comparison: .contains, value: "x")),
    ("size(a) > 0", FormCondition(subject: "a", comparison: .isFilled, value: "")),
    ("!a", FormCondition(subject: "a", comparison: .isFalse, value: "")),
    ("a > 1 && b", nil), ("f(a)", nil), ("unknown == 1", nil), ("a == \"\\\"\"", nil),
  ]

  @Test(arguments: conditions.indices)
  func aConditionIsReadWhereItIsOneComparison(_ index: Int) throws {
    let (expression, condition) = Self.conditions[index]
    let text = """
      shortcut: a
      parameters: {a: string, b: string}
      steps:
        - say: A
          when: '\(expression.replacing("'", with: "''"))'

      """
    let card = try #require(try Self.form(text).steps.cards.first)
    let field = try #require(card.fields.first { $0.key == "@when" })
    #expect(field.condition == condition && field.text == expression)
  }

  @Test func eachVerbAndBlockHasWords() {
    for name in VerbTable.errand.names() + Step.blocks.map({ $0[0].name }) + StepWords.triggers {
      #expect(StepWords.words(name) != nil, "\(name)")
    }
  }

  /// The shipped definitions.
  private static let shipped: [String] = ["shortcuts", "automations", "schemas/intents"].flatMap {
    folder in
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/" + folder)) ?? []
    return names.sorted().map { root + "/" + folder + "/" + $0 }
  }

  @Test(arguments: shipped.indices)
  func shippedDefinitionsKeepWhatIsNotChanged(_ index: Int) throws {
    let data = try Data(contentsOf: URL(filePath: Self.shipped[index]))
    let text = String(decoding: data, as: UTF8.self)
    guard let form = try? Self.form(text) else { return }
    let cards = form.cards
    #expect(!cards.isEmpty)
    for card in cards {
      #expect(card.source == nil, "\(card.path)")
      // There and back again.
      if let moved = try? form.moving(card.path, by: 1), moved.path != card.path {
        #expect(moved.form.text != text)
        #expect(try moved.form.moving(moved.path, by: -1).form.text == text, "\(card.path)")
      }
      for field in card.fields + card.others where !field.text.isEmpty {
        #expect(try form.setting(card.path, field.key, to: field.text).text == text)
        guard case .text = field.control,
          let changed = try? form.setting(card.path, field.key, to: "Zz: \"it's\" #1")
        else { continue }
        // All lines but those of the step are the same, and the step has the new text.
        let (old, new) = (Array(text.utf8), Array(changed.text.utf8))
        #expect(new.starts(with: old[..<card.range.lowerBound]), "\(card.path) \(field.key)")
        #expect(
          new.reversed().starts(with: old[card.range.upperBound...].reversed()),
          "\(card.path) \(field.key)")
        let after = try #require(changed.cards.first { $0.path == card.path })
        let texts = (after.fields + after.others).map { ($0.key, $0.text) }
        #expect(
          texts.first { $0.0 == field.key }?.1 == "Zz: \"it's\" #1", "\(card.path) \(field.key)")
        #expect(changed.cards.map(\.path) == cards.map(\.path))
      }
    }
  }
}
