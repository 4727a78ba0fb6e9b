/// The value of an expression such as `optional.of(x)` or `m.?key`.
package final class OptionalValue: Sendable {
  /// The wrapped value; nil for `optional.none()`.
  package let wrapped: Value?

  /// Creates an optional, which may be empty.
  package init(_ wrapped: Value?) { self.wrapped = wrapped }

  /// The empty optional.
  package static let none = OptionalValue(nil)
}
