import CEL
import Catalog
package import Items
import Source
package import YAML

extension ActionCompiler {
  /// Compiles a literal or template as a value of `type`; reports errors and returns nil.
  ///
  /// - Parameters:
  ///   - takesExpression: whether bare text that is not a literal of the type, such as `limit: most`,
  ///     is an expression.
  ///   - need: why the value must not be null; nil if it may be.
  package func compile(
    _ node: Node, as type: DataType?, takesExpression: Bool = false, need: String? = nil
  ) -> CompiledValue? {
    switch node.content {
    case .scalar(let scalar):
      return compile(scalar, as: type, takesExpression: takesExpression, need)
    case .sequence(let nodes):
      var element: DataType?
      if case .list(let declared) = type?.unwrapped { element = declared }
      if let type, element == nil, type.unwrapped != .any {
        var help: String?
        if case .map = type.unwrapped {
          help = "write a mapping: {\(Self.entries(meantBy: nodes))}"
        } else if nodes.count == 1, nodes[0].scalar != nil {
          help = "write `\(nodes[0].span.text)` without the brackets"
        } else {
          let list = node.span.text.contains("\n") ? "[…]" : node.span.text.shortened
          help = "give one; for several write the step below `- for: item`, with `in: \(list)`"
        }
        report("expected \(type.description), not a list", at: node.span, help: help)
        return nil
      }
      let values = nodes.compactMap {
        compile($0, as: element, takesExpression: takesExpression)
      }
      return values.count == nodes.count ? folded(values) : nil
    case .mapping(let mapping):
      var element: DataType?
      if case .map(let declared) = type?.unwrapped { element = declared }
      if case .share = type?.unwrapped { element = .any }
      if let type, element == nil, type.unwrapped != .any {
        report("expected \(type.description), not a mapping", at: node.span)
        return nil
      }
      let values = mapping.entries.compactMap { entry in
        compile(entry.value, as: element, takesExpression: takesExpression)
          .map { (entry.key.text, $0) }
      }
      return values.count == mapping.entries.count ? folded(values) : nil
    }
  }

  /// The entries of a mapping that texts such as `Accept: text/html`, `A=1` and `Bearer x` stand for.
  static func entries(meantBy nodes: [Node]) -> String {
    let entries = nodes.flatMap { node -> [String] in
      if let mapping = node.mapping {
        return mapping.entries.map { "\($0.key.text): \($0.value.span.text)" }
      }
      let text = node.scalar?.text ?? ""
      for mark in [":", "=", " "] as [Character] {
        let parts = text.split(separator: mark, maxSplits: 1).map { String($0).trimmed }
        guard parts.count == 2, !parts[0].contains(" ") else { continue }
        return ["\(mark == " " ? parts[0].lowercased() : parts[0]): \(quoted(parts[1]))"]
      }
      return []
    }
    let line = entries.joined(separator: ", ")
    return line.isEmpty || line.contains("\n") ? "name: value" : line
  }

  private func folded(_ entries: [(String, CompiledValue)]) -> CompiledValue {
    var constants = MapValue()
    for (key, value) in entries {
      guard case .constant(let constant) = value else { return .map(entries) }
      constants[key] = constant
    }
    return .constant(.map(constants))
  }

  private func folded(_ values: [CompiledValue]) -> CompiledValue {
    var constants: [Value] = []
    for value in values {
      guard case .constant(let constant) = value else { return .list(values) }
      constants.append(constant)
    }
    return .constant(.list(constants))
  }

  /// Advice on a null that is written as a person writes the home folder.
  static func help(forNull scalar: Scalar?) -> String? {
    guard let scalar, scalar.span.text == "~" else { return nil }
    return "`~` alone is null in YAML; for your home folder write `'~'`"
  }

  private func compile(
    _ scalar: Scalar, as type: DataType?, takesExpression: Bool, _ need: String?
  ) -> CompiledValue? {
    if scalar.isNull {
      if let need {
        report("\(need), and this is null", at: scalar.span, help: Self.help(forNull: scalar))
      }
      return .constant(.null)
    }
    guard let template = collector.template(scalar) else { return nil }
    doubtPlaceholders(in: template)
    guard let text = template.plainText else {
      let compiled = expressions.compile(template, scopes, need: need)
      if let compiled, let type { expectFit(compiled, type, at: scalar.span) }
      return compiled.map(CompiledValue.template)
    }
    switch type?.unwrapped {
    case nil, .any:
      doubt(bareWord: scalar)
      return .constant(scalar.style == .plain ? scalar.coreValue : .string(text))
    case .string, .file, .entity:
      // Entities are looked up when the step runs.
      doubt(bareWord: scalar, forText: type?.unwrapped == .string)
      return .constant(.string(text))
    case .date, .when, .timestamp, .duration:
      // Dates such as `tomorrow` are resolved when the step runs.
      doubt(bareWord: scalar)
      expectReadable(text, as: type?.unwrapped ?? .any, at: scalar.span)
      return .constant(.string(text))
    case .list where Self.isEnumeration(text):
      let mark: Character = text.contains(",") ? "," : " "
      let values = text.split(separator: mark).map { String($0).trimmed }
      let list = "[\(values.map(Self.quoted).joined(separator: ", "))]"
      report(
        "expected \(type?.description ?? "a list"), not text", at: scalar.span,
        help: "write a list: \(scalar.span.line(with: list) ?? list)")
      return nil
    case .list where takesExpression && !isWord(scalar),
      .map where takesExpression && !isWord(scalar) && (try? Expression.parse(text)) != nil:
      return bare(scalar, need, as: type)
    case .list, .map:
      let isList = if case .list? = type?.unwrapped { true } else { false }
      report(
        "expected \(type?.description ?? ""), not text", at: scalar.span,
        help: isList
          ? "write a list: [\(scalar.text)]"
          : scalar.bool == true
            ? "write a mapping of options, or `parse: csv` for a plain table"
            : "write a mapping: {\(Self.entries(meantBy: [Node(content: .scalar(scalar), span: scalar.span)]))}"
      )
      return nil
    case .some(let simple):
      switch LiteralReader.read(text, as: simple) {
      case .success(let value):
        doubt(bareWord: scalar)
        return .constant(value)
      case .failure(let problem):
        switch simple.base {
        case .int, .double, .bool:
          if takesExpression, !isWord(scalar) { return bare(scalar, need, as: type) }
        default: break
        }
        report(
          problem.message, at: scalar.span,
          help: help(onBare: scalar) ?? help(onFormula: scalar) ?? problem.help
            ?? Self.examples[simple.base])
        return nil
      }
    }
  }

  /// Advice on values of simple types.
  private static let examples: [DataType: String] = [
    .int: "write digits, such as `10`", .double: "write digits, such as `1.5`",
    .bool: "write `true` or `false`",
  ]

  /// Whether a node is one text with several values, which are separated by commas.
  static func isEnumeration(_ node: Node) -> Bool {
    guard let text = node.scalar?.text, !text.hasPart("{{") else { return false }
    return text.contains(",") && isEnumeration(text)
  }

  /// Whether a text is a list of words with commas or spaces between them, as in other tools.
  private static func isEnumeration(_ text: String) -> Bool {
    guard text.contains(",") || text.contains(" ") && (try? Expression.parse(text)) == nil else {
      return false
    }
    return text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || " ,-_#".unicodeScalars.contains(scalar)
    }
  }

  /// Advice on a bare word that does not fit: how to use it as a name; nil if it is not in scope.
  func help(onBare scalar: Scalar) -> String? {
    guard scalar.style == .plain, scopes.binding(scalar.text) != nil else { return nil }
    let value = "'{{ \(scalar.text) }}'"
    return "for the value of `\(scalar.text)`: \(scalar.span.line(with: value) ?? value)"
  }

  /// Advice on a formula in place of a number: as a template; nil for other texts.
  private func help(onFormula scalar: Scalar) -> String? {
    guard scalar.style == .plain, scalar.text.contains(where: "+-*/".contains),
      let first = scalar.text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).first,
      scopes.binding(String(first)) != nil, (try? Expression.parse(scalar.text)) != nil
    else { return nil }
    return "write `'{{ \(scalar.text) }}'`"
  }

  /// Whether a text is a single word unlike any name in scope: `limit: many` is meant as a value,
  /// `limit: mots` as a misspelt name if `most` is in scope.
  func isWord(_ scalar: Scalar) -> Bool {
    let text = scalar.text
    guard text.first?.isLetter == true else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      && scopes.binding(text) == nil
      && (!collector.wantsAdvice || Suggestion.nearest(to: text, in: scopes.names) == nil)
      && context.environment.advice(onName: text) == nil
  }

  /// Compiles a bare expression, such as that of `limit: most`.
  func bare(
    _ scalar: Scalar, _ need: String? = nil, as type: DataType? = nil
  ) -> CompiledValue? {
    guard let source = collector.expression(scalar) else { return nil }
    guard let expression = expressions.compile(source, scopes, need: need) else { return nil }
    let template = CompiledTemplate(segments: [.expression(expression)])
    if let type { expectFit(template, type, at: scalar.span) }
    return .template(template)
  }

  func report(_ message: String, at span: Span, help: String? = nil) {
    collector.report("invalid-value", message, at: span, help: help)
  }
}
