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
    switch call.verb.name {
    case "http": doubtBody(call, given)
    case "say", "show", "log": doubtSecrets(call)
    default: break
    }
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

  /// Warns of a map or a list as the `body` of a request, whose text would be sent.
  private func doubtBody(_ call: VerbCall, _ given: [String: Node]) {
    guard let node = given["body"], case .value(let value, _, let span)? = call.argument("body")
    else { return }
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
        "W213", "`body` takes text, and this is a \(kind), whose text would be sent", at: span,
        help:
          "to send it as JSON write \(isLine ? "`json: \(text.shortened)`" : "`json:` instead")",
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

extension VerbCall {
  /// The argument of a name; nil when the call does not give it.
  fileprivate func argument(_ name: String) -> CompiledArgument? {
    verb.arguments.firstIndex { $0.name == name }.flatMap { arguments[$0] }
  }
}

extension CompiledStep.Kind {
  /// Whether it is a `value` that gives a secret; `isSecret` tells it of names.
  func givesSecret(_ isSecret: (String) -> Bool) -> Bool {
    guard case .verb(let call) = self, call.verb.name == "value",
      case .value(.template(let template), _, _)? = call.arguments.first ?? nil
    else { return false }
    return template.segments.contains { segment in
      guard case .expression(let expression) = segment else { return false }
      return expression.program.expression.givesSecret(isSecret)
    }
  }
}
