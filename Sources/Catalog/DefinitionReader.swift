import CEL
import Items
import Source
import YAML

/// Reads the keys of a mapping and reports unknown ones.
struct DefinitionReader {
  let mapping: Mapping
  let span: Span
  let collector: DiagnosticCollector
  /// Noun phrase for messages, such as "an intent" or "a parameter".
  let what: String
  fileprivate(set) var known: [String] = []
  /// Keys of a block that is read by hand; nil if a table is used.
  var block: [KeyDeclaration]?
  /// Whether enum values are present, possibly invalid ones.
  private var hasValues = false
  /// Type implied by enum values that were written under another key.
  private var impliedType: DataType?

  /// Reports a node that is not a mapping, and returns nil.
  init?(
    _ node: Node, what: String, _ collector: DiagnosticCollector,
    help: @autoclosure () -> String? = nil
  ) {
    guard let mapping = node.mapping else {
      collector.report(
        "wrong-type", "\(what) must be a mapping of keys, not \(node.kindName)",
        at: node.span, help: help())
      return nil
    }
    self.init(mapping, at: node.span, what: what, collector)
  }

  init(_ mapping: Mapping, at span: Span, what: String, _ collector: DiagnosticCollector) {
    self.mapping = mapping
    self.span = span
    self.what = what
    self.collector = collector
    known.reserveCapacity(16)
  }

  /// Returns the node of a key and marks the key as known.
  mutating func node(_ key: String) -> Node? {
    assert(block?.contains { $0.name == key } ?? true, "`\(key)` is not declared")
    known.append(key)
    return mapping[key]
  }

  /// Whether the mapping has one of some keys; marks them as known.
  mutating func mentions(_ keys: [String]) -> Bool {
    known += keys
    return mapping.entries.contains { keys.contains($0.key.text) }
  }

  /// Whether a key is missing and no other key looks like a misspelling of it (which is reported
  /// instead).
  func lacks(_ key: String) -> Bool {
    guard mapping[key] == nil, key != "type" || impliedType == nil else { return false }
    return !mapping.entries.contains { entry in
      !known.contains(entry.key.text)
        && Suggestion.meant(by: entry.key.text, in: known + [key]) == key
    }
  }

  /// Returns the scalar of a key.
  mutating func scalar(_ key: String) -> Scalar? {
    guard let node = node(key) else { return nil }
    guard let scalar = node.scalar else {
      collector.report(
        "wrong-type", "`\(key)` must be text, not \(node.kindName)", at: node.span,
        help: Self.shellTest(node) ?? Self.texts(in: node, of: key)
          ?? Self.text(meantBy: node, of: key))
      return nil
    }
    return scalar
  }

  /// Advice on a list of texts where a key takes one; nil for other lists.
  private static func texts(in node: Node, of key: String) -> String? {
    guard let nodes = node.sequence else { return nil }
    let parts = nodes.compactMap(\.scalar?.text)
    switch key {
    case "for":
      return parts.count == 2 && parts.allSatisfy(NameForm.lowerCamel.accepts)
        ? "write `for: entry`, and use `entry.key` and `entry.value`"
        : "write `for: item`, with `in: \(node.span.text)` beside it"
    case "created", "changed", "at":
      if parts.count < 2 { return nil }
      let mark = key == "at" ? "'" : ""
      return "one entry for each: "
        + parts.map { "`- \(key): \(mark)\($0)\(mark)`" }.joined(separator: ", ")
    case "type":
      if parts.contains("null") {
        return "write `type: '\(parts.first { $0 != "null" } ?? "string")?'`"
      }
      return parts.count > 1
        ? "a value has one type: write `type: \(parts[0])`, or `type: any` for all" : nil
    default: return nil
    }
  }

  /// Advice on a mapping or a list where a key takes a text: the text most likely meant.
  private static func text(meantBy node: Node, of key: String) -> String {
    let isCondition = ["when", "where", "was", "if", "while"].contains(key)
    if let mapping = node.mapping {
      return "write `\(key): \(ListAdvice.line(mapping, isCondition: isCondition))`"
        + (mapping.entries.count > 1 && !isCondition ? ", and the other keys beside it" : "")
    }
    let parts = node.sequence?.compactMap(\.scalar?.text) ?? []
    let line = parts.map { isCondition ? ExpressionSource.bare($0) : $0 }
      .joined(separator: isCondition ? " && " : " ")
    return "write `\(key): \(line)`"
  }

  /// The condition for a test of a shell, such as `[ -z x ]`; nil for other lists.
  private static func shellTest(_ node: Node) -> String? {
    guard node.sequence != nil else { return nil }
    let isFile = ["[ -f ", "[ -e ", "[ -d "].contains(where: node.span.text.contains)
    return isFile
      ? "find it first: `- find-files: {in: …, match: …}`, then `size(it) > 0`"
      : SyntaxAdvice.condition(ofTest: node.span.text).map { "write `\($0)`" }
  }

  mutating func text(_ key: String) -> String? { scalar(key)?.text }

  mutating func bool(_ key: String) -> Bool? {
    guard let scalar = scalar(key) else { return nil }
    guard let bool = scalar.bool else {
      let isNo = ["no", "off", "never", "0", "n", "f"].contains(scalar.text.lowercased())
      collector.report(
        "wrong-type", "`\(key)` must be `true` or `false`", at: scalar.span,
        help: "write `\(key): \(!isNo)`")
      return nil
    }
    return bool
  }

  /// Returns one of a fixed set of words.
  mutating func choice<Choice>(_ key: String) -> Choice?
  where Choice: RawRepresentable<String> & CaseIterable {
    guard let scalar = scalar(key) else { return nil }
    if let choice = Choice(rawValue: scalar.text) { return choice }
    let words = Choice.allCases.map(\.rawValue)
    collector.report(
      "invalid-value",
      "`\(key)` must be one of \(words.joined(separator: ", ")), not `\(scalar.text)`",
      at: scalar.span,
      help: Suggestion.choice(scalar.text, in: words))
    return nil
  }

  mutating func int(_ key: String) -> Int? { number(key, "a whole number") { Int($0) } }

  mutating func double(_ key: String) -> Double? {
    number(key, "a number") { Double($0).flatMap { $0.isFinite ? $0 : nil } }
  }

  private mutating func number<Number>(
    _ key: String, _ what: String, _ read: (String) -> Number?
  ) -> Number? {
    guard let scalar = scalar(key) else { return nil }
    if let number = read(scalar.text) { return number }
    collector.report(
      "wrong-type", "`\(key)` must be \(what)", at: scalar.span, help: "such as `\(key): 10`")
    return nil
  }

  mutating func template(_ key: String) -> Template? { scalar(key).flatMap(collector.template) }

  /// Returns the templates of a key: one, or a list.
  mutating func templates(_ key: String) -> [Template] {
    (scalars(key) ?? []).compactMap(collector.template)
  }

  mutating func expression(_ key: String) -> ExpressionSource? {
    scalar(key).flatMap(collector.expression)
  }

  /// Reads the mapping of a key by its table.
  mutating func readMapping<Subject>(
    _ key: String, _ keys: [Key<Subject>], what: String? = nil, into subject: inout Subject,
    help: () -> String? = { nil }
  ) {
    guard let node = node(key),
      var reader = DefinitionReader(node, what: what ?? "`\(key)`", collector, help: help())
    else { return }
    reader.read(keys, into: &subject)
    reader.finish()
  }

  /// Returns a list of texts; a single text counts as a list of one.
  mutating func scalars(_ key: String) -> [Scalar]? {
    guard let node = node(key) else { return nil }
    if let scalar = node.scalar { return [scalar] }
    let scalars = node.sequence?.compactMap(\.scalar)
    guard let scalars, scalars.count == node.sequence?.count else {
      collector.report(
        "wrong-type", "`\(key)` must be a list of texts", at: node.span,
        help: "write `\(key): [one, two]`")
      return nil
    }
    return scalars
  }

  /// The value of another word for `parameters` or `variables`, which is reported by `finish`; its
  /// names then count as declared.
  private func misspelled(_ key: String) -> Node? {
    guard key == "parameters" || key == "variables" else { return nil }
    // Comparing words is slow: each start would pay for it if all keys were compared.
    return mapping.entries.lazy.filter { $0.value.mapping != nil }.prefix(20).first { entry in
      !ActionDefinition.hasKey(entry.key.text)
        && Suggestion.meant(by: entry.key.text, in: ["parameters", "variables"]) == key
        // Those of a program are no declarations.
        && !entry.key.text.lowercased().hasPrefix("env")
    }?.value
  }

  /// Returns the entries of a key whose value is a mapping from names.
  mutating func entries(_ key: String) -> [Mapping.Entry] {
    guard let node = node(key) ?? misspelled(key) else { return [] }
    if node.scalar?.isNull == true { return [] }
    guard let mapping = node.mapping else {
      collector.report(
        "wrong-type", "`\(key)` must be a mapping from names, not \(node.kindName)",
        at: node.span, help: node.sequence.flatMap { ListAdvice.names($0, of: key) })
      return []
    }
    return mapping.entries
  }

  /// Returns the `values` of an enum, also from a key of another language, which is reported.
  mutating func enumValues() -> [Scalar]? {
    if mapping["values"] != nil {
      if let text = mapping["values"]?.scalar, text.text.contains(where: { " ,|".contains($0) }) {
        let words = text.text.split { " ,|".contains($0) }.map(String.init)
        collector.report(
          "wrong-type", "`values` must be a list, not one text", at: text.span,
          help: "write `values: [\(words.joined(separator: ", "))]`")
        known.append("values")
        impliedType = .enumeration(words)
        return nil
      }
      let values = scalars("values")
      hasValues = true
      for (index, value) in (values ?? []).enumerated()
      where values?.prefix(index).contains(where: { $0.text == value.text }) == true {
        collector.report(
          "duplicate-name", "`\(value.text)` is twice among the `values`", at: value.span,
          help: "remove one of them")
      }
      return values
    }
    known.append("values")
    if mapping["type"] == nil || mapping["type"]?.scalar?.text == "string",
      let entry = mapping.entries.first(where: { Self.enumWords.contains($0.key.text) }),
      let values = entry.value.sequence?.compactMap(\.scalar), !values.isEmpty
    {
      let list = entry.value.span.text
      refuse(
        entry.key.text,
        help: "for a choice of values write `{type: enum, values: "
          + "\(list.first == "[" && list.utf8.count < 60 ? list : "[…]")}`")
      impliedType = .enumeration(values.map(\.text))
      return values
    }
    guard mapping["type"]?.scalar?.text.hasPrefix("enum") == true,
      let entry = mapping.entries.first(where: { entry in
        Self.enumWords.contains(entry.key.text)
          || Suggestion.nearest(to: entry.key.text, in: ["values"]) != nil
      })
    else { return nil }
    hasValues = true
    refuse(
      entry.key.text,
      help: entry.key.span.line(with: "values").map { "write `\($0)`" }
        ?? "write `values`")
    return entry.value.sequence?.compactMap(\.scalar)
  }

  /// Keys of other languages for enum values.
  private static let enumWords = ["options", "choices", "enum", "cases", "allowed", "oneOf"]

  /// Reads a type, with the `values` of an `enum` next to it.
  mutating func type(_ key: String, values: [Scalar]?) -> DataType? {
    if let impliedType {
      known.append(key)
      return impliedType
    }
    guard let scalar = scalar(key) else { return nil }
    // `type: array, items: string` of JSON Schema.
    var elements: String?
    if let items = mapping["items"]?.scalar, DataType.parse(scalar.text) == nil {
      elements = items.text
      known.append("items")
    }
    return collector.type(scalar, values: values, expectsValues: !hasValues, elements: elements)
  }

  /// Reads the `type` of a named declaration, with the `values` of an `enum` next to it; reports a
  /// missing type if `what` is given.
  mutating func type(of name: Scalar, _ what: String?) -> DataType? {
    let values = enumValues()
    let type = type("type", values: values)
    if let what, lacks("type") {
      collector.report(
        "missing-type", "\(what) `\(name.text)` has no `type`", at: name.span,
        help: "add `type: string`, or another type")
    }
    return type
  }

  /// Reports a key from another language, with the correct one.
  mutating func refuse(_ key: String, because reason: String? = nil, help: (Node) -> String) {
    guard let entry = mapping.entry(key) else { return }
    known.append(key)
    collector.report(
      "unknown-key", "\(what) has no key `\(key)`\(reason.map { ": \($0)" } ?? "")",
      at: entry.key.span, help: help(entry.value))
  }

  /// Reports a key from another language.
  mutating func refuse(_ key: String, help: String) { refuse(key) { _ in help } }

  /// Rejects `required: true`: the type says whether a value may be missing.
  mutating func refuseRequired() {
    let type = mapping["type"]?.scalar?.text ?? "string"
    let reasons = [
      ("required", "a value without a `?` or a `default` is always required", false),
      ("not_null", "a value without a `?` or a `default` is always required", false),
      ("optional", "a `?` after the type says that a value may be missing", true),
      ("nullable", "a `?` after the type says that a value may be missing", true),
    ]
    for (key, reason, isOpposite) in reasons {
      refuse(key, because: reason) { value in
        (value.scalar?.bool == false) == isOpposite
          ? "remove it"
          : "write `type: '\(type.hasSuffix("?") ? type : type + "?")'` and remove `\(key)`"
      }
    }
  }

  /// Reports every key that was not read.
  func finish() {
    for entry in mapping.entries where !known.contains(entry.key.text) {
      collector.report(
        "unknown-key", "\(what) has no key `\(entry.key.text)`", at: entry.key.span,
        help: collector.wantsAdvice ? advice(on: entry.key) : nil)
    }
  }
}
