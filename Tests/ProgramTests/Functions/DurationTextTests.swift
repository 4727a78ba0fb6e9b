import CEL
import Testing

@testable import Program

/// Durations as people read them.
@Suite struct DurationTextTests {
  @Test(
    arguments: [
      (0, "0s"), (1, "1s"), (60, "1m"), (5_400, "1h30m"), (86_400, "1d"), (90_061, "1d1h1m1s"),
      (604_800, "7d"), (-5_400, "-1h30m"),
    ])
  func wholeSecondsAreWrittenInDaysHoursAndMinutes(_ seconds: Int64, _ text: String) {
    #expect(DurationText.text(for: DurationValue(seconds: seconds)) == text)
  }

  @Test(
    arguments: [0, 1, -1, 1_500_000_000, 61_000_000_001, -90_000_000_500, .max, .min + 1])
  func durationTextIsParsedBack(_ nanoseconds: Int64) {
    let length = DurationValue(totalNanoseconds: nanoseconds)
    #expect(DurationReader.duration(DurationText.text(for: length)) == length)
  }

  @Test(arguments: [
    (0, "0 s"), (750, "750 ns"), (1_500, "1 µs"), (85_000_000, "85 ms"), (999_900_000, "999 ms"),
    (1_083_925_000, "1.1 s"), (2_000_000_000, "2 s"), (9_970_000_000, "10 s"),
    (12_400_000_000, "12 s"), (61_000_000_000, "1 min 1 s"), (-1_083_925_000, "-1.1 s"),
  ])
  func durationIsShownInAtMostTwoUnits(_ nanoseconds: Int64, _ text: String) {
    #expect(DurationText.spoken(DurationValue(totalNanoseconds: nanoseconds)) == text)
  }
}
