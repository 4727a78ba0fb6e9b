/// Functions and macros, for editors.
extension Environment {
  /// A macro with its call form.
  package struct MacroForm: Sendable {
    /// The name.
    package let name: String
    /// The form of a call, such as `list.map(x, expression)`.
    package let form: String
    /// The result in a few words.
    package let summary: String
    /// The type of the receiver; nil where it has none.
    package let receiver: CELType?
    let argumentCount: Int
  }

  /// Macros for people, the host's own at the end.
  package var macroForms: [MacroForm] {
    let collections: [(String, String, String, Int)] = [
      ("all", "x, condition", "whether the condition holds for all", 2),
      ("exists", "x, condition", "whether it holds for one at least", 2),
      ("exists_one", "x, condition", "whether it holds for exactly one", 2),
      ("filter", "x, condition", "those for which it holds", 2),
      ("map", "x, expression", "a list of the values of the expression", 2),
      ("transformList", "i, x, expression", "the same, with the index", 3),
      ("transformMap", "key, value, expression", "a map with other values", 3),
      ("transformMapEntry", "key, value, map", "a map of other entries", 3),
      ("sortBy", "x, key", "the elements in the order of their keys", 2),
    ]
    let optionals: [(String, String, String, Int)] = [
      ("optMap", "x, expression", "an optional of the expression, where there is a value", 2),
      ("optFlatMap", "x, expression", "the same of an expression that gives an optional", 2),
    ]
    let methods = [
      (CELType.list(.dyn), "list", collections), (.optional(.dyn), "optional", optionals),
    ]
    .flatMap { type, word, rows in
      rows.map { name, arguments, summary, count in
        MacroForm(
          name: name, form: "\(word).\(name)(\(arguments))", summary: summary, receiver: type,
          argumentCount: count)
      }
    }
    let own = iterations.map { iteration in
      let names = ["a", "x", "y"].suffix(iteration.variables.count).joined(separator: ", ")
      return MacroForm(
        name: iteration.name, form: "\(iteration.receiver).\(iteration.name)(\(names), expression)",
        summary: "\(iteration.result)", receiver: .list(.dyn),
        argumentCount: iteration.variables.count + 1)
    }
    let has = MacroForm(
      name: "has", form: "has(value.field)", summary: "whether the field is there",
      receiver: nil, argumentCount: 1)
    return [has] + methods + own
  }

  /// The names of all functions, the host's own first; some are qualified, such as `math.abs`.
  package var functionNames: [String] {
    let own = deferredNames() + functions.keys.sorted()
    return own + FunctionLibrary.functionNames.filter { !own.contains($0) }
  }

  /// The overloads of a function, the host's own first.
  package func functions(named name: String) -> [Function] { overloads(of: name) }
}
