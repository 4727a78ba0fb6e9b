import Catalog
import Source
import YAML

/// Finds mistakes in the tests of an intent or a shortcut: names of nothing, and wrong conditions.
struct TestChecker {
  let context: CompilationContext
  let collector: DiagnosticCollector

  /// Checks all tests of a definition.
  func check(_ definition: ActionDefinition) {
    for test in definition.tests {
      for given in test.given { check(given) }
      checkParameters(of: test, definition)
      if let crash = test.crashAfter, !definition.isDurable {
        collector.report(
          Diagnostic(
            "wrong-type",
            "`crashAfter` is for what is durable, and `\(definition.name.text)` is not",
            at: crash.span, help: "add `durable: true` to it, or take `crashAfter` out"))
      }
      for expectation in test.expectations {
        if expectation.subject.text == "store", case .fields(let entities, _) = expectation.matcher
        {
          for (name, _) in entities { _ = entity(name) }
        }
        check(expectation.matcher)
      }
    }
  }

  private func entity(_ name: Scalar) -> EntityDefinition? {
    if let entity = context.entity(name.text, collector) { return entity }
    if !context.library.entityNames.contains(name.text) {
      collector.report(
        Diagnostic(
          "unknown-entity", "there is no entity `\(name.text)`", at: name.span,
          help: Suggestion.help(for: name.text, in: context.library.entityNames)))
    }
    return nil
  }

  private func check(_ given: TestDefinition.Given) {
    guard let entity = entity(given.entity) else { return }
    let names = entity.properties.map(\.name.text) + ["createdAt", "updatedAt"]
    for entry in given.items.flatMap(\.entries) where !names.contains(entry.key.text) {
      collector.report(
        Diagnostic(
          "unknown-property", "\(given.entity.text) has no property `\(entry.key.text)`",
          at: entry.key.span, help: Suggestion.help(for: entry.key.text, in: names)))
    }
  }

  private func checkParameters(of test: TestDefinition, _ definition: ActionDefinition) {
    let names = definition.parameters.map(\.name.text)
    for entry in test.parameters where !names.contains(entry.key.text) {
      collector.report(
        Diagnostic(
          "unknown-parameter",
          "`\(definition.name.text)` has no parameter `\(entry.key.text)`", at: entry.key.span,
          help: entry.key.text == "input" && definition.input != nil
            ? "write `input:` beside `parameters:`"
            : Suggestion.help(for: entry.key.text, in: names)))
    }
    if let input = test.input, definition.allParameters.isEmpty {
      collector.report(
        Diagnostic(
          "unknown-parameter", "`\(definition.name.text)` takes no input", at: input.span,
          help: "take `input` out"))
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
        case .startsWith, .matches: break
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
