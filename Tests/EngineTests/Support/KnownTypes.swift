import CEL
import Catalog
import Items
import Source
import YAML

@testable import Engine
@testable import Program

/// Tells of a failed run whether the mistake could have been known before it.
enum KnownTypes {
  /// Beginnings of the messages of failures that are mistakes of types or names.
  private static let signs = [
    "can't add", "can't compare", "can't subtract", "can't multiply", "can't divide",
    "can't look for", "can't negate", "`!` wants", "`&&` wants", "`||` wants",
    "there is no value named", "there is no function", "can't take a field of", "can't index",
    "can't go through", "a condition must be a bool", "this condition gives", "`?` wants",
  ]

  /// Whether the failure is a mistake in an expression, all parts of which have known types, or in
  /// an argument that is the same in every run.
  static func couldTell(_ error: RunError, in action: CompiledAction) -> Bool {
    if error.code == .invalidValue, let span = error.span, hasKnownArgument(at: span, in: action) {
      return true
    }
    let isSign =
      signs.contains { error.message.hasPrefix($0) } || error.message.contains("` can't take ")
      || error.message.contains(" has no field ")
    guard isSign, let span = error.span else { return false }
    for expression in expressions(in: action) {
      let source = expression.source
      guard source.scalar.span.file.name == span.file.name,
        source.span.range.lowerBound <= span.range.lowerBound,
        span.range.upperBound <= source.span.range.upperBound, let checked = expression.checked
      else { continue }
      return !checked.parts.contains { isOpen($0.type) }
    }
    return false
  }

  /// Whether a type may turn out to be another one in the run.
  private static func isOpen(_ type: CELType) -> Bool {
    switch type {
    case .dyn, .parameter: true
    case .list(let element), .optional(let element), .nullable(let element): isOpen(element)
    case .map(let key, let value): isOpen(key) || isOpen(value)
    default: false
    }
  }

  /// Whether an argument of a verb stands there whose value is known before the run; items are not.
  private static func hasKnownArgument(at span: Span, in value: Any) -> Bool {
    if case .value(let value, let type, let place)? = value as? CompiledArgument,
      place.file.name == span.file.name, place.range == span.range
    {
      if type.entityName != nil { return false }
      return value.known != nil
    }
    if value is VerbSignature || value is SourceFile || value is Span || value is String {
      return false
    }
    return Mirror(reflecting: value).children.contains { child in
      child.label != "definition" && hasKnownArgument(at: span, in: child.value)
    }
  }

  /// All expressions of an action, wherever they stand.
  private static func expressions(in value: Any) -> [CompiledExpression] {
    if let expression = value as? CompiledExpression { return [expression] }
    // What leads out of the action, and what holds no expressions.
    if value is VerbSignature || value is SourceFile || value is Span || value is String {
      return []
    }
    return Mirror(reflecting: value).children.flatMap { child in
      child.label == "definition" ? [] : expressions(in: child.value)
    }
  }
}
