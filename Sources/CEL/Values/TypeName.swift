/// A type as a value: the result of `type(x)`, or a name such as `int`.
package struct TypeName: Hashable, Sendable {
  /// The name, such as `int` or `net.IP`.
  package let name: String

  /// Creates a type value.
  package init(_ name: String) { self.name = name }

  /// The name in messages, without the package of the specification.
  package var displayName: String {
    switch name {
    case "google.protobuf.Timestamp": "timestamp"
    case "google.protobuf.Duration": "duration"
    default: name
    }
  }
}
