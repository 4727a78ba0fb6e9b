import CEL
import Items

extension Filter {
  /// Whether an item matches.
  ///
  /// - Throws: `EvaluationError`, and `invalidValue` when the expression gives no truth value.
  func matches(_ item: Item) throws -> Bool {
    do throws(EvaluationError) {
      let variables = program.variables
      let result = try program.evaluate { index in
        variables[index] == "self" ? .object(item) : value(of: variables[index])
      }
      if case .bool(let holds) = result { return holds }
      if result.isNull { return false }
    } catch {
      if error.code == .nullOperand { return false }
      throw error
    }
    throw StoreError(.invalidValue, "`where` must be true or false for each \(item.entity)")
  }
}
