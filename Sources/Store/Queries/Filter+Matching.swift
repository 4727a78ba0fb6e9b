import CEL
import Items

extension Filter {
  /// Whether an item matches.
  ///
  /// - Parameter left: The steps that are left to the query.
  /// - Throws: `EvaluationError`, and `invalidValue` when the expression gives no truth value or all
  ///   items together cost too much.
  func matches(_ item: Item, left: inout Int) throws -> Bool {
    do throws(EvaluationError) {
      let variables = program.variables
      let result = try program.evaluate(left: &left) { index in
        variables[index] == "self" ? .object(item) : value(of: variables[index])
      }
      if case .bool(let holds) = result { return holds }
      if result.isNull { return false }
    } catch {
      if error.code == .nullOperand { return false }
      if left <= 0 {
        throw StoreError(
          .invalidValue,
          "`where` takes more steps for all items together than a query may: let a simpler "
            + "condition leave fewer of them")
      }
      throw error
    }
    throw StoreError(.invalidValue, "`where` must be true or false for each \(item.entity)")
  }
}
