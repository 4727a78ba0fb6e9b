import CEL
import Items

extension Filter {
  /// After how many steps, as a power of two, a search of many items looks whether to end.
  private static let lookShift = 13

  /// Whether an item matches.
  ///
  /// - Parameter left: The steps that are left to the query.
  /// - Throws: `EvaluationError`, `cancelled`, and `invalidValue` when the expression gives no truth
  ///   value or all items together cost too much.
  func matches(_ item: Item, left: inout Int) throws -> Bool {
    let before = left
    do throws(EvaluationError) {
      let variables = program.variables
      let result = try program.evaluate(left: &left, mustStop: mustStop) { index in
        variables[index] == "self" ? .object(item) : value(of: variables[index])
      }
      // Of small evaluations none comes to the question whether to end.
      if before >> Self.lookShift != left >> Self.lookShift, mustStop?() == true {
        throw EvaluationError("ended", code: .interrupted)
      }
      if case .bool(let holds) = result { return holds }
      if result.isNull { return false }
    } catch {
      if error.code == .nullOperand { return false }
      if error.code == .interrupted { throw StoreError(.cancelled, "the search was ended") }
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
