/// A type as a value: what `type(x)` gives and `int` names.
package struct TypeName: Hashable, Sendable {
  /// Its name, such as `int` or `net.IP`.
  package let name: String

  /// Names a type.
  package init(_ name: String) {
    self.name = name
  }

  /// The name as people read it: without the package in which the specification defines it.
  package var displayName: String {
    switch name {
    case "google.protobuf.Timestamp": "timestamp"
    case "google.protobuf.Duration": "duration"
    default: name
    }
  }
}
