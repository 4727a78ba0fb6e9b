package import CEL
package import Catalog
package import Items

/// An expression with its variables bound to slots.
package struct CompiledExpression {
  package let program: CEL.Program
  /// For each variable of the program, the slot that holds it.
  package let slots: [Int]
  package let source: ExpressionSource
  /// What was found out of it; nil where it was not checked.
  var checked: CheckedExpression?

  /// The value in a frame.
  ///
  /// - Throws: an evaluation error.
  package func evaluate(_ frame: Frame) throws(EvaluationError) -> Value {
    try program.evaluate { index in frame.slots[slots[index]] }
  }

  /// The value in a frame; the steps that it takes are added to `spent`.
  ///
  /// - Parameter mustStop: Is asked now and then whether the evaluation is to end.
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

/// A template with its expressions compiled.
package struct CompiledTemplate {
  package enum Segment {
    case text(String)
    case expression(CompiledExpression)
  }

  package let segments: [Segment]

  /// The expression when there is nothing else.
  package var lone: CompiledExpression? {
    if segments.count == 1, case .expression(let expression) = segments[0] {
      expression
    } else {
      nil
    }
  }
}

/// A value as a document gives it: literals, templates, lists and maps of them.
package indirect enum CompiledValue {
  case constant(Value)
  case template(CompiledTemplate)
  case list([CompiledValue])
  case map([(String, CompiledValue)])

  /// The type of the value, where it is known before the run; nil when it may be any value.
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
      return .record(
        RecordType("this map", entries.map { .init($0.0, $0.1.celType) }))
    case .constant(.map(let map)):
      return .record(
        RecordType(
          "this map",
          map.entries.map { .init($0.key.text, CompiledValue.constant($0.value).celType) }))
    default: return nil
    }
  }

  /// The type as expressions know it.
  private var celType: CELType { type?.celType ?? (known?.isNull == true ? .null : .dyn) }

  /// The value, where it is the same in every run; nil where it is not.
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

  /// The type, where it is one of expressions that the language has no word for; nil for others.
  var foreignType: CELType? {
    guard case .template(let template) = self, let type = template.lone?.checked?.type.withoutNull
    else { return nil }
    return switch type {
    case .bytes, .uint, .type, .optional, .opaque: type
    default: nil
    }
  }

  /// Whether it is known that it may be null.
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

/// The values of one call of an intent or a shortcut.
package final class Frame {
  /// `it` first, then the input, the parameters, and what steps bind.
  package var slots: [Value]

  /// A frame with these values.
  package init(_ slots: [Value]) { self.slots = slots }

  /// A frame in which every slot is null.
  package init(count: Int) {
    slots = Array(repeating: .null, count: count)
  }
}
