/// Why a share stays in the inbox.
package struct ShareRefusal: Error, Sendable {
  /// In a sentence without a full stop.
  package let reason: String
  /// What to do about it.
  package let help: String?

  init(_ reason: String, help: String? = nil) {
    self.reason = reason
    self.help = help
  }
}
