/// The value of an expression such as `optional.of(x)` or `m.?key`.
public final class OptionalValue: Sendable {
  /// What it holds; nil for `optional.none()`.
  public let wrapped: Value?

  /// Wraps a value, or nothing.
  public init(_ wrapped: Value?) {
    self.wrapped = wrapped
  }

  /// The optional that holds nothing.
  public static let none = OptionalValue(nil)
}
