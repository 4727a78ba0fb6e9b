import CEL
import Catalog
import Store

extension RunError {
  /// Runs a body and makes what the store throws an error of the run.
  ///
  /// - Parameter source: the expression that the store evaluates, for the place of a mistake in it.
  static func translating<Result>(
    in source: ExpressionSource? = nil, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError {
      // The store was asked whether the work is to end, and it is.
      if error.code == .cancelled { throw Cancellation(.interrupted) }
      if error.code == .superseded { throw Cancellation(.superseded) }
      var failure = RunError(
        Code(error.languageCode), error.message, remedy: error.remedy.map(Remedy.store))
      failure.isFatal = error.lostEarlierWrites
      throw failure
    } catch let error as EvaluationError {
      throw RunError(error, in: source)
    }
  }
}
