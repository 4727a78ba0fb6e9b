import CEL
import Catalog
import Items
import Source
import YAML

/// Checks of constant arguments that would fail in every run.
extension ActionCompiler {
  /// Reports a constant that the verb rejects.
  func expectTried(_ value: CompiledValue, _ argument: ArgumentDeclaration, at span: Span) {
    guard isChecked(span) else { return }
    if let range = argument.range { expect(value, in: range, named: argument.name, at: span) }
    guard let problem = argument.trial?(value) else { return }
    report(problem.message, at: span, help: problem.help)
  }

  /// Reports arguments that conflict.
  func expectHarmony(_ call: VerbCall, _ given: [String: Node]) {
    guard let conflict = call.verb.conflict?(call), let span = given[conflict.argument]?.span,
      isChecked(span)
    else { return }
    report(conflict.problem.message, at: span, help: conflict.problem.help)
  }

  /// Whether an argument must be an item or a reference; next to an entity, any text may be one.
  func namesItem(_ argument: ArgumentDeclaration, _ given: [String: Node]) -> Bool {
    argument.role == .item && given["entity"] == nil
  }

  /// Reports text that is not a reference, and values that are neither text nor items.
  func expectReference(_ value: CompiledValue, _ name: String, at node: Node) {
    guard isChecked(node.span), let known = value.known else { return }
    switch known {
    case .null, .object: return
    case .string(let text):
      guard let colon = text.firstIndex(of: ":"), Int64(text[text.index(after: colon)...]) != nil
      else {
        report(
          "“\(text.shortened)” is not a reference", at: node.span,
          help: node.scalar.flatMap { help(onBare: $0) }
            ?? (text.contains("://")
              ? "to load an address write `- http: \(text.shortened)`; to find the link that has it "
                + "write `- find: {entity: Link, where: 'url == \"\(text.shortened)\"', first: true}`"
              : nil)
            ?? (context.catalog.entityNames.contains(text)
              ? "find the item first: write `- find: {entity: \(text), where: …, first: true}`"
              : "a reference looks like \(isKind(text) ? text : "link"):42; to look for an item write "
                + "`- find: …` before"))
        return
      }
      let kind = String(text[..<colon])
      let kinds = context.catalog.entityNames.map(EntitySchema.kind(of:))
      if kinds.contains(kind) { return }
      report("unknown entity `\(kind)`", at: node.span, help: Suggestion.help(for: kind, in: kinds))
    default:
      report(
        "`\(name)`: \(known.text.shortened) is not an item", at: node.span,
        help: "give an item, or a reference such as link:42")
    }
  }

  /// Whether a word is that of an entity in references.
  private func isKind(_ word: String) -> Bool {
    context.catalog.entityNames.contains { EntitySchema.kind(of: $0) == word }
  }

  /// Reports a `create` without a required property.
  func expectComplete(_ entity: EntityDefinition, _ given: [String: Node], at span: Span) {
    guard isChecked(span) else { return }
    if let node = given["set"], node.mapping == nil { return }
    var names = given["set"]?.mapping?.entries.map(\.key.text) ?? []
    // A misspelt property is reported elsewhere.
    guard names.allSatisfy({ entity.property($0) != nil }) else { return }
    if given["from"] != nil { names += ["hash", "path", "size", "name", "mediaType"] }
    // An existing item with the same identity may have the missing properties.
    let identity = entity.identities.map(\.text)
    if let policy = given["onConflict"]?.scalar?.text, policy != "fail", policy != "replace",
      !identity.isEmpty, identity.allSatisfy(names.contains)
    {
      return
    }
    let missing = entity.properties.filter { property in
      !property.type.isOptional && property.defaultNode == nil
        && !names.contains(property.name.text)
    }
    guard !missing.isEmpty else { return }
    let list = missing.map { "`\($0.name.text)`" }.joined(separator: ", ")
    let example = missing.map { "\($0.name.text): …" }.joined(separator: ", ")
    collector.report(
      "missing-argument", "\(entity.name.text) needs \(list)", at: span,
      help: given["set"] == nil ? "add `set: {\(example)}`" : "add `\(example)` to `set`")
  }

  /// Reports a constant value that violates a property's constraints.
  func expectAllowed(
    _ value: CompiledValue, _ constraints: ValueConstraints, of entry: Mapping.Entry
  ) {
    let span = entry.value.span
    guard isChecked(span), let known = value.known, !known.isNull,
      let problem = constraints.problem(with: known)
    else { return }
    report("`\(entry.key.text)`: “\(known.text.shortened)” \(problem)", at: span)
  }

  /// Reports an `ask` whose default is not a valid answer, and an enum without values.
  func expectAnswerable(_ arguments: [CompiledArgument?], _ given: [String: Node]) {
    guard
      case .type(var type)?? = arguments.first(where: { argument in
        if case .type? = argument { true } else { false }
      }), let span = given["type"]?.span, isChecked(span)
    else { return }
    if case .enumeration = type.unwrapped {
      guard let values = given["values"] else {
        collector.report(
          "enum-without-values", "an `enum` needs its `values`", at: span,
          help: "add `values: [one, two]`")
        return
      }
      guard let words = values.sequence?.compactMap(\.scalar),
        words.allSatisfy({ word in
          !word.text.contains("{{")
        })
      else { return }
      type = .enumeration(words.map(\.text))
    }
    guard let node = given["default"], node.scalar?.text.contains("{{") == false,
      node.scalar?.isNull == false
    else { return }
    _ = compile(node, as: type)
  }

  // MARK: - Command lines

  /// Reports a command line where a list of a program and its arguments is expected.
  func refuseCommandLine(
    _ node: Node, for argument: ArgumentDeclaration, of verb: VerbSignature
  ) -> Bool {
    guard argument.role == .command, let scalar = node.scalar,
      !scalar.isNull, !isExpression(scalar.text), let template = collector.template(scalar),
      template.loneExpression == nil
    else { return false }
    var words: [String] = []
    for word in scalar.text.split(separator: " ").map(String.init) {
      // An expression is one word.
      if let last = words.last, last.contains("{{"), !last.contains("}}") {
        words[words.count - 1] = last + " " + word
      } else {
        words.append(word)
      }
    }
    words = Self.joined(words)
    let list = "[\(words.map(Self.quoted).joined(separator: ", "))]"
    let line = Self.quoted(scalar.text)
    if template.plainText != nil,
      words.contains(where: { ["|", ">", ">>", "<", "&&", "||", ";", "2>&1"].contains($0) })
    {
      report(
        "`\(verb.name)` takes a list of a program and its arguments, not text", at: node.span,
        help: "write a line for a shell: - \(verb.name): {shell: \(line)}")
      return true
    }
    let shell =
      template.plainText == nil ? "" : "\nor a line for a shell: - \(verb.name): {shell: \(line)}"
    report(
      "`\(verb.name)` takes a list of a program and its arguments, not text", at: node.span,
      help: "write the list: \(scalar.span.line(with: list) ?? list)" + shell)
    return true
  }

  /// The words of a command line, those in quotes joined to one.
  static func joined(_ words: [String]) -> [String] {
    var result: [String] = []
    var quote: Character?
    for word in words {
      if quote != nil {
        result[result.count - 1] += " " + word
      } else if let first = word.first, "'\"".contains(first) {
        quote = first
        result.append(word)
      } else {
        result.append(word)
        continue
      }
      guard let mark = quote, let last = result.last, last.count > 1, last.last == mark else {
        continue
      }
      result[result.count - 1] = String(last.dropFirst().dropLast())
      quote = nil
    }
    return result
  }

  /// Whether a text is an expression over names in scope.
  private func isExpression(_ text: String) -> Bool {
    guard let expression = try? Expression.parse(text) else { return false }
    let names = context.environment.freeNames(of: expression)
    return names.contains { scopes.binding($0.name) != nil }
  }

  /// Quotes a text if a flow sequence needs it.
  static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
        || "-_./=+~ ".utf8.contains(byte)
    }
    return isPlain && text != "-" && !text.hasPrefix("~")
      ? text : "'\(text.replacing("'", with: "''"))'"
  }

  // MARK: - Numbers and durations

  /// Compiles a duration, which must not be negative.
  func length(_ node: Node, _ name: String, isPositive: Bool = false) -> CompiledValue? {
    let value = compile(node, as: .duration)
    guard isChecked(node.span), let known = value?.known else { return value }
    let length: DurationValue?
    switch known {
    case .duration(let duration): length = duration
    case .string(let text): length = DurationReader.duration(text)
    default: length = nil
    }
    if let nanoseconds = length?.totalNanoseconds, nanoseconds < (isPositive ? 1 : 0) {
      report(
        "`\(name)` must be \(isPositive ? "longer than 0s" : "0s or longer"), not "
          + "\(node.scalar?.text.shortened ?? "negative")", at: node.span)
    }
    return value
  }

  /// Compiles a number in a range.
  func number(_ node: Node, _ name: String, _ range: ClosedRange<Double>) -> CompiledValue? {
    let value = compile(node, as: .double, takesExpression: true)
    if let value { expect(value, in: range, named: name, at: node.span) }
    return value
  }

  /// Reports a word such as `true` instead of a number; `meaning` describes the number.
  func refuseWord(_ node: Node, for name: String, _ meaning: String, example: String) -> Bool {
    guard isChecked(node.span), let scalar = node.scalar, !scalar.isNull, isWord(scalar) else {
      return false
    }
    report(
      "`\(name)` must be a number, not “\(scalar.text.shortened)”", at: node.span,
      help: "it is \(meaning): write `\(name): \(example)`")
    return true
  }

  /// Compiles a maximum number of concurrent branches.
  func branchCount(_ node: Node, _ name: String) -> CompiledValue? {
    if refuseWord(node, for: name, "how many run at once", example: "4") { return nil }
    let value = compile(node, as: .int, takesExpression: true, need: "`\(name)` needs a number")
    if let value { expect(value, in: 1...64, named: name, at: node.span) }
    return value
  }
}

extension ArgumentDeclaration {
  /// Whether it is evaluated per item, with the item's properties in scope.
  var isOverItems: Bool {
    switch kind {
    case .filter, .itemTemplate: true
    default: false
    }
  }
}
