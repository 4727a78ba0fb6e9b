package import CEL
import Catalog
package import Items
package import Program
import Source
package import Store

/// Jobs of the queue, as whoever takes them does them.
extension Run {
  /// Does a job from its beginning: runs its handler with what it holds.
  ///
  /// - Throws: `Diagnostics` when the handler is wrong, `RunError` when it fails.
  package func perform(_ job: Job) throws -> Outcome {
    guard let handler = try library.action(job.handler) else {
      throw RunError(
        .notFound, "there is no intent or shortcut `\(job.handler)`",
        help: Suggestion.help(for: job.handler, in: library.actionNames))
    }
    let coder = jobCoder
    if let permissions = job.permissions { hold(to: try coder.value(of: permissions)) }
    let input = try coder.value(of: job.input)
    var named: [(name: String, value: Value)] = []
    if case .map(let map) = try coder.value(of: job.arguments) {
      for case (.string(let name), let value) in map.entries { named.append((name, value)) }
    }
    return try perform(
      job.handler, handler.given(input.isNull ? nil : input, named))
  }

  /// A value as jobs hold it.
  package func jobText(of value: Value) throws -> String { try jobCoder.text(of: value) }

  /// The plan for jobs that fail that a `retry` gives: a number of times, or a map.
  ///
  /// - Throws: `invalid-value`.
  package func jobRetry(of value: Value) throws -> JobRetry {
    try JobRetry(value, converter: converter)
  }

  private var jobCoder: ValueCoder { ValueCoder { [workspace] in try? workspace.schema(of: $0) } }

  /// Whether what an automation looks for holds for an item; an operation that fails for null does
  /// not hold.
  ///
  /// - Throws: `RunError` when the condition fails otherwise.
  package func holds(
    _ condition: (expression: CompiledExpression, selfSlot: Int)?, for item: Item
  ) throws -> Bool {
    guard let condition else { return true }
    let frame = Frame(count: condition.selfSlot + 1)
    frame.slots[condition.selfSlot] = .object(item)
    do throws(EvaluationError) {
      return try condition.expression.evaluate(frame) == .bool(true)
    } catch {
      if error.code == .nullOperand { return false }
      throw RunError(error, in: condition.expression.source)
    }
  }
}

extension Workspace {
  /// An automation, compiled.
  ///
  /// - Throws: `Diagnostics` with all that is wrong with it, and with what it calls.
  package func automation(_ name: String) throws -> CompiledAction {
    try check(action: name)
    return try action(name)
  }
}
