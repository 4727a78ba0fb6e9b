/// What a check knows beside the types of names.
public struct CheckOptions: Sendable {
  /// Whether an operation on null gives no answer, as in the condition of a search, so that no
  /// test for null is missed.
  public var absorbsNull = false
  /// Whether the expression is a condition, which is true or false and not null.
  public var isCondition = false
  /// What is not null where the expression stands, as it is written: `title`, `link.title`.
  public var known: Set<String> = []

  /// Makes options.
  public init(absorbsNull: Bool = false, isCondition: Bool = false, known: Set<String> = []) {
    self.absorbsNull = absorbsNull
    self.isCondition = isCondition
    self.known = known
  }
}
