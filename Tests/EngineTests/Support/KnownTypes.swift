import CEL
import Catalog
import Items
import Source
import YAML

@testable import Engine
@testable import Program

/// Decides whether the error of a failed run was detectable at compile time.
enum KnownTypes {
  /// Prefixes of messages about wrong types or names.
  private static let signs = [
    "cannot add", "cannot compare", "cannot subtract", "cannot multiply", "cannot divide",
    "cannot look for", "cannot negate", "the operand of `!` must", "operands of `",
    "there is no value named", "there is no function", "cannot take a field of", "cannot index",
    "cannot iterate over", "a condition must be a bool", "this condition must be", "`?` takes",
  ]

  /// Whether the error is in an expression whose parts all have known types, or in a constant
  /// argument.
  static func couldTell(_ error: RunError, in action: CompiledAction) -> Bool {
    if error.code == .invalidValue, let span = error.span, hasKnownArgument(at: span, in: action) {
      return true
    }
    let isSign =
      signs.contains { error.message.hasPrefix($0) } || error.message.contains("` cannot take ")
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

  /// Whether the type is known only at run time.
  private static func isOpen(_ type: CELType) -> Bool {
    switch type {
    case .dyn, .parameter: true
    case .list(let element), .optional(let element), .nullable(let element): isOpen(element)
    case .map(let key, let value): isOpen(key) || isOpen(value)
    default: false
    }
  }

  /// Whether an argument at a place has a constant value; items do not count.
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

  /// All expressions of an action, at any depth.
  private static func expressions(in value: Any) -> [CompiledExpression] {
    if let expression = value as? CompiledExpression { return [expression] }
    // Skip references out of the action, and parts without expressions.
    if value is VerbSignature || value is SourceFile || value is Span || value is String {
      return []
    }
    return Mirror(reflecting: value).children.flatMap { child in
      child.label == "definition" ? [] : expressions(in: child.value)
    }
  }
}
