package import CEL

/// The values of one call of an intent or a shortcut.
package final class Frame {
  /// `it` first, then the input, the parameters, and what steps bind.
  package var slots: [Value]

  /// A frame in which every slot is null.
  package init(count: Int) {
    slots = Array(repeating: .null, count: count)
  }
}
