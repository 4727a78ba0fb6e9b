/// A secret text: it can be concatenated with other text, but not inspected.
package protocol HiddenText: ObjectValue {
  /// The placeholder displayed instead of the text.
  var shownText: String { get }
  /// Returns the concatenation with a following value; nil if that is not a text.
  func followed(by other: Value) -> Value?
  /// Returns the concatenation with a preceding value; nil if that is not a text.
  func preceded(by other: Value) -> Value?
}

extension HiddenText {
  package var isHidden: Bool { true }
}

extension ObjectValue {
  package var isHidden: Bool { false }
}

extension Value {
  /// Whether it is a secret text.
  var isHidden: Bool {
    if case .object(let object) = self { object.isHidden } else { false }
  }
}
