/// What the value of a condition tells of other parts of its expression.
struct Outcome {
  /// What is not null when it is true, as it is written; nil when it never is true.
  var whenTrue: Set<String>? = []
  /// What is not null when it is false; nil when it never is false.
  var whenFalse: Set<String>? = []
  /// What is not null in each element of a list, with `@` for the element.
  var elements: Set<String> = []

  /// The value, when it is always the same.
  var constant: Bool? {
    if whenTrue == nil { return false }
    return whenFalse == nil ? true : nil
  }

  /// The outcome of what is always true, or never.
  static func always(_ value: Bool) -> Outcome {
    value ? Outcome(whenFalse: nil) : Outcome(whenTrue: nil)
  }

  /// The outcome of the opposite condition.
  var negated: Outcome { Outcome(whenTrue: whenFalse, whenFalse: whenTrue) }

  /// What holds when both do.
  static func both(_ a: Set<String>?, _ b: Set<String>?) -> Set<String>? {
    guard let a, let b else { return nil }
    return a.union(b)
  }

  /// What holds whichever of the two does.
  static func either(_ a: Set<String>?, _ b: Set<String>?) -> Set<String>? {
    guard let a else { return b }
    return b.map { a.intersection($0) } ?? a
  }
}
