import CEL
import Items

extension Filter {
  /// The interval of cancellation checks in a scan, as a power of two of steps.
  private static let lookShift = 13

  /// Whether an item matches.
  ///
  /// - Parameter left: The remaining steps of the query.
  /// - Throws: `EvaluationError`, `cancelled`, and `invalidValue` when the expression is not a
  ///   Boolean or all items together cost too much.
  func matches(_ item: Item, left: inout Int) throws -> Bool {
    let before = left
    do throws(EvaluationError) {
      let variables = program.variables
      let result = try program.evaluate(left: &left, mustStop: mustStop) { index in
        variables[index] == "self" ? .object(item) : value(of: variables[index])
      }
      // Short evaluations never check for cancellation themselves.
      if before >> Self.lookShift != left >> Self.lookShift, mustStop?() == true {
        throw EvaluationError("ended", code: .interrupted)
      }
      if case .bool(let holds) = result { return holds }
      if result.isNull { return false }
    } catch {
      if error.code == .nullOperand { return false }
      if error.code == .interrupted { throw StoreError(.cancelled, "the search was cancelled") }
      if left <= 0 {
        throw StoreError(
          .invalidValue,
          "`where` exceeds the step limit for all items together: reduce them with a simpler "
            + "condition first")
      }
      throw error
    }
    throw StoreError(.invalidValue, "`where` must be true or false for each \(item.entity)")
  }
}
