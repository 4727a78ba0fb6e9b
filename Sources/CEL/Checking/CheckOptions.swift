/// What a check knows beside the types of names.
package struct CheckOptions: Sendable {
  /// Whether an operation on null gives no answer, as in the condition of a search, so that no
  /// test for null is missed.
  package var absorbsNull = false
  /// Why the whole may not be null, such as “a condition is true or false”; nil when it may.
  package var need: String?
  /// What is not null where the expression stands, as it is written: `title`, `link.title`.
  package var known: Set<String> = []

  /// Makes options.
  package init(absorbsNull: Bool = false, need: String? = nil, known: Set<String> = []) {
    self.absorbsNull = absorbsNull
    self.need = need
    self.known = known
  }
}
