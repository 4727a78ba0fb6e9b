import CEL
import Items
package import Source
package import YAML

/// Collects what is wrong with a document while it is read to its end.
package final class DiagnosticCollector {
  package private(set) var all: [Diagnostic] = []

  package init() {}

  package func report(_ diagnostic: Diagnostic) {
    all.append(diagnostic)
  }

  package func report(_ diagnostics: [Diagnostic]) {
    all += diagnostics
  }

  /// Reports a mistake by its parts.
  package func report(
    _ id: String, _ message: String, at span: Span?, help: String? = nil,
    related: [Diagnostic.Related] = []
  ) {
    all.append(Diagnostic(id, message, at: span, help: help, related: related))
  }

  /// The result of a body, or nil when it threw, what it threw being reported.
  package func collecting<T>(_ body: () throws(Diagnostic) -> T) -> T? {
    do throws(Diagnostic) {
      return try body()
    } catch {
      report(error)
      return nil
    }
  }

  /// The template that a scalar is; nil for one that is none, which is reported.
  func template(_ scalar: Scalar) -> Template? {
    collecting { () throws(Diagnostic) in try Template(scalar: scalar) }
  }

  /// The expression that a scalar is; nil for one that is none, which is reported.
  func expression(_ scalar: Scalar) -> ExpressionSource? {
    collecting { () throws(Diagnostic) in try ExpressionSource(scalar: scalar) }
  }

  /// What keeps a document from being used, warnings left out.
  package var errors: [Diagnostic] { all.filter { $0.severity == .error } }

  package var hasErrors: Bool { all.contains { $0.severity == .error } }

  /// Whether what is found next will be shown, and advice is worth looking for.
  package var wantsAdvice: Bool { all.count < DiagnosticSummary.limit }
}

/// Reads the keys of one mapping, and knows which were never asked for.
struct DefinitionReader {
  let mapping: Mapping
  let span: Span
  let collector: DiagnosticCollector
  /// What the mapping is, for messages: "an intent", "a parameter".
  let what: String
  fileprivate var known: [String] = []
  /// Whether values of an enum are there, though something may be wrong with them.
  private var hasValues = false
  /// The type that the values of an enum under another word stand for.
  private var impliedType: DataType?

  /// Reports a node that is not a mapping and gives nil.
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

  /// The node of a key, which counts as known from then on.
  mutating func node(_ key: String) -> Node? {
    known.append(key)
    return mapping[key]
  }

  /// Whether the mapping has one of some keys, which count as known from then on.
  mutating func mentions(_ keys: [String]) -> Bool {
    known += keys
    return mapping.entries.contains { keys.contains($0.key.text) }
  }

  /// Whether a key is missing, and no other one is most likely a misspelling of it, which is
  /// reported as such.
  func lacks(_ key: String) -> Bool {
    guard mapping[key] == nil, key != "type" || impliedType == nil else { return false }
    return !mapping.entries.contains { entry in
      !known.contains(entry.key.text)
        && Suggestion.nearest(to: entry.key.text, in: known + [key]) == key
    }
  }

  /// The scalar of a key.
  mutating func scalar(_ key: String) -> Scalar? {
    guard let node = node(key) else { return nil }
    guard let scalar = node.scalar else {
      collector.report("wrong-type", "`\(key)` must be text, not \(node.kindName)", at: node.span)
      return nil
    }
    return scalar
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

  /// One of a few words.
  mutating func choice<Choice>(_ key: String) -> Choice?
  where Choice: RawRepresentable<String> & CaseIterable {
    guard let scalar = scalar(key) else { return nil }
    if let choice = Choice(rawValue: scalar.text) { return choice }
    let words = Choice.allCases.map(\.rawValue)
    collector.report(
      "invalid-value", "`\(key)` must be one of \(words.joined(separator: ", "))",
      at: scalar.span,
      help: Suggestion.nearest(to: scalar.text, in: words).map { "did you mean `\($0)`?" })
    return nil
  }

  mutating func int(_ key: String) -> Int? {
    guard let scalar = scalar(key) else { return nil }
    guard let int = Int(scalar.text) else {
      collector.report("wrong-type", "`\(key)` must be a whole number", at: scalar.span)
      return nil
    }
    return int
  }

  mutating func double(_ key: String) -> Double? {
    guard let scalar = scalar(key) else { return nil }
    guard let double = Double(scalar.text), double.isFinite else {
      collector.report("wrong-type", "`\(key)` must be a number", at: scalar.span)
      return nil
    }
    return double
  }

  mutating func template(_ key: String) -> Template? {
    scalar(key).flatMap(collector.template)
  }

  /// The templates of a key: one, or a list of them.
  mutating func templates(_ key: String) -> [Template] {
    (scalars(key) ?? []).compactMap(collector.template)
  }

  mutating func expression(_ key: String) -> ExpressionSource? {
    scalar(key).flatMap(collector.expression)
  }

  /// A list of texts; one text alone is a list of one.
  mutating func scalars(_ key: String) -> [Scalar]? {
    guard let node = node(key) else { return nil }
    if let scalar = node.scalar { return [scalar] }
    let scalars = node.sequence?.compactMap(\.scalar)
    guard let scalars, scalars.count == node.sequence?.count else {
      collector.report("wrong-type", "`\(key)` must be a list of texts", at: node.span)
      return nil
    }
    return scalars
  }

  /// The entries of a key whose value is a mapping from names to something.
  mutating func entries(_ key: String) -> [Mapping.Entry] {
    guard let node = node(key) else { return [] }
    if node.scalar?.isNull == true { return [] }
    guard let mapping = node.mapping else {
      collector.report(
        "wrong-type", "`\(key)` must be a mapping from names, not \(node.kindName)",
        at: node.span, help: node.sequence.flatMap { ListAdvice.names($0, of: key) })
      return []
    }
    return mapping.entries
  }

  /// The `values` of an enum; those under another word, which is reported, count as well.
  mutating func enumValues() -> [Scalar]? {
    if mapping["values"] != nil {
      let values = scalars("values")
      hasValues = true
      return values
    }
    known.append("values")
    if mapping["type"] == nil,
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

  /// Keys of other languages for the values of an enum.
  private static let enumWords = ["options", "choices", "enum", "cases", "allowed", "oneOf"]

  /// A type as written, with the `values` of an `enum` beside it.
  mutating func type(_ key: String, values: [Scalar]?) -> DataType? {
    if let impliedType {
      known.append(key)
      return impliedType
    }
    return scalar(key).flatMap { collector.type($0, values: values, expectsValues: !hasValues) }
  }

  /// The `type` of what has a name, with the `values` of an `enum` beside it; reports its lack where
  /// `what` is given.
  mutating func type(of name: Scalar, _ what: String?) -> DataType? {
    let values = enumValues()
    let type = type("type", values: values)
    if let what, lacks("type") {
      collector.report(
        "missing-type", "\(what) `\(name.text)` has no `type`", at: name.span,
        help: "add `type: string`, or whatever it holds")
    }
    return type
  }

  /// Reports a key that other languages have here, with what to write instead.
  mutating func refuse(_ key: String, because reason: String? = nil, help: (Node) -> String) {
    guard let entry = mapping.entry(key) else { return }
    known.append(key)
    collector.report(
      "unknown-key", "\(what) has no key `\(key)`\(reason.map { ": \($0)" } ?? "")",
      at: entry.key.span, help: help(entry.value))
  }

  /// Reports a key that other languages have here.
  mutating func refuse(_ key: String, help: String) { refuse(key) { _ in help } }

  /// Refuses `required: true`: whether a value may be missing is told by its type.
  mutating func refuseRequired() {
    let type = mapping["type"]?.scalar?.text ?? "string"
    refuse("required", because: "what has neither a `?` nor a `default` must be given") { value in
      value.scalar?.bool == false
        ? "write `type: '\(type.hasSuffix("?") ? type : type + "?")'` and take `required` out"
        : "take it out"
    }
    refuse("optional", because: "a `?` after the type says that a value may be missing") { value in
      value.scalar?.bool == false
        ? "take it out"
        : "write `type: '\(type.hasSuffix("?") ? type : type + "?")'` and take `optional` out"
    }
  }

  /// Reports every key that was never asked for.
  func finish() {
    for entry in mapping.entries where !known.contains(entry.key.text) {
      collector.report(
        "unknown-key", "\(what) has no key `\(entry.key.text)`", at: entry.key.span,
        help: collector.wantsAdvice ? advice(on: entry.key) : nil)
    }
  }
}

extension DefinitionReader {
  private func advice(on key: Scalar) -> String? {
    let isDocument = ["an intent", "a shortcut", "an automation"].contains(what)
    if isDocument, ReservedWord.modifiers.contains(key.text) { return indentation(of: key) }
    if isDocument, ReservedWord.isVerb(key.text) {
      return "`\(key.text)` is a step: write `- \(key.text):` below `steps:`"
    }
    return Suggestion.help(for: key.text, in: known)
  }

  /// How far a key at the margin is indented to belong to the step above it.
  private func indentation(of key: Scalar) -> String {
    let above = mapping["steps"]?.sequence?.last { step in
      step.span.range.lowerBound < key.span.range.lowerBound
    }
    guard let word = above?.mapping?.entries.first?.key, let line = key.span.line(with: key.text)
    else {
      return "`\(key.text)` belongs to a step: indent it to line up with the step's first word"
    }
    let column = word.span.position.column - 1
    return "`\(key.text)` belongs to the step above, below its first word `\(word.text)`: "
      + "write `\(String(repeating: " ", count: column))\(line)`, with \(column) spaces"
  }
}

extension DiagnosticCollector {
  /// The type that a scalar names; reports a text that is none.
  func type(
    _ scalar: Scalar, values: [Scalar]? = nil, expectsValues: Bool = true
  ) -> DataType? {
    guard let type = DataType.parse(scalar.text, values: values?.map(\.text)) else {
      report(
        "unknown-type", "unknown type `\(scalar.text)`", at: scalar.span,
        help: wantsAdvice ? TypeAdvice.help(for: scalar.text) : nil)
      return nil
    }
    if case .enumeration(let given) = type.unwrapped, given.isEmpty,
      expectsValues || values?.isEmpty == true
    {
      report(
        "enum-without-values", "an `enum` needs its `values`", at: scalar.span,
        help: "add `values: [one, two]`")
    }
    return type
  }

  /// Reports a name that does not have the form its kind needs.
  func check(_ scalar: Scalar, form: NameForm, of what: String) {
    guard !form.accepts(scalar.text) else { return }
    let help =
      if let letter = NameForm.strangeLetter(in: scalar.text) {
        "names have the letters a to z, and `\(letter)` is U+\(hexadecimal(letter))"
      } else {
        form.corrected(scalar.text).map { "write `\($0)`" }
      }
    report(
      "bad-name", "the name of \(what) must be \(form.example); `\(scalar.text)` isn't",
      at: scalar.span, help: help)
  }

  private func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Reports names that are equal, or equal but for case.
  func checkDistinct(_ names: [Scalar], of what: String) {
    let keys = names.map { $0.text.lowercased() }
    var seen: [String: Int] = [:]
    for (index, name) in names.enumerated() {
      // Few names are compared faster than a dictionary is made.
      var earlier: Int?
      if keys.count <= 16 {
        earlier = keys[..<index].firstIndex(of: keys[index])
      } else {
        earlier = seen[keys[index]]
        if earlier == nil { seen[keys[index]] = index }
      }
      // One that has not the form of a name is reported for that.
      if let first = earlier.map({ names[$0] }), NameForm.lowerCamel.accepts(name.text) {
        report(
          "duplicate-name",
          "\(what) `\(name.text)` and `\(first.text)` differ at most in case", at: name.span,
          help: "rename one of them", related: [.init("the other one", at: first.span)])
      }
    }
  }

  /// Reports a name that a variable can't have: one of another form, or that of a type.
  ///
  /// Properties of entities may be called as types are: they are fields of an item.
  package func checkVariable(_ name: Scalar, of what: String) {
    check(name, form: .lowerCamel, of: what)
    if let problem = Self.problem(withVariable: name, of: what) { report(problem) }
  }

  /// The same of a name that a run gives: the language's own names are taken.
  func checkNew(_ name: Scalar, of what: String) {
    checkVariable(name, of: what)
    if NameForm.givenVariables.contains(name.text) {
      report(
        "reserved-name", "`\(name.text)` is a name of the language's own", at: name.span,
        help: "choose another name")
    }
  }

  /// The problem with a variable named like a type of expressions, where the name means the type;
  /// nil for other names.
  package static func problem(withVariable name: Scalar, of what: String) -> Diagnostic? {
    guard Environment.isType(named: name.text), NameForm.lowerCamel.accepts(name.text) else {
      return nil
    }
    return Diagnostic(
      "reserved-name", "`\(name.text)` is the name of a type and can't name \(what)",
      at: name.span, help: "choose another name, such as `\(substitute(for: name.text))`")
  }

  /// A name for a value of a type.
  private static func substitute(for type: String) -> String {
    switch type {
    case "string": "text"
    case "int", "uint": "number"
    case "double": "amount"
    case "bool": "flag"
    case "bytes": "content"
    case "list": "items"
    case "map": "fields"
    case "type": "kind"
    default: "value"
    }
  }
}
