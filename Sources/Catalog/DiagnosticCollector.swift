import CEL
package import Items
package import Source
package import YAML

/// Collects the diagnostics of a document, so that it is read to its end.
package final class DiagnosticCollector {
  package private(set) var all: [Diagnostic] = []
  private let verbs: VerbWords

  /// Creates a collector that knows no verbs, for documents that are parsed already.
  package convenience init() { self.init(verbs: .none) }

  init(verbs: VerbWords) { self.verbs = verbs }

  /// Whether a name is a verb's, in this or a later release.
  func isVerb(_ name: String) -> Bool { verbs.isVerb(name) || ReservedWord.isLaterVerb(name) }

  /// Whether a verb has an argument.
  func takes(_ verb: String, _ argument: String) -> Bool { verbs.takes(verb, argument) }

  package func report(_ diagnostic: Diagnostic) { all.append(diagnostic) }

  package func report(_ diagnostics: [Diagnostic]) { all += diagnostics }

  /// Reports an error by its parts.
  package func report(
    _ id: String, _ message: String, at span: Span?, help: String? = nil,
    severity: Diagnostic.Severity = .error, related: [Diagnostic.Related] = []
  ) {
    all.append(Diagnostic(id, message, at: span, help: help, severity: severity, related: related))
  }

  /// Returns the result of `body`, or reports its error and returns nil.
  package func collecting<T>(_ body: () throws(Diagnostic) -> T) -> T? {
    do throws(Diagnostic) {
      return try body()
    } catch {
      report(error)
      return nil
    }
  }

  /// Parses a scalar as a template; reports errors and returns nil.
  package func template(_ scalar: Scalar) -> Template? {
    collecting { () throws(Diagnostic) in try Template(scalar: scalar) }
  }

  /// Parses a scalar as an expression; reports errors and returns nil.
  package func expression(_ scalar: Scalar) -> ExpressionSource? {
    collecting { () throws(Diagnostic) in try ExpressionSource(scalar: scalar) }
  }

  /// Diagnostics that make the document unusable (no warnings).
  package var errors: [Diagnostic] { all.filter { $0.severity == .error } }

  package var hasErrors: Bool { all.contains { $0.severity == .error } }

  /// Whether the next diagnostic will be shown, so that advice is worth computing.
  package var wantsAdvice: Bool { all.count < DiagnosticSummary.limit }
}

extension DiagnosticCollector {
  /// Parses a scalar as a type; reports an unknown one.
  package func type(
    _ scalar: Scalar, values: [Scalar]? = nil, expectsValues: Bool = true, elements: String? = nil
  ) -> DataType? {
    guard let type = DataType.parse(scalar.text, values: values?.map(\.text)) else {
      report(
        "unknown-type", "unknown type `\(scalar.text)`", at: scalar.span,
        help: wantsAdvice ? TypeAdvice.help(for: scalar.text, elements: elements) : nil)
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

  /// Reports a name that does not have the form required of its kind.
  func check(_ scalar: Scalar, form: NameForm, of what: String) {
    guard !form.accepts(scalar.text) else { return }
    if form == .lowerCamel, Expression.isReserved(scalar.text) {
      return report(
        "bad-name", "`\(scalar.text)` is a reserved word of expressions, so \(what) cannot have it",
        at: scalar.span, help: "choose another name, such as `\(scalar.text)Value`")
    }
    let help =
      if let letter = NameForm.strangeLetter(in: scalar.text) {
        "names can only have the letters a to z; `\(letter)` is U+\(hexadecimal(letter))"
      } else {
        form.corrected(scalar.text).map {
          scalar.text.hasSuffix("?")
            ? "write `\($0)`, and the `?` after its type, as in `\($0): string?`" : "write `\($0)`"
        }
      }
    report(
      "bad-name", "the name of \(what) must be \(form.example); `\(scalar.text)` is not",
      at: scalar.span, help: help)
  }

  private func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Reports duplicate names, also those that differ only in case.
  func checkDistinct(_ names: [Scalar], of what: String) {
    let keys = names.map { $0.text.lowercased() }
    var seen: [String: Int] = [:]
    for (index, name) in names.enumerated() {
      // A linear search beats a dictionary for few names.
      var earlier: Int?
      if keys.count <= 16 {
        earlier = keys[..<index].firstIndex(of: keys[index])
      } else {
        earlier = seen[keys[index]]
        if earlier == nil { seen[keys[index]] = index }
      }
      // Malformed names are reported elsewhere.
      if let first = earlier.map({ names[$0] }), NameForm.lowerCamel.accepts(name.text) {
        report(
          "duplicate-name",
          "\(what) `\(name.text)` and `\(first.text)` differ at most in case", at: name.span,
          help: "rename one of them", related: [.init("the other one", at: first.span)])
      }
    }
  }

  /// Reports a name that a variable cannot have: a malformed one, or the name of a type.
  ///
  /// Properties of entities may be named like types, as they are fields of an item.
  package func checkVariable(_ name: Scalar, of what: String) {
    check(name, form: .lowerCamel, of: what)
    if let problem = Self.problem(withVariable: name, of: what) { report(problem) }
  }

  /// Like `checkVariable`, for a name introduced by a run; reserved names are reported, too.
  func checkNew(_ name: Scalar, of what: String) {
    checkVariable(name, of: what)
    if NameForm.givenVariables.contains(name.text) {
      report(
        "reserved-name", "`\(name.text)` is reserved by the language", at: name.span,
        help: "choose another name")
    }
  }

  /// The diagnostic for a variable named like a CEL type, which would shadow the type; nil for
  /// other names.
  static func problem(withVariable name: Scalar, of what: String) -> Diagnostic? {
    guard Environment.isType(named: name.text), NameForm.lowerCamel.accepts(name.text) else {
      return nil
    }
    return Diagnostic(
      "reserved-name", "`\(name.text)` is the name of a type and cannot name \(what)",
      at: name.span, help: "choose another name, such as `\(substitute(for: name.text))`")
  }

  /// A suggested name for a value of a type.
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
