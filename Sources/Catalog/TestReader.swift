import Source
import YAML

/// Parses the tests of a document (docs/language.md, “Tests”).
struct TestReader {
  let collector: DiagnosticCollector

  /// Parses a list of tests; reports their errors.
  func tests(_ node: Node) -> [TestDefinition] {
    if node.scalar?.isNull == true { return [] }
    guard let nodes = node.sequence else {
      let entry = node.mapping?.entries.first
      let name = entry.map {
        ["expect", "name"].contains($0.key.text) ? "" : "name: \($0.key.text), "
      }
      collector.report(
        "wrong-type", "`tests` must be a list of tests, not \(node.kindName)",
        at: entry?.key.span ?? node.span,
        help: "write `tests: [{\(name ?? "")expect: {…}}]`")
      return []
    }
    return nodes.enumerated().compactMap { position, node in test(node, position) }
  }

  private func test(_ node: Node, _ position: Int) -> TestDefinition? {
    guard var reader = DefinitionReader(node, what: "a test", collector) else { return nil }
    var test = TestDefinition(name: "test \(position + 1)", span: node.span)
    reader.read(TestDefinition.keys, into: &test)
    if let say = test.say, reader.mapping["name"] == nil { test.name = "“\(say.text)”" }
    let words = ["intent", "parameters"]
    for expectation in test.expectations
    where words.contains(expectation.subject.text) != (test.say != nil) {
      let names = test.say == nil ? TestDefinition.subjects.filter { !words.contains($0) } : words
      collector.report(
        "unknown-key",
        test.say == nil
          ? "`\(expectation.subject.text)` is expected of a sentence"
          : "a sentence has no `\(expectation.subject.text)`",
        at: expectation.subject.span,
        help: test.say == nil
          ? "add `say:` with a sentence" : "expect \(names.joined(separator: " and "))")
    }
    let expected = reader.mapping["expect"]
    let isOutside =
      expected == nil
      && reader.mapping.entries.contains { TestDefinition.runSubjects.contains($0.key.text) }
    if !isOutside, expected != nil || reader.lacks("expect"),
      expected?.mapping?.entries.isEmpty ?? (expected?.scalar?.isNull != false)
    {
      collector.report(
        "test-without-expect", "a test that expects nothing cannot fail", at: node.span,
        help: "add `expect:` with one of \(TestDefinition.runSubjects.joined(separator: ", "))")
    }
    reader.finish()
    return test
  }

  fileprivate func given(_ entry: Mapping.Entry) -> TestDefinition.Given? {
    guard let nodes = entry.value.sequence else {
      collector.report(
        "wrong-type", "`given` must list the items of each entity", at: entry.value.span,
        help: "write `\(entry.key.text): [{…}]`")
      return nil
    }
    let items = nodes.compactMap { node in
      if node.mapping == nil {
        collector.report(
          "wrong-type", "an item must be a mapping from properties to values", at: node.span)
      }
      return node.mapping
    }
    return TestDefinition.Given(entity: entry.key, items: items)
  }

  fileprivate func properties(_ key: String, _ reader: inout DefinitionReader) -> Mapping? {
    guard let node = reader.node(key) else { return nil }
    if node.mapping == nil {
      collector.report(
        "wrong-type",
        "`\(key)` must be a mapping from properties to values, not \(node.kindName)",
        at: node.span)
    }
    return node.mapping
  }

  fileprivate func expectation(_ entry: Mapping.Entry) -> TestDefinition.Expectation? {
    guard TestDefinition.subjects.contains(entry.key.text) else {
      collector.report(
        "unknown-key", "unknown expectation `\(entry.key.text)`", at: entry.key.span,
        help: Self.help(onSubject: entry)
          ?? Suggestion.help(for: entry.key.text, in: TestDefinition.subjects)
          ?? "one of \(TestDefinition.runSubjects.joined(separator: ", "))")
      return nil
    }
    return TestDefinition.Expectation(
      subject: entry.key, matcher: TestMatcher(entry.value, collector))
  }

  /// Advice on what is expected under another name; nil for other names.
  private static func help(onSubject entry: Mapping.Entry) -> String? {
    switch entry.key.text.lowercased() {
    case "tasks", "links", "notes":
      let name = entry.key.text.prefix(1).uppercased() + entry.key.text.dropFirst().dropLast()
      let count = entry.value.scalar.flatMap { Int($0.text) }
      return "write `store: {\(name): \(count.map { "{size: \($0)}" } ?? "[…]")}`"
    case "fails", "failure", "fail", "throws", "raises": return "write `error: {message: …}`"
    case "status", "exit", "exitcode", "code": return "write `error: {code: …}`"
    default: return nil
    }
  }

  // MARK: Fakes

  fileprivate func rules(
    _ key: String, _ reader: inout DefinitionReader, keys: [KeyDeclaration]
  ) -> [FakeRule]? {
    guard reader.node(key) != nil else { return nil }
    let keys = keys.map(\.name)
    return reader.entries(key).map { entry in
      let nodes = entry.value.sequence ?? [entry.value]
      if nodes.isEmpty {
        collector.report(
          "wrong-type", "`\(entry.key.text)` needs at least one reply", at: entry.value.span)
      }
      return FakeRule(
        pattern: entry.key, replies: nodes.compactMap { reply($0, of: key, keys: keys) })
    }
  }

  /// Parses a reply: a mapping of its parts, or a text for the default one.
  private func reply(_ node: Node, of fake: String, keys: [String]) -> FakeReply? {
    if let scalar = node.scalar {
      if scalar.text.isEmpty, scalar.isNull {
        collector.report(
          "wrong-type", "this fake of `\(fake)` has no reply", at: node.span,
          help: "write `''` for an empty one; a name with a comma takes quotes")
      }
      let key = Scalar(
        text: keys.contains("stdout") ? "stdout" : "text", style: .plain, span: scalar.span)
      return FakeReply(span: node.span, parts: [Mapping.Entry(key: key, value: node)])
    }
    guard var reader = DefinitionReader(node, what: "a reply of `\(fake)`", collector) else {
      return nil
    }
    for key in keys { _ = reader.node(key) }
    reader.finish()
    return FakeReply(span: node.span, parts: reader.mapping.entries)
  }

  fileprivate func texts(
    _ key: String, _ reader: inout DefinitionReader
  ) -> [(name: Scalar, text: Scalar)] {
    reader.entries(key).compactMap { entry in
      if let scalar = entry.value.scalar { return (entry.key, scalar) }
      collector.report("wrong-type", "`\(entry.key.text)` must be text here", at: entry.value.span)
      return nil
    }
  }
}

extension TestDefinition {
  /// Keys of a test.
  static let keys: [Key<Self>] = [
    Key("name", "Subject of the test.", .text { $0.name = $1 }),
    Key(
      "given", "Items in the store, by entity.",
      .entries(.list(of: .names(of: .value))) {
        $0.given = $1.compactMap(TestReader(collector: $2).given)
      }),
    Key("input", "Its input.", .value { $0.input = $1 }),
    Key("say", "A sentence to be understood.", .scalar { $0.say = $1 }),
    Key(
      "trigger", "Trigger of an automation.",
      .other(.keys { Trigger.keys }) { test, reader in
        guard let node = reader.mapping["trigger"] else {
          _ = reader.node("trigger")
          return
        }
        var trigger = Trigger(span: node.span)
        reader.readMapping("trigger", Trigger.keys, into: &trigger)
        if node.mapping != nil { test.trigger = trigger }
      }),
    Key(
      "parameters", "Values of parameters.",
      .entries(.value) { test, entries, _ in
        test.parameters = entries
      }),
    Key(
      "fake", "Fakes for the outside world.",
      .other(.keys { TestFakes.keys }) {
        $1.readMapping("fake", TestFakes.keys, into: &$0.fakes)
      }),
    Key(
      "answers", "Answers by question key.",
      .entries(
        .either([
          .list(of: .list(of: .text)),
          .mapping { [KeyDeclaration("once", .list(of: .list(of: .text)), "Answers given once.")] },
        ])
      ) { test, entries, _ in test.answers = entries }),
    Key("crashAfter", "Step after which the run is killed.", .scalar { $0.crashAfter = $1 }),
    Key(
      "expect", "Expectations by subject.", isRequired: true,
      .other(.mapping { subjects.map { KeyDeclaration($0, .value, "Expected value.") } }) {
        test, reader in
        if let node = reader.mapping["expect"], node.mapping == nil, node.scalar?.isNull != true {
          _ = reader.node("expect")
          let text = node.span.text
          let isShort = text.utf8.count <= 60 && !text.contains("\n")
          reader.collector.report(
            "wrong-type", "`expect` must say of what, not only \(node.kindName)", at: node.span,
            help: test.say == nil
              ? "write `expect: {output: \(isShort ? text : "…")}`, or `dialog:` for what it says"
              : "write `expect: {intent: \(isShort ? text : "…")}`"
          )
          return
        }
        test.expectations = reader.entries("expect").compactMap(TestReader(reader).expectation)
      }),
  ]
}

extension TestReader {
  fileprivate init(_ reader: DefinitionReader) { collector = reader.collector }
}

extension TestDefinition.Trigger {
  /// Keys of a test's trigger.
  static let keys: [Key<Self>] = [
    Key(
      "kind", "The kind of an entry of `on`.",
      .other(.text) { $0.kind = $1.scalar("kind") ?? $1.scalar("id") }),
    Key(
      "item", "The item, by its properties.",
      .other(.names(of: .value)) { $0.item = TestReader($1).properties("item", &$1) }),
    Key(
      "was", "Properties with another value before the change.",
      .other(.names(of: .value)) { $0.was = TestReader($1).properties("was", &$1) }),
    Key("path", "The path of a file.", .scalar { $0.path = $1 }),
    Key(
      "body", "The body of a request to a webhook.",
      .other(.value) { $0.body = $1.node("body") }),
    Key("time", "Time of the event.", .scalar { $0.time = $1 }),
    Key("answer", "The action chosen on its notification.", .scalar { $0.answer = $1 }),
    Key("id", "The id of an entry of `on`.", .other(.text) { _ = $1.node("id") }),
  ]
}

extension TestFakes {
  /// Keys of fakes.
  static let keys: [Key<Self>] = [
    Key("now", "Start time.", .scalar { $0.now = $1 }),
    rules("exec", "Programs, by patterns of command lines.", programKeys) { $0.exec = $1 },
    rules("http", "Servers, by patterns of addresses.", serverKeys) { $0.http = $1 },
    rules("files", "Files, by their paths.", fileKeys) { $0.files = $1 },
    texts("secrets", "Secrets, by their names.") { $0.secrets = $1 },
    texts("env", "Variables of the environment.") { $0.env = $1 },
    Key("clipboard", "Texts on the clipboard.", .texts { $0.clipboard = $1 }),
    Key("notifications", "Actions chosen on notifications.", .texts { $0.notifications = $1 }),
    Key("browser", "Whether a browser can open pages.", .bool { $0.browser = $1 }),
    Key("online", "Whether other machines can be reached.", .bool { $0.online = $1 }),
    Key("holidays", "Days on which nobody works.", .texts { $0.holidays = $1 }),
  ]

  private static let statusKey = KeyDeclaration("status", .int, "The status.")
  private static let delayKey = KeyDeclaration("delay", .text, "Delay of the reply.")
  private static let contentKeys: [KeyDeclaration] = [
    .init("text", .text, "The text."), KeyDeclaration("json", .value, "A value as JSON."),
    .init("base64", .text, "Bytes in Base64."),
    .init("fail", .text, "The code of an error."),
    .init("message", .text, "The message of an error."),
  ]
  private static let lineKey = KeyDeclaration("lines", .list(of: .text), "The lines of a text.")
  private static let programKeys =
    [
      statusKey, .init("signal", .int, "The signal that ends it."),
      .init("stdout", .text, "Standard output."),
      .init("stderr", .text, "Error output."), lineKey, delayKey,
    ] + contentKeys.dropFirst()
  private static let serverKeys =
    [statusKey, .init("headers", .names(of: .text), "The headers."), delayKey]
    + contentKeys
  private static let fileKeys =
    contentKeys + [lineKey, .init("modified", .text, "The time of its last change.")]

  private static func rules(
    _ name: String, _ summary: String, _ keys: [KeyDeclaration],
    store: @escaping @Sendable (inout Self, [FakeRule]?) -> Void
  ) -> Key<Self> {
    let reply = ValueForm.either([.text, .mapping { keys }])
    return Key(
      name, summary,
      .other(.names(of: .list(of: reply))) {
        store(&$0, TestReader($1).rules(name, &$1, keys: keys))
      })
  }

  private static func texts(
    _ name: String, _ summary: String,
    _ store: @escaping @Sendable (inout Self, [(name: Scalar, text: Scalar)]) -> Void
  ) -> Key<Self> {
    Key(name, summary, .other(.names(of: .text)) { store(&$0, TestReader($1).texts(name, &$1)) })
  }
}
