/// Why a share stays in the inbox.
package struct ShareRefusal: Error, Sendable {
  /// In a sentence without a full stop.
  package let reason: String
  /// What to do about it.
  package let remedy: Remedy?
  /// Whether it is over by itself before long.
  package let isPassing: Bool

  init(_ reason: String, remedy: Remedy?, isPassing: Bool = false) {
    self.reason = reason
    self.remedy = remedy
    self.isPassing = isPassing
  }

  /// A refusal with advice that reads the same everywhere.
  init(_ reason: String, help: String? = nil, isPassing: Bool = false) {
    self.init(reason, remedy: help.map(Remedy.advice), isPassing: isPassing)
  }

  /// The refusal of a bare file that is not whole yet.
  static let stillWritten = ShareRefusal(
    "another program is writing it", help: "give it another name once it is whole",
    isPassing: true)
}
