import Source
import YAML

/// Reads the tests of a document (docs/language.md, “Tests”).
struct TestReader {
  let collector: DiagnosticCollector

  /// The tests of a list; what is wrong with their form is reported.
  func tests(_ node: Node) -> [TestDefinition] {
    if node.scalar?.isNull == true { return [] }
    guard let nodes = node.sequence else {
      collector.report("wrong-type", "`tests` must be a list of tests", at: node.span)
      return []
    }
    return nodes.enumerated().compactMap { position, node in test(node, position) }
  }

  private func test(_ node: Node, _ position: Int) -> TestDefinition? {
    guard var reader = DefinitionReader(node, what: "a test", collector) else { return nil }
    let name = reader.text("name") ?? "test \(position + 1)"
    let given = reader.entries("given").compactMap(self.given)
    let input = reader.node("input")
    let trigger = reader.node("trigger").flatMap(self.trigger)
    let parameters = reader.entries("parameters")
    let fakes = reader.node("fake").map(self.fakes) ?? TestFakes()
    let answers = reader.entries("answers")
    let crashAfter = reader.scalar("crashAfter")
    let expectations = reader.entries("expect").compactMap(expectation)
    if reader.mapping["expect"]?.mapping?.entries.isEmpty != false {
      collector.report(
        "test-without-expect", "a test that expects nothing can't fail", at: node.span,
        help: "add `expect:` with one of \(TestDefinition.subjects.joined(separator: ", "))")
    }
    reader.finish()
    return TestDefinition(
      name: name, span: node.span, given: given, input: input, trigger: trigger,
      parameters: parameters,
      fakes: fakes, answers: answers, crashAfter: crashAfter, expectations: expectations)
  }

  private func given(_ entry: Mapping.Entry) -> TestDefinition.Given? {
    guard let nodes = entry.value.sequence else {
      collector.report("wrong-type", "`given` lists the items of an entity", at: entry.value.span)
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

  private func trigger(_ node: Node) -> TestDefinition.Trigger? {
    guard var reader = DefinitionReader(node, what: "`trigger`", collector) else { return nil }
    func properties(_ key: String) -> Mapping? {
      guard let node = reader.node(key) else { return nil }
      if node.mapping == nil {
        collector.report(
          "wrong-type",
          "`\(key)` is a mapping from properties to values, and this is "
            + node.kindName, at: node.span)
      }
      return node.mapping
    }
    let trigger = TestDefinition.Trigger(
      span: node.span, kind: reader.scalar("kind") ?? reader.scalar("id"),
      item: properties("item"), was: properties("was"), path: reader.scalar("path"),
      time: reader.scalar("time"))
    _ = reader.node("id")
    reader.finish()
    return trigger
  }

  private func expectation(_ entry: Mapping.Entry) -> TestDefinition.Expectation? {
    guard TestDefinition.subjects.contains(entry.key.text) else {
      collector.report(
        "unknown-key", "a test can't expect anything of `\(entry.key.text)`", at: entry.key.span,
        help: Suggestion.help(for: entry.key.text, in: TestDefinition.subjects)
          ?? "one of \(TestDefinition.subjects.joined(separator: ", "))")
      return nil
    }
    return TestDefinition.Expectation(
      subject: entry.key, matcher: TestMatcher(entry.value, collector))
  }

  // MARK: Fakes

  private func fakes(_ node: Node) -> TestFakes {
    var fakes = TestFakes()
    guard var reader = DefinitionReader(node, what: "`fake`", collector) else { return fakes }
    fakes.now = reader.scalar("now")
    fakes.exec = rules("exec", &reader, keys: Self.programKeys)
    fakes.http = rules("http", &reader, keys: Self.serverKeys)
    fakes.files = rules("files", &reader, keys: Self.fileKeys)
    fakes.secrets = texts("secrets", &reader)
    fakes.env = texts("env", &reader)
    fakes.clipboard = reader.scalars("clipboard")
    fakes.notifications = reader.scalars("notifications")
    fakes.browser = reader.bool("browser") ?? true
    fakes.online = reader.bool("online") ?? true
    reader.finish()
    return fakes
  }

  private static let programKeys = [
    "status", "signal", "stdout", "stderr", "json", "lines", "delay", "fail", "message",
  ]
  private static let serverKeys = [
    "status", "headers", "text", "json", "delay", "fail", "message",
  ]
  private static let fileKeys = ["text", "lines", "json", "fail", "message"]

  private func rules(
    _ key: String, _ reader: inout DefinitionReader, keys: [String]
  ) -> [FakeRule]? {
    guard reader.mapping[key] != nil else {
      _ = reader.node(key)
      return nil
    }
    return reader.entries(key).map { entry in
      let nodes = entry.value.sequence ?? [entry.value]
      if nodes.isEmpty {
        collector.report(
          "wrong-type", "there is nothing to give for `\(entry.key.text)`", at: entry.value.span)
      }
      return FakeRule(
        pattern: entry.key, replies: nodes.compactMap { reply($0, of: key, keys: keys) })
    }
  }

  /// A reply: its parts, or a text that stands for the usual one.
  private func reply(_ node: Node, of fake: String, keys: [String]) -> FakeReply? {
    if let scalar = node.scalar {
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

  private func texts(
    _ key: String, _ reader: inout DefinitionReader
  ) -> [(name: Scalar, text: Scalar)] {
    reader.entries(key).compactMap { entry in
      if let scalar = entry.value.scalar { return (entry.key, scalar) }
      collector.report("wrong-type", "`\(entry.key.text)` is text here", at: entry.value.span)
      return nil
    }
  }
}
