/// A type as a value: what `type(x)` gives and `int` names.
public struct TypeName: Hashable, Sendable {
  /// Its name, such as `int` or `net.IP`.
  public let name: String

  /// Names a type.
  public init(_ name: String) {
    self.name = name
  }
}
