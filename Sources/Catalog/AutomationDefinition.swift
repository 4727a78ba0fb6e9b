package import Items
package import Source
package import YAML

/// What an automation has beside its steps: when it runs, and what it waits for.
package struct AutomationDefinition: Sendable {
  /// What sets it off.
  package let triggers: [TriggerDefinition]
  /// What of the machine it waits for.
  package let requires: [Requirement]
  /// Whether it is to run; one that is shipped as an example is not.
  package let isEnabled: Bool
  /// When it is run again after a failure; nil for the usual times.
  package let retry: Node?
  package let span: Span

  init(_ name: Scalar, _ reader: inout DefinitionReader) {
    let collector = reader.collector
    span = name.span
    let node = reader.node("on")
    let entries = node.map { $0.sequence ?? [$0] } ?? []
    triggers = entries.compactMap { TriggerDefinition($0, collector) }
    if node == nil, reader.lacks("on") {
      collector.report(
        "no-trigger", "an automation needs `on`", at: name.span,
        help: "add `on:` and a list, such as `- every: 6h`")
    } else if entries.isEmpty, let span = node?.span {
      collector.report(
        "no-trigger", "`on` has no entry", at: span, help: "add one, such as `- every: 6h`")
    }
    requires = (reader.scalars("requires") ?? []).compactMap { scalar in
      if let known = Requirement(rawValue: scalar.text) { return known }
      let words = Requirement.allCases.map(\.rawValue)
      collector.report(
        "invalid-value", "`requires` takes \(words.joined(separator: ", "))", at: scalar.span,
        help: Suggestion.nearest(to: scalar.text, in: words).map { "did you mean `\($0)`?" })
      return nil
    }
    isEnabled = reader.bool("enabled") ?? true
    retry = reader.node("retry")
  }
}
