/// Text that is kept from sight: it can be put together with other text, and nothing else.
package protocol HiddenText: ObjectValue {
  /// What stands in its place wherever it would be shown.
  var shownText: String { get }
  /// The two texts one after the other; nil where the other value is no text.
  func followed(by other: Value) -> Value?
  /// The two texts one after the other; nil where the other value is no text.
  func preceded(by other: Value) -> Value?
}

extension HiddenText {
  package var isHidden: Bool { true }
}

extension ObjectValue {
  package var isHidden: Bool { false }
}

extension Value {
  /// Whether it is text that is kept from sight.
  var isHidden: Bool {
    if case .object(let object) = self { object.isHidden } else { false }
  }
}
