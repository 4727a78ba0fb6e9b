/// Options of a type check, apart from the types of names.
package struct CheckOptions: Sendable {
  /// Whether an operation on null has no result, as in a search condition, so that no null test is missed.
  package var absorbsNull = false
  /// The reason why the result must not be null, such as “a condition is true or false”; nil if it may be.
  package var need: String?
  /// Whether an operation that fails for all values is an error, which the language definition permits.
  package var refusesFailures = true
  /// The expressions known to be non-null, as written: `title`, `link.title`.
  package var known: Set<String> = []

  /// Creates options.
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
