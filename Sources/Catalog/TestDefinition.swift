import Source
package import YAML

/// A test of a shortcut or an intent (language §9), read and checked for its form.
package struct TestDefinition: Sendable {
  package let name: String
  package let node: Node

  /// What a test may expect something of.
  private static let subjects = ["output", "dialog", "clipboard", "opened", "store", "error"]

  static func list(_ node: Node, _ collector: DiagnosticCollector) -> [TestDefinition] {
    guard let nodes = node.sequence else {
      collector.report(Diagnostic("wrong-type", "`tests` is a list of tests", at: node.span))
      return []
    }
    return nodes.compactMap { node in
      guard var reader = DefinitionReader(node, what: "a test", collector) else { return nil }
      let name = reader.text("name")
      _ = reader.entries("given").map { entry in
        if entry.value.sequence == nil {
          collector.report(
            Diagnostic("wrong-type", "`given` lists the items of an entity", at: entry.value.span))
        }
      }
      _ = reader.node("input")
      _ = reader.entries("parameters")
      _ = reader.entries("answers")
      let expectations = reader.entries("expect")
      if expectations.isEmpty {
        collector.report(
          Diagnostic(
            "test-without-expect", "a test that expects nothing can't fail", at: node.span,
            help: "add `expect:` with one of \(subjects.joined(separator: ", "))"))
      }
      for entry in expectations where !subjects.contains(entry.key.text) {
        collector.report(
          Diagnostic(
            "unknown-key", "a test can't expect anything of `\(entry.key.text)`",
            at: entry.key.span, help: Suggestion.help(for: entry.key.text, in: subjects)))
      }
      reader.finish()
      return TestDefinition(name: name ?? "unnamed", node: node)
    }
  }
}
