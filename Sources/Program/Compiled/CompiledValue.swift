package import CEL
package import Catalog
package import Items

/// An expression with its variables bound to slots.
package struct CompiledExpression {
  package let program: CEL.Program
  /// The slot of each variable of the program.
  package let slots: [Int]
  package let source: ExpressionSource
  /// Result of the type checker; nil if unchecked.
  var checked: CheckedExpression?

  /// Evaluates the expression in a frame.
  ///
  /// - Throws: an evaluation error.
  package func evaluate(_ frame: Frame) throws(EvaluationError) -> Value {
    try program.evaluate { index in frame.slots[slots[index]] }
  }

  /// Evaluates the expression in a frame and adds the steps taken to `spent`.
  ///
  /// - Parameter mustStop: polled at intervals; true cancels the evaluation.
  /// - Throws: an evaluation error.
  package func evaluate(
    _ frame: Frame, spent: inout Int, mustStop: (() -> Bool)? = nil
  ) throws(EvaluationError) -> Value {
    let limits = EvaluationLimits()
    var left = limits.steps
    defer { spent += limits.steps - left }
    return try program.evaluate(limits: limits, left: &left, mustStop: mustStop) { index in
      frame.slots[slots[index]]
    }
  }
}

/// A template with compiled expressions.
package struct CompiledTemplate {
  /// Literal text or an expression.
  package enum Segment {
    case text(String)
    case expression(CompiledExpression)
  }

  package let segments: [Segment]
  /// The language of the text; nil for English.
  package var language: Language?

  /// The expression, if there is nothing else.
  package var lone: CompiledExpression? {
    if segments.count == 1, case .expression(let expression) = segments[0] {
      expression
    } else {
      nil
    }
  }
}

/// A value in a document: literals, templates, and lists and maps of them.
package indirect enum CompiledValue {
  case constant(Value)
  case template(CompiledTemplate)
  case list([CompiledValue])
  case map([(String, CompiledValue)])

  /// The static type; nil if any.
  package var type: DataType? {
    switch self {
    case .constant(.string): return .string
    case .constant(.int): return .int
    case .constant(.double): return .double
    case .constant(.bool): return .bool
    case .template(let template):
      guard let lone = template.lone else { return .string }
      return lone.checked.flatMap { DataType($0.type) }
    case .list, .constant(.list): return .list(.any)
    case .map(let entries):
      return .record(RecordType("this map", entries.map { .init($0.0, $0.1.celType) }))
    case .constant(.map(let map)):
      return .record(
        RecordType(
          "this map",
          map.entries.map { .init($0.key.text, CompiledValue.constant($0.value).celType) }))
    default: return nil
    }
  }

  /// The static type in CEL.
  private var celType: CELType { type?.celType ?? (known?.isNull == true ? .null : .dyn) }

  /// The value, if it is constant.
  package var known: Value? {
    switch self {
    case .constant(let value): return value
    case .template(let template): return template.lone?.program.constant
    case .list(let values):
      let known = values.compactMap(\.known)
      return known.count == values.count ? .list(known) : nil
    case .map(let entries):
      let known = entries.compactMap { entry in entry.1.known.map { (entry.0, $0) } }
      return known.count == entries.count ? .map(MapValue(known)) : nil
    }
  }

  /// The CEL type, if the language has no name for it; else nil.
  var foreignType: CELType? {
    guard case .template(let template) = self, let type = template.lone?.checked?.type.withoutNull
    else { return nil }
    return switch type {
    case .bytes, .uint, .type, .optional, .opaque: type
    default: nil
    }
  }

  /// Whether it is known to be nullable.
  var mayBeNull: Bool {
    switch self {
    case .constant(let value): return value.isNull
    case .template(let template):
      guard let type = template.lone?.checked?.type else { return false }
      return type == .null || type != type.withoutNull
    case .list, .map: return false
    }
  }

  /// Whether it is never null.
  var isNeverNull: Bool {
    switch self {
    case .constant(let value): !value.isNull
    case .template(let template):
      template.lone.map { $0.checked?.type.isNeverNull == true } ?? true
    case .list, .map: true
    }
  }
}

/// The variables of one call of an intent or shortcut.
package final class Frame {
  /// Slot 0 is `it`; then the input, the parameters, and the variables bound by steps.
  package var slots: [Value]

  /// Creates a frame with these values.
  package init(_ slots: [Value]) { self.slots = slots }

  /// Creates a frame of nulls.
  package init(count: Int) { slots = Array(repeating: .null, count: count) }
}
