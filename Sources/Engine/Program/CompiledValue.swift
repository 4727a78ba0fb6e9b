import CEL
import Catalog
import Source

/// The values of one call of an intent or a shortcut.
final class Frame {
  /// `it` first, then the input, the parameters, and what steps bind.
  var slots: [Value]

  init(count: Int) {
    slots = Array(repeating: .null, count: count)
  }
}

/// An expression with its variables bound to slots.
struct CompiledExpression {
  let program: Program
  /// For each variable of the program, the slot that holds it.
  let slots: [Int]
  let source: ExpressionSource

  /// The value in a frame.
  ///
  /// - Throws: an evaluation error.
  func evaluate(_ frame: Frame) throws(EvaluationError) -> Value {
    try program.evaluate { index in frame.slots[slots[index]] }
  }
}

/// A template with its expressions compiled.
struct CompiledTemplate {
  enum Segment {
    case text(String)
    case expression(CompiledExpression)
  }

  let segments: [Segment]

  /// The expression when there is nothing else.
  var lone: CompiledExpression? {
    if segments.count == 1, case .expression(let expression) = segments[0] {
      expression
    } else {
      nil
    }
  }
}

/// A value as a document gives it: literals, templates, lists and maps of them.
indirect enum CompiledValue {
  case constant(Value)
  case template(CompiledTemplate)
  case list([CompiledValue])
  case map([(String, CompiledValue)])
}
