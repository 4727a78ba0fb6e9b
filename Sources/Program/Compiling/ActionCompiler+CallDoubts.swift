import CEL
import Catalog
import Items
import Source
import YAML

/// Finds arguments of verbs that are no mistake by the rules, and hardly meant.
extension ActionCompiler {
  /// Warns of what a call does with its arguments and nobody would want.
  func doubt(_ call: VerbCall, _ given: [String: Node]) {
    guard context.findsDoubts else { return }
    for (argument, compiled) in zip(call.verb.arguments, call.arguments) {
      guard case .sentText(let structured) = argument.role, let node = given[argument.name],
        case .value(let value, _, let span)? = compiled
      else { continue }
      doubtStructure(of: value, argument.name, structured, node, at: span)
    }
    if case .tell = call.verb.effect { doubtSecrets(call) }
  }

  /// Warns of what other languages fill in, where it has the name of something in reach.
  func doubtPlaceholders(in template: Template) {
    guard context.findsDoubts, !isPlainText, !isForeignText else { return }
    for placeholder in template.placeholders {
      guard let name = placeholder.names.first(where: { isMeant($0, placeholder.form) }) else {
        continue
      }
      let span = template.scalar.span(of: placeholder.range)
      let text = span.text.shortened
      let message: String
      switch placeholder.form {
      case .name, .block: message = "nothing is filled in for `\(text)`, which is text here"
      case .dollar: message = "the `$` before `{{ \(name) }}` is text"
      }
      collector.report(
        Diagnostic(
          "W215", message, at: span,
          help: placeholder.form == .block
            ? "write a value as `{{ \(name) }}`, and a condition as a step with `if`"
            : "write `{{ \(placeholder.path ?? name) }}`", severity: .warning))
    }
  }

  /// Whether a name in a text is most likely that of something in reach.
  private func isMeant(_ name: String, _ form: Template.Placeholder.Form) -> Bool {
    guard name != "run", let binding = scopes.binding(name) else { return false }
    guard form == .dollar else { return true }
    // A dollar before a number is money, and what has no known type may be a number.
    switch binding.type?.unwrapped {
    case nil, .int, .double, .any: return false
    default: return true
    }
  }

  /// Warns of a map or a list whose text would be sent.
  private func doubtStructure(
    of value: CompiledValue, _ name: String, _ structured: String, _ node: Node, at span: Span
  ) {
    let kind: String
    switch value.type?.unwrapped {
    case .map, .record, .entity: kind = "map"
    case .list: kind = "list"
    default: return
    }
    let text = node.span.text
    let isLine = !text.utf8.contains(UInt8(ascii: "\n"))
    collector.report(
      Diagnostic(
        "W213", "`\(name)` takes text, and this is a \(kind), whose text would be sent", at: span,
        help:
          "to send it as JSON write "
          + (isLine ? "`\(structured): \(text.shortened)`" : "`\(structured):` instead"),
        severity: .warning))
  }

  /// Warns of a secret in what is told to the person, who is never shown it.
  private func doubtSecrets(_ call: VerbCall) {
    guard case .value(.template(let template), _, _)? = call.arguments.first ?? nil else { return }
    for case .expression(let expression) in template.segments
    where expression.program.expression.givesSecret(scopes.isSecret) {
      collector.report(
        Diagnostic(
          "W217", "a secret is never shown: `•••` stands for it here", at: expression.source.span,
          help: "pass it on to `http` or `exec`, or take it out", severity: .warning))
    }
  }
}

extension CompiledStep.Kind {
  /// Whether it gives a secret as its value; `isSecret` tells it of names.
  func givesSecret(_ isSecret: (String) -> Bool) -> Bool {
    guard case .verb(let call) = self, case .template(let template)? = call.givenValue
    else { return false }
    return template.segments.contains { segment in
      guard case .expression(let expression) = segment else { return false }
      return expression.program.expression.givesSecret(isSecret)
    }
  }
}
