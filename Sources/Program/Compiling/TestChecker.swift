import CEL
import Catalog
import Items
import Source
import YAML

/// Checks the tests of an intent or shortcut: unknown names, wrong types, invalid conditions.
struct TestChecker {
  let context: CompilationContext
  let collector: DiagnosticCollector

  /// Checks all tests of a definition.
  func check(_ definition: ActionDefinition) {
    for test in definition.tests {
      for given in test.given { check(given) }
      if let now = test.fakes.now {
        ActionCompiler(context, collector).expectReadable(now.text, as: .timestamp, at: now.span)
      }
      for reply in (test.fakes.files ?? []).flatMap(\.replies) {
        guard let time = reply["modified"]?.scalar else { continue }
        ActionCompiler(context, collector).expectReadable(time.text, as: .timestamp, at: time.span)
      }
      checkParameters(of: test, definition)
      if let trigger = test.trigger { check(trigger, definition) }
      if let crash = test.crashAfter, !definition.isDurable {
        collector.report(
          "wrong-type", "`crashAfter` needs `durable: true` in `\(definition.name.text)`",
          at: crash.span, help: "add `durable: true`, or remove `crashAfter`")
      }
      for expectation in test.expectations {
        let subject = expectation.subject.text
        if subject == "store", case .fields(let entities, _) = expectation.matcher {
          for (name, matcher) in entities {
            guard let entity = entity(name) else { continue }
            expect(entity.objectType.fields.map(\.name), of: entity.name.text, in: matcher)
          }
        } else if let names = TestDefinition.fields(of: subject) {
          expect(names, of: "`\(subject)`", in: expectation.matcher)
        }
        check(expectation.matcher)
      }
    }
  }

  /// Reports fields that no record of a subject has.
  private func expect(_ names: [String], of subject: String, in matcher: TestMatcher) {
    switch matcher {
    case .literal: break
    case .list(let matchers, _): for part in matchers { expect(names, of: subject, in: part) }
    case .fields(let fields, _):
      for (name, part) in fields {
        if subject == "`error`", name.text == "cause" { expect(names, of: subject, in: part) }
        if names.contains(name.text) { continue }
        collector.report(
          "unknown-key", "\(subject) has no `\(name.text)`", at: name.span,
          help: Suggestion.nearest(to: name.text, in: names + TestMatcher.words).map {
            "did you mean `\($0)`?"
          }
            ?? "it has \(names.joined(separator: ", ")); "
            + "a condition is one of \(TestMatcher.words.joined(separator: ", "))")
      }
    case .conditions(let conditions, _):
      for condition in conditions {
        switch condition {
        case .equals(let part), .contains(let part): expect(names, of: subject, in: part)
        default: break
        }
      }
    }
  }

  private func entity(_ name: Scalar) -> EntityDefinition? {
    context.entity(name.text, at: name.span, collector)
  }

  private func check(_ given: TestDefinition.Given) {
    guard let entity = entity(given.entity) else { return }
    check(given.items, entity)
  }

  /// Checks properties and their values.
  private func check(_ items: [Mapping], _ entity: EntityDefinition) {
    let names = entity.properties.map(\.name.text) + ["createdAt", "updatedAt"]
    for entry in items.flatMap(\.entries) {
      if let property = entity.property(entry.key.text) { check(entry.value, property.type) }
      if names.contains(entry.key.text) { continue }
      collector.report(
        "unknown-property", "\(entity.name.text) has no property `\(entry.key.text)`",
        at: entry.key.span, help: Suggestion.help(for: entry.key.text, in: names))
    }
  }

  private func check(_ trigger: TestDefinition.Trigger, _ definition: ActionDefinition) {
    guard let automation = definition.automation else {
      collector.report(
        "wrong-type", "`trigger` is only for automations; `\(definition.name.text)` is not one",
        at: trigger.span, help: "give it `input` or `parameters`")
      return
    }
    let meant = automation.triggers.first { trigger.fits(kind: $0.kind, id: $0.id) }
    switch meant?.event {
    case .created(let name), .changed(let name):
      guard let entity = context.entity(name.text, collector) else { return }
      check([trigger.item, trigger.was].compactMap { $0 }, entity)
    case .due(let due):
      guard let entity = context.entity(due.entity.text, collector) else { return }
      check([trigger.item].compactMap { $0 }, entity)
    case nil:
      let kinds = automation.triggers.map(\.id).joined(separator: ", ")
      collector.report(
        "invalid-value", "no entry of `on` matches this trigger",
        at: trigger.kind?.span ?? trigger.span,
        help:
          "there are \(kinds); created, changed, due, event and share take an `item`, changed also "
          + "`was`, file a `path`, webhook a `body`, the others only a `time`")
    default: break
    }
  }

  private func checkParameters(of test: TestDefinition, _ definition: ActionDefinition) {
    let names = definition.parameters.map(\.name.text)
    if !expectsFailure(test) {
      for parameter in definition.parameters {
        let given = test.parameters.first { $0.key.text == parameter.name.text }
        if let given { check(given.value, parameter.type) }
      }
      if let input = test.input, let primary = definition.primaryParameter {
        check(input, primary.type)
      }
    }
    for entry in test.parameters where !names.contains(entry.key.text) {
      collector.report(
        "unknown-parameter", "`\(definition.name.text)` has no parameter `\(entry.key.text)`",
        at: entry.key.span,
        help: entry.key.text == "input" && definition.input != nil
          ? "write `input:` beside `parameters:`" : Suggestion.help(for: entry.key.text, in: names))
    }
    if let input = test.input, definition.allParameters.isEmpty {
      collector.report(
        "unknown-parameter", "`\(definition.name.text)` takes no input", at: input.span,
        help: "remove `input`")
    }
  }

  /// Whether a test expects a failure, which its inputs may cause on purpose.
  private func expectsFailure(_ test: TestDefinition) -> Bool {
    test.expectations.contains { expectation in
      guard expectation.subject.text == "error" else { return false }
      if case .literal(let node) = expectation.matcher { return node.scalar?.isNull != true }
      return true
    }
  }

  /// Reports a value that does not fit a type; templates are not expanded.
  private func check(_ node: Node, _ type: DataType) {
    switch (node.content, type.unwrapped) {
    case (.scalar, .list), (.scalar, .map), (.mapping, _), (_, .any), (_, .entity): return
    case (.scalar(let scalar), _) where scalar.isNull || scalar.text.contains("{{"): return
    default: _ = ActionCompiler(context, collector).compile(node, as: type)
    }
  }

  private func check(_ matcher: TestMatcher) {
    switch matcher {
    case .literal: break
    case .list(let matchers, _): for matcher in matchers { check(matcher) }
    case .fields(let fields, _): for field in fields { check(field.matcher) }
    case .conditions(let conditions, _):
      for condition in conditions {
        switch condition {
        case .equals(let matcher), .contains(let matcher), .size(let matcher): check(matcher)
        case .startsWith: break
        case .matches(let pattern): _ = collector.pattern(pattern)
        case .holds(let expression):
          var scopes = Scopes()
          let slot = scopes.makeSlot()
          _ = ExpressionCompiler(context, collector).compile(
            condition: expression, scopes, subject: .init(slot: slot, entity: nil))
        }
      }
    }
  }
}
