import CEL
import Catalog
import Items
import Source
import YAML

/// Finds what is no mistake by the rules, and hardly meant; only where it is looked for.
extension ActionCompiler {
  /// Reports a bare word that stands where text may, and is the name of something in reach.
  func doubt(bareWord scalar: Scalar) {
    guard context.findsDoubts, !isPlainText, scalar.style == .plain,
      let binding = scopes.binding(scalar.text)
    else { return }
    // A name that is meant as a value is not one that nothing uses.
    scopes.uses?.use(binding.slot)
    let name = scalar.text
    let value = scalar.span.line(with: "'{{ \(name) }}'") ?? "'{{ \(name) }}'"
    let word = scalar.span.line(with: "'\(name)'") ?? "'\(name)'"
    collector.report(
      "W203", "this is the word “\(name)”, and `\(name)` is also \(Self.words(for: binding.kind))",
      at: scalar.span, help: "for its value: \(value)\nfor the word: \(word)", severity: .warning,
      related: binding.declaration.map { [.init("declared here", at: $0.span)] } ?? [])
  }

  /// Reports the first step that comes after one that ends the block.
  func doubt(_ step: Step, after last: CompiledStep) {
    let span = step.headSpan
    var help = "take it out, or give the `\(last.displayName)` before it a `when:`"
    if case .whileLoop = last.kind { help = "take it out, or end the loop before it by `break`" }
    collector.report(
      "W204", "this step is never reached", at: span, help: help, severity: .warning,
      related: [.init("nothing after this step runs", at: last.span.firstLine)])
  }

  /// Reports handlers of errors that others before them take.
  func doubtHandlers(_ handlers: [Step.Handler]) {
    guard context.findsDoubts else { return }
    // The only errors that a handler without `on` leaves to others.
    let untaken: Set<String> = ["declined", "internal"]
    var taken: Set<String> = []
    var earlier: Step.Handler?
    var takesAll = false
    for handler in handlers {
      let codes = handler.codes.map { Set($0.map(\.text)) }
      let isTaken = codes.map { codes in
        codes.isSubset(of: taken) || takesAll && codes.subtracting(taken).isDisjoint(with: untaken)
      }
      if let earlier, isTaken ?? takesAll {
        collector.report(
          "W204", "this handler is never reached", at: handler.span.firstLine,
          help: "take it out, or put it before the one that takes its errors", severity: .warning,
          related: [.init("its errors are taken here", at: earlier.span.firstLine)])
      }
      guard handler.condition == nil else { continue }
      if let codes { taken.formUnion(codes) } else { takesAll = true }
      earlier = handler
    }
  }

  private static func words(for kind: Binding.Kind) -> String {
    switch kind {
    case .parameter: "the name of a value here"
    case .result: "the name of a step's result"
    case .loop: "the variable of a loop"
    case .variable: "a variable"
    }
  }
}

extension Step {
  /// Where the step begins: the name of what it calls, or its first line.
  fileprivate var headSpan: Span {
    if case .call(let call) = kind { return call.name.span }
    return span.firstLine
  }
}

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
        "W215", message, at: span,
        help: placeholder.form == .block
          ? "write a value as `{{ \(name) }}`, and a condition as a step with `if`"
          : "write `{{ \(placeholder.path ?? name) }}`", severity: .warning)
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
      "W213", "`\(name)` takes text, and this is a \(kind), whose text would be sent", at: span,
      help: "to send it as JSON write "
        + (isLine ? "`\(structured): \(text.shortened)`" : "`\(structured):` instead"),
      severity: .warning)
  }

  /// Warns of a secret in what is told to the person, who is never shown it.
  private func doubtSecrets(_ call: VerbCall) {
    guard case .value(.template(let template), _, _)? = call.arguments.first ?? nil else { return }
    for case .expression(let expression) in template.segments
    where expression.program.expression.givesSecret(scopes.isSecret) {
      collector.report(
        "W217", "a secret is never shown: `•••` stands for it here", at: expression.source.span,
        help: "pass it on to `http` or `exec`, or take it out", severity: .warning)
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
