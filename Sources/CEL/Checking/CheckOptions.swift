/// What a check knows beside the types of names.
package struct CheckOptions: Sendable {
  /// Whether an operation on null gives no answer, as in the condition of a search, so that no
  /// test for null is missed.
  package var absorbsNull = false
  /// Why the whole may not be null, such as “a condition is true or false”; nil when it may.
  package var need: String?
  /// Whether what can only fail at evaluation is a mistake; to the language definition it is none.
  package var refusesFailures = true
  /// What is not null where the expression stands, as it is written: `title`, `link.title`.
  package var known: Set<String> = []

  /// Makes options.
  package init(
    absorbsNull: Bool = false, need: String? = nil, known: Set<String> = [],
    refusesFailures: Bool = true
  ) {
    self.absorbsNull = absorbsNull
    self.refusesFailures = refusesFailures
    self.need = need
    self.known = known
  }
}
