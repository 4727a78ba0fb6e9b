package import Items
package import Source
package import YAML

/// The part of an automation besides its steps: triggers, requirements and retries.
package struct AutomationDefinition: Sendable {
  /// Events that start it; any one suffices.
  package private(set) var triggers: [TriggerDefinition] = []
  /// Conditions of the machine that must hold before it runs, such as mains power.
  package private(set) var requires: [Requirement] = []
  /// Whether it is enabled; automations shipped as examples are not.
  package private(set) var isEnabled = true
  /// Whether only one of the machines that share the library runs it at each occasion.
  package private(set) var isOncePerHub = false
  /// Whether only the first of a day's events starts it.
  package private(set) var isOncePerDay = false
  /// Retry schedule after a failure; nil for the default one.
  package private(set) var retry: Node?
  package let span: Span

  init(_ name: Scalar, _ reader: inout DefinitionReader) {
    span = name.span
    reader.read(Self.keys, into: &self)
  }

  /// Keys of an automation besides those of its steps.
  static let keys: [Key<Self>] = [
    Key(
      "on", "Its triggers.", isRequired: true,
      .other(.list(of: .either(TriggerDefinition.forms))) { $0.readTriggers(&$1) }),
    Key(
      "requires", "Conditions of the machine.",
      .other(.list(of: .choice(Requirement.allCases.map(\.rawValue)))) { $0.readNeeds(&$1) }),
    Key("enabled", "Whether it is enabled.", .bool { $0.isEnabled = $1 }),
    Key(
      "once", "Runs it on one of the machines that share the library, or at most once a day.",
      .other(.list(of: .choice(Once.allCases.map(\.rawValue)))) { $0.readOnce(&$1) }),
    Key("retry", "Retry policy after a failure.", .value { $0.retry = $1 }),
  ]

  private mutating func readTriggers(_ reader: inout DefinitionReader) {
    let collector = reader.collector
    let node = reader.node("on")
    let entries = node.map { $0.sequence ?? [$0] } ?? []
    triggers = entries.compactMap { TriggerDefinition($0, collector) }
    if node == nil, reader.lacks("on") {
      collector.report(
        "no-trigger", "an automation needs `on`", at: span,
        help: "add `on:` and a list, such as `- every: 6h`")
    } else if entries.isEmpty, let span = node?.span {
      collector.report(
        "no-trigger", "`on` has no entry", at: span, help: "add one, such as `- every: 6h`")
    }
  }

  /// A group of machines or a time in which an automation runs once.
  private enum Once: String, CaseIterable { case hub, day }

  private mutating func readOnce(_ reader: inout DefinitionReader) {
    for word in reader.scalars("once") ?? [] {
      switch Once(rawValue: word.text) {
      case .hub: isOncePerHub = true
      case .day: isOncePerDay = true
      case nil:
        let words = Once.allCases.map(\.rawValue)
        reader.collector.report(
          "invalid-value", "`once` takes \(words.joined(separator: ", "))", at: word.span,
          help: Suggestion.didYouMean(word.text, in: words))
      }
    }
    for trigger in triggers where isOncePerHub {
      switch trigger.event {
      case .file, .share, .machine, .webhook:
        reader.collector.report(
          "invalid-value",
          "`once: hub` cannot be decided for `\(trigger.kind)`, which only this "
            + "machine sees", at: trigger.span)
      case .changed where trigger.hold != nil:
        reader.collector.report(
          "invalid-value", "`once: hub` cannot be decided for `for`, which waits on each machine",
          at: trigger.hold?.span ?? trigger.span,
          help: "remove one of the two; an `every` with a `find` can look instead")
      case .every, .days, .cron, .created, .changed, .due: break
      }
    }
  }

  private mutating func readNeeds(_ reader: inout DefinitionReader) {
    let collector = reader.collector
    requires = (reader.scalars("requires") ?? []).compactMap { scalar in
      if let known = Requirement(rawValue: scalar.text) { return known }
      let words = Requirement.allCases.map(\.rawValue)
      collector.report(
        "invalid-value", "`requires` takes \(words.joined(separator: ", "))", at: scalar.span,
        help: Suggestion.didYouMean(scalar.text, in: words))
      return nil
    }
  }
}
