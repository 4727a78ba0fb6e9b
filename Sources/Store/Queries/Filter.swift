public import CEL

/// What must hold for an item to be found: an expression over `self`.
///
/// Null in it is as language.md §7 says: an operation that fails for null is no match, any other
/// failure ends the query.
public struct Filter {
  /// The compiled expression, in which properties are spelled `self.name`.
  let program: Program
  /// What its names mean, for the parts that are evaluated once.
  let environment: Environment
  private let values: [String: Value]

  /// Makes a filter; the other variables are looked up once, now.
  public init(
    _ program: Program, in environment: Environment,
    variables: (String) throws -> Value? = { _ in nil }
  ) rethrows {
    self.program = program
    self.environment = environment
    var values: [String: Value] = [:]
    for name in program.variables where !Self.isItem(name) {
      values[name] = try variables(name)
    }
    self.values = values
  }

  /// The value of a variable other than the item.
  func value(of name: String) -> Value? { values[name] }

  /// Whether an item matches.
  ///
  /// - Throws: `EvaluationError`, and `invalidValue` when the expression gives no truth value.
  func matches(_ item: Item) throws -> Bool {
    do throws(EvaluationError) {
      let variables = program.variables
      let result = try program.evaluate { index in
        variables[index] == "self" ? .object(item) : values[variables[index]]
      }
      if case .bool(let holds) = result { return holds }
      if result.isNull { return false }
    } catch {
      if error.code == .nullOperand { return false }
      throw error
    }
    throw StoreError(.invalidValue, "`where` must be true or false for each \(item.entity)")
  }

  private static func isItem(_ name: String) -> Bool { name == "self" }
}
