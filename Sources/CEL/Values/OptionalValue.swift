/// The value of an expression such as `optional.of(x)` or `m.?key`.
package final class OptionalValue: Sendable {
  /// What it holds; nil for `optional.none()`.
  package let wrapped: Value?

  /// Wraps a value, or nothing.
  package init(_ wrapped: Value?) {
    self.wrapped = wrapped
  }

  /// The optional that holds nothing.
  package static let none = OptionalValue(nil)
}
