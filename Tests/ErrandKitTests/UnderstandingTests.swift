import ErrandKit
import Testing

/// Words as values of a type, for the line beside a field.
@Suite struct UnderstandingTests {
  @Test(
    arguments: [
      ("2026-12-24", "date", "Thu 24 Dec 2026"), ("24 dec 2026", "date?", "Thu 24 Dec 2026"),
      ("2026-12-24 6pm", "timestamp", "Thu 24 Dec 2026, 18:00"),
      ("90 min", "duration", "1 h 30 min"),
      ("someday", "date", nil), ("2026-02-30", "date", nil), ("5 potatoes", "duration", nil),
      ("2026-12-24", "string", nil), ("", "date", nil),
    ] as [(String, String, String?)])
  func showsWhatWordsMean(_ words: String, _ type: String, _ shown: String?) throws {
    let home = try Home()
    let errand = try home.open()
    #expect(errand.understood(words, as: type) == shown)
  }
}
