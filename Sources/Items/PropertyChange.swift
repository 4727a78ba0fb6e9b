package import CEL

/// The change of one property.
package struct PropertyChange: Sendable {
  /// The property's name.
  package let name: String
  /// The value before; null if it had none or the item did not exist.
  package let old: Value
  /// The value after; nil if the log does not contain it.
  package let new: Value?

  package init(name: String, old: Value, new: Value?) {
    self.name = name
    self.old = old
    self.new = new
  }
}
