/// The form of values in the texts of an action.
package enum TextForm: String, Sendable, CaseIterable {
  /// Lists joined by commas, and moments as `2026-11-20 9:00`.
  case plain
  /// The form of Apple's Shortcuts: the items of a list in lines, dictionaries as JSON, `Yes` and
  /// `No`; addresses are completed and encoded.
  case apple
}
