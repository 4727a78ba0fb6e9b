import CEL
import Catalog
import Items
import Source
import YAML

/// Lints: warnings about valid code that is probably wrong; run only if the context asks for them.
extension ActionCompiler {
  /// Warns of a bare word that is taken as text but is also a name in scope, and of a text that is
  /// an expression.
  ///
  /// - Parameter forText: Whether a text is wanted, for which the value of some names does not serve.
  func doubt(bareWord scalar: Scalar, forText: Bool = false) {
    guard context.reportsWarnings, !isPlainText, !commandWords.contains(scalar.span.range) else {
      return
    }
    guard scalar.style == .plain, let binding = scopes.binding(scalar.text) else {
      return doubtExpression(scalar)
    }
    if forText {
      switch binding.type?.unwrapped {
      case .list, .map, .record, .entity, .bool: return
      default: break
      }
    }
    // The name is probably meant, so do not report it as unused as well.
    scopes.uses?.use(binding.slot)
    let name = scalar.text
    let value = scalar.span.line(with: "'{{ \(name) }}'") ?? "'{{ \(name) }}'"
    let word = scalar.span.line(with: "'\(name)'") ?? "'\(name)'"
    collector.report(
      "W203", "this is the word “\(name)”, and `\(name)` is also \(Self.words(for: binding.kind))",
      at: scalar.span, help: "for its value: \(value)\nfor the word: \(word)", severity: .warning,
      related: binding.declaration.map { [.init("declared here", at: $0.span)] } ?? [])
  }

  /// Warns of a text such as `total + 1` or `now()`, which is an expression of names in scope.
  private func doubtExpression(_ scalar: Scalar) {
    let text = scalar.text
    guard !isForeignText, text.utf8.count <= 200, text.contains(where: "(+*?[".contains),
      !scalar.span.text.contains("\n"), let source = try? ExpressionSource(scalar: scalar),
      let names = expressions.names(ofCodeIn: source, scopes),
      // Quoting says that a text is meant, unless it has a text in it.
      scalar.style == .plain || text.contains(where: { "\"'".contains($0) }) && !names.isEmpty
    else { return }
    for name in names { if let slot = scopes.binding(name)?.slot { scopes.uses?.use(slot) } }
    let code = Self.quoted("{{ \(text) }}")
    let value = scalar.span.line(with: code) ?? code
    let plain = "'\(text.replacing("'", with: "''"))'"
    let word = scalar.span.line(with: plain) ?? plain
    collector.report(
      "W203", "this is the text “\(text.shortened)”, not the value of an expression",
      at: scalar.span,
      help: "for the value: \(value)"
        + (scalar.style == .plain ? "\nfor the text: \(word)" : ""), severity: .warning)
  }

  /// Warns of the first unreachable step in a block.
  func doubt(_ step: Step, after last: CompiledStep) {
    let span = step.headSpan
    var help = "remove it, or give the `\(last.displayName)` before it a `when:`"
    if case .whileLoop = last.kind { help = "remove it, or end the loop before it by `break`" }
    collector.report(
      "W204", "this step is never reached", at: span, help: help, severity: .warning,
      related: [.init("nothing after this step runs", at: last.span.firstLine)])
  }

  /// Warns of handlers whose errors are all caught by earlier ones.
  func doubtHandlers(_ handlers: [Step.Handler]) {
    guard context.reportsWarnings else { return }
    // The only errors that a handler without `on` does not catch.
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
          help: "remove it, or put it before the one that catches its errors", severity: .warning,
          related: [.init("its errors are caught here", at: earlier.span.firstLine)])
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
  /// The span of the step's first word, or of its first line.
  fileprivate var headSpan: Span {
    if case .call(let call) = kind { return call.name.span }
    return span.firstLine
  }
}

extension ActionCompiler {
  /// Notes the properties of a named item that a step changes; the name keeps the item as it was.
  mutating func noteChange(by kind: CompiledStep.Kind?, at span: Span) {
    guard case .verb(let call)? = kind, call.verb.properties?.use == .change else { return }
    var name: String?
    var properties: Set<String> = []
    for (declaration, argument) in zip(call.verb.arguments, call.arguments) {
      switch argument {
      case .fields(let fields)?:
        // A value that is computed may be told beside the old one.
        for field in fields {
          if case .constant = field.value { properties.insert(field.name) }
        }
      case .value(.template(let template), _, _)? where declaration.role == .item:
        name = template.lone?.source.text.trimmed
      default: break
      }
    }
    guard let name, name != "it", scopes.binding(name) != nil, !properties.isEmpty else { return }
    scopes.changed[name] = (properties, span.position.line)
  }

  /// Warns of an `else` for an answer that is always yes.
  func doubt(answer test: ExpressionSource) {
    guard context.reportsWarnings, let slot = scopes.binding(test.text.trimmed)?.slot,
      let question = confirmed[slot]
    else { return }
    collector.report(
      "W201", "`\(test.text.trimmed)` is always true: “no” ends the run before", at: test.span,
      help: "write `confirm: {prompt: \(question.shortened), optional: true}`", severity: .warning)
  }
}

extension CompiledStep.Kind {
  /// The question of a confirmation that fails for no; nil for other steps.
  var confirmation: String? {
    guard case .verb(let call) = self, case .ask = call.verb.effect,
      call.verb.resultType.of(call) == .bool, call.verb.unanswered?(call) != nil
    else { return nil }
    if case .value(let value, _, _)?? = call.arguments.first, case .string(let text)? = value.known
    {
      return text
    }
    return "…"
  }
}

/// Lints for arguments of verbs.
extension ActionCompiler {
  /// Warns of arguments that are valid but hardly intended.
  func doubt(_ call: VerbCall, _ given: [String: Node]) {
    guard context.reportsWarnings else { return }
    for (argument, compiled) in zip(call.verb.arguments, call.arguments) {
      if let compiled { doubtEffect(of: compiled, argument, call) }
      if case .literal? = compiled, let node = given[argument.name] {
        doubtNames(inShell: node, env: given["env"])
      }
      if case .sentJSON(let text) = argument.role, let scalar = given[argument.name]?.scalar {
        doubtText(scalar, of: argument.name, text)
      }
      guard case .sentText(let structured) = argument.role, let node = given[argument.name],
        case .value(let value, _, let span)? = compiled
      else { continue }
      doubtStructure(of: value, argument.name, structured, node, at: span)
    }
    if case .tell = call.verb.effect { doubtSecrets(call) }
    doubtFolder(given)
    if given["entity"] != nil, let words = given["match"]?.scalar,
      [" == ", " != ", " && ", " || ", " > ", " < ", " >= ", " <= "].contains(
        where: words.text.contains)
    {
      collector.report(
        "W215", "these are words to search for, not a condition", at: words.span,
        help: "for a condition write `where: '\(words.text.replacing("'", with: "\""))'`",
        severity: .warning)
    }
    if call.verb.name == "copy", let node = given["value"], let mapping = node.mapping,
      mapping.entries.allSatisfy({ Self.fileWords.contains($0.key.text) })
    {
      let texts = mapping.entries.map { $0.value.scalar?.text ?? "…" }
      let content = mapping["content"]?.scalar?.text
      collector.report(
        "W213", "`copy` copies a value to the clipboard", at: node.span,
        help: content.map { content in
          let path = mapping.entries.first { $0.key.text != "content" }?.value.scalar?.text ?? "…"
          return "for a file write `- write-file: {path: \(path), text: \(content)}`"
        }
          ?? "for a file write `- copy-file: {from: \(texts.first ?? "…"), "
          + "to: \(texts.dropFirst().first ?? "…")}`",
        severity: .warning)
    }
  }

  /// Warns of a file whose new place looks like a folder, without the slash that makes it one.
  private func doubtFolder(_ given: [String: Node]) {
    guard let from = given["from"]?.scalar?.text, from.hasPrefix("{{"),
      let to = given["to"]?.scalar
    else { return }
    let name = String(from.dropFirst(2).trimmed.prefix { $0.isLetter || $0.isNumber })
    // The text and the templates after the last slash.
    var (text, templates) = ("", [Substring]())
    for (index, part) in to.text.split(separator: "{{", omittingEmptySubsequences: false)
      .enumerated()
    {
      let end = index == 0 ? nil : part.firstRange(of: "}}")
      if let end { templates.append(part[..<end.lowerBound]) }
      for letter in part[(end?.upperBound ?? part.startIndex)...] {
        if letter == "/" { templates = [] }
        text = letter == "/" ? "" : text + String(letter)
      }
    }
    let areDays = templates.allSatisfy { template in
      template.firstRange(of: ".format(").map { !template[$0.upperBound...].contains(".") } ?? false
    }
    // All files of a loop would get one name.
    let isOne =
      !to.text.contains("{{") && !text.contains(".") && scopes.binding(name)?.kind == .loop
    guard isOne && !text.isEmpty || text.isEmpty && !templates.isEmpty && areDays else { return }
    collector.report(
      "W223", "the file would get the name of a folder", at: to.span,
      help: "to put it into that folder write `\(to.text)/`", severity: .warning)
  }

  /// Keys that other programs have for the two places of a copy.
  private static let fileWords: Set<String> = [
    "from", "to", "src", "dest", "source", "destination", "content",
  ]

  /// Warns of a constant with which a step does nothing.
  private func doubtEffect(
    of argument: CompiledArgument, _ declaration: ArgumentDeclaration, _ call: VerbCall
  ) {
    guard case .value(let value, _, let span) = argument, let known = value.known else { return }
    if declaration.name == "limit", known == .int(0) {
      collector.report(
        "W219", "`limit: 0` finds nothing", at: span,
        help: "write 1 or more, or remove `limit` for all", severity: .warning)
    } else if case .tell = call.verb.effect, declaration.position == 0, known.isNull {
      collector.report(
        "W219", "`\(call.verb.name)` of nothing shows an empty line", at: span,
        help: "give it a text, or remove the step", severity: .warning)
    }
  }

  /// Warns of a map or list that would be sent as text.
  private func doubtStructure(
    of value: CompiledValue, _ name: String, _ structured: String?, _ node: Node, at span: Span
  ) {
    let kind: String
    switch value.type?.unwrapped {
    case .map, .record, .entity: kind = "map"
    case .list where structured != nil: kind = "list"
    default: return
    }
    guard let structured else {
      collector.report(
        "W213", "`\(name)` takes text, so this \(kind) would be written as text", at: span,
        help: "for a file write `- read-file: …` before it, and here `\(name): '{{ it }}'`",
        severity: .warning)
      return
    }
    let text = node.span.text
    let isLine = !text.utf8.contains(UInt8(ascii: "\n"))
    collector.report(
      "W213", "`\(name)` takes text, so this \(kind) would be written as text", at: span,
      help: "for JSON write "
        + (isLine ? "`\(structured): \(text.shortened)`" : "`\(structured):` instead"),
      severity: .warning)
  }

  /// Warns of a text in the form of JSON, which would be sent as one string.
  private func doubtText(_ scalar: Scalar, of name: String, _ textual: String) {
    let text = scalar.text.trimmingSpaces
    guard text.hasPrefix("{") && text.hasSuffix("}") || text.hasPrefix("[") && text.hasSuffix("]"),
      !text.hasPrefix("{{")
    else { return }
    collector.report(
      "W213", "`\(name)` takes values, so this text would be sent as one string", at: scalar.span,
      help: "write it without quotes, such as `\(name): {name: '{{ name }}'}`; "
        + "for the text as it is write `\(textual):`",
      severity: .warning)
  }

  /// Warns of a `retry` without effect: failures of a call that may not be repeated are retried only
  /// for the codes in `on`.
  func doubtRetry(_ retry: Step.Retry?, of kind: CompiledStep.Kind?) {
    guard let retry, retry.codes == nil, case .verb(let call)? = kind, !call.verb.mayRepeat(call)
    else { return }
    collector.report(
      "W218", "`\(call.verb.name)` is not done again: doing it twice could do harm", at: retry.span,
      help: "name the codes after which it may be: "
        + "`retry: {times: \(retry.times.span.text), on: [timeout]}`",
      severity: .warning)
  }

  /// Warns of a secret in a message to the person, where it is always masked.
  private func doubtSecrets(_ call: VerbCall) {
    guard case .value(.template(let template), _, _)? = call.arguments.first ?? nil else { return }
    for case .expression(let expression) in template.segments
    where expression.program.expression.givesSecret(scopes.isSecret) {
      collector.report(
        "W217", "a secret is never shown: this prints `•••`", at: expression.source.span,
        help: "pass it on to `http` or `exec`, or remove it", severity: .warning)
    }
  }
}

extension CompiledStep.Kind {
  /// Whether its value is a secret; `isSecret` decides for names.
  func givesSecret(_ isSecret: (String) -> Bool) -> Bool {
    guard case .verb(let call) = self, case .template(let template)? = call.givenValue
    else { return false }
    return template.segments.contains { segment in
      guard case .expression(let expression) = segment else { return false }
      return expression.program.expression.givesSecret(isSecret)
    }
  }
}
