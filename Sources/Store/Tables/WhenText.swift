package import CEL

/// A day or a moment as the text of a column: `2026-11-20`, `2026-11-20T14:00:00Z`, or
/// `2026-11-20T14:00:00Z-3600` for one that is as many seconds later as the clocks skip.
package enum WhenText {
  /// The length of a day, which that of a moment exceeds.
  static let dayLength: Int64 = 10
  /// The length of a moment, without the seconds that may follow it.
  static let momentLength: Int64 = 20

  /// Returns the text of a day or a moment.
  ///
  /// - Parameter dateText: Returns the day at a moment.
  static func text(of moment: Timestamp, dateText: (Timestamp) -> String) -> String {
    if moment.isDay { return dateText(moment) }
    return moment.skipped == 0 ? moment.text : "\(moment.text)-\(moment.skipped)"
  }

  /// Returns the day or the moment of a text; nil for another.
  ///
  /// - Parameter midnight: Returns the first moment of a day; nil for a text that is none.
  package static func timestamp(
    _ text: String, midnight: (String) -> Timestamp?
  ) -> Timestamp? {
    if let moment = midnight(text) ?? Timestamp(rfc3339: text) { return moment }
    guard let mark = text.lastIndex(of: "-"), let skipped = Int(text[text.index(after: mark)...]),
      let moment = Timestamp(rfc3339: String(text[..<mark]))
    else { return nil }
    return Timestamp(seconds: moment.seconds, skipped: skipped)
  }
}
