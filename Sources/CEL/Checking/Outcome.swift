/// The facts implied by a condition being true or false.
struct Outcome {
  /// The non-null expressions if it is true, as written; nil if it is never true.
  var whenTrue: Set<String>? = []
  /// The non-null expressions if it is false; nil if it is never false.
  var whenFalse: Set<String>? = []
  /// The non-null parts of each element of a list, with `@` for the element.
  var elements: Set<String> = []

  /// The constant value, if any.
  var constant: Bool? {
    if whenTrue == nil { return false }
    return whenFalse == nil ? true : nil
  }

  /// Returns the outcome of a constant condition.
  static func always(_ value: Bool) -> Outcome {
    value ? Outcome(whenFalse: nil) : Outcome(whenTrue: nil)
  }

  /// The outcome of the negated condition.
  var negated: Outcome { Outcome(whenTrue: whenFalse, whenFalse: whenTrue) }

  /// Returns the facts that hold if both conditions hold.
  static func both(_ a: Set<String>?, _ b: Set<String>?) -> Set<String>? {
    guard let a, let b else { return nil }
    return a.union(b)
  }

  /// Returns the facts that hold if either condition holds.
  static func either(_ a: Set<String>?, _ b: Set<String>?) -> Set<String>? {
    guard let a else { return b }
    return b.map { a.intersection($0) } ?? a
  }
}
