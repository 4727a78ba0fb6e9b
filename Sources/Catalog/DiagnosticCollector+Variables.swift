import CEL
package import Source
package import YAML

extension DiagnosticCollector {
  /// Reports a name that a variable can't have: one of another form, or that of a type.
  ///
  /// Properties of entities may be called as types are: they are fields of an item.
  package func checkVariable(_ name: Scalar, of what: String) {
    check(name, form: .lowerCamel, of: what)
    if let problem = Self.problem(withVariable: name, of: what) { report(problem) }
  }

  /// What is wrong with a variable that is called as a type of expressions: its name would mean the
  /// type. Nil for other names.
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
