package import CEL

/// What a change made of one property.
package struct PropertyChange: Sendable {
  /// The property's name.
  package let name: String
  /// The value before; null when it had none, or when nothing was there before.
  package let old: Value
  /// The value after; nil when the log does not tell it.
  package let new: Value?

  package init(name: String, old: Value, new: Value?) {
    self.name = name
    self.old = old
    self.new = new
  }
}
