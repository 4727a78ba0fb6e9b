import CEL
import Items
import Testing

/// Sunrise and sunset compared with published tables.
@Suite struct SunTimeTests {
  /// A row of a table.
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let place: String
    let event: String
    /// The start of the search and the expected time, in local time.
    let after: String
    let time: String
    /// The tolerance in seconds: the tables are rounded, and a low sun sets slowly.
    var tolerance: Int64 = 60
    var testDescription: String { "\(event) in \(name) at \(time)" }
  }

  static let rows = [
    // I. Reda, A. Andreas: Solar Position Algorithm, NREL/TP-560-34302, example of appendix A.5.
    // Its sunset is that of 17 October in UT.
    Row(
      name: "Golden", place: "39.742476, -105.1786", event: "sunrise",
      after: "2003-10-17T00:00:00-07:00", time: "2003-10-17T06:12:43-07:00"),
    Row(
      name: "Golden", place: "39.742476, -105.1786", event: "sunset",
      after: "2003-10-16T00:00:00-07:00", time: "2003-10-16T17:20:19-07:00"),
    // timeanddate.com/sun/uk/london, to the minute.
    Row(
      name: "London", place: "51.5, -0.12", event: "sunrise", after: "2015-12-01T00:00:00Z",
      time: "2015-12-01T07:43:00Z"),
    Row(
      name: "London", place: "51.5, -0.12", event: "sunset", after: "2015-12-01T00:00:00Z",
      time: "2015-12-01T15:55:00Z"),
    // U.S. Naval Observatory, Sun and Moon Data for One Day, longitude E19.0, latitude N69.5.
    Row(
      name: "Tromsø", place: "69.5, 19", event: "sunrise", after: "2014-04-01T00:00:00+01:00",
      time: "2014-04-01T04:50:00+01:00", tolerance: 90),
    Row(
      name: "Tromsø", place: "69.5, 19", event: "sunset", after: "2014-04-01T00:00:00+01:00",
      time: "2014-04-01T18:49:00+01:00", tolerance: 90),
    Row(
      name: "Tromsø", place: "69.5, 19", event: "sunrise", after: "2014-04-30T00:00:00+01:00",
      time: "2014-04-30T02:29:00+01:00", tolerance: 120),
  ]

  private func schedule(_ text: String, _ place: String? = nil) throws -> DaySchedule {
    DaySchedule(
      Recurrence(weekdays: Set(0...6)),
      at: .sun(try #require(SunTime(text)), try place.map { try #require(Coordinates($0)) }))
  }

  @Test(arguments: rows) func timesMatchTables(_ row: Row) throws {
    let after = try #require(Timestamp(rfc3339: row.after))
    let wanted = try #require(Timestamp(rfc3339: row.time))
    let found = try #require(try schedule(row.event, row.place).next(after: after, in: .utc))
    #expect(abs(found.seconds - wanted.seconds) <= row.tolerance, "\(found)")
  }

  @Test func polarDayHasNoSunset() throws {
    // According to the same table, it rises on 18 May and sets on 25 July.
    let sunset = try schedule("sunset", "69.5, 19")
    let now = try #require(Timestamp(rfc3339: "2014-05-19T12:00:00+01:00"))
    let next = try #require(sunset.next(after: now, in: .utc))
    let wanted = try #require(Timestamp(rfc3339: "2014-07-25T23:20:00+01:00"))
    #expect(abs(next.seconds - wanted.seconds) <= 2 * 86_400, "\(next)")
  }

  @Test func sunsetAfterMidnightOccursOncePerNight() throws {
    // At the end of June the sun sets around midnight in Reykjavik, which uses Greenwich time.
    let sunset = try schedule("sunset", "64.15, -21.94")
    var moment = try #require(Timestamp(rfc3339: "2026-06-20T12:00:00Z"))
    var lengths: [Int64] = []
    for _ in 0..<20 {
      let next = try #require(sunset.next(after: moment, in: .utc))
      lengths.append(next.seconds - moment.seconds)
      moment = next
    }
    #expect(lengths.dropFirst().allSatisfy { abs($0 - 86_400) < 300 }, "\(lengths)")
  }

  @Test func offsetShiftsTheTime() throws {
    let place = "51.5, -0.12"
    let now = try #require(Timestamp(rfc3339: "2015-12-01T00:00:00Z"))
    let sunset = try #require(try schedule("sunset", place).next(after: now, in: .utc))
    let before = try #require(try schedule("sunset - 30m", place).next(after: now, in: .utc))
    let after = try #require(try schedule("sunset+1h30m", place).next(after: now, in: .utc))
    #expect(sunset.seconds - before.seconds == 1_800)
    #expect(after.seconds - sunset.seconds == 5_400)
  }

  @Test func defaultPlaceIsThePersonsLocation() throws {
    let sunset = try schedule("sunset")
    let now = try #require(Timestamp(rfc3339: "2015-12-01T00:00:00Z"))
    #expect(sunset.needsPlace)
    #expect(sunset.next(after: now, in: .utc) == nil)
    #expect(
      sunset.next(after: now, in: .utc, home: Coordinates("51.5, -0.12"))
        == (try schedule("sunset", "51.5, -0.12").next(after: now, in: .utc)))
  }

  @Test(arguments: [
    "sun", "sunset 30m", "sunset - ", "sunset - x", "sunset - 13h", "sunset -- 5m", "dusk",
  ])
  func invalidSunTimesAreRejected(_ text: String) {
    #expect(SunTime(text) == nil)
  }

  @Test func coordinatesAreParsed() {
    #expect(Coordinates("52.52, 13.40")?.text == "52.52, 13.4")
    #expect(Coordinates("-33.9 151.2")?.latitude == -33.9)
    for text in ["", "52", "91, 0", "0, 181", "52,52, 13,40", "north, east", "nan, 1", "inf, 0"] {
      #expect(Coordinates(text) == nil, "\(text)")
    }
  }

  @Test(arguments: [
    ("09:00", 32_400), ("9:00", 32_400), ("9am", 32_400), ("9 pm", 75_600), ("12am", 0),
    ("2:30pm", 52_200), ("23:59:30", 86_370),
  ])
  func timesOfDayAreParsed(_ text: String, _ second: Int) {
    #expect(TimeOfDay.second(text) == second)
  }

  @Test(arguments: ["9", "24:00", "13pm", "0am", "9:60", "9.30", "", "09:00:30.5"])
  func invalidTimesOfDayAreRejected(_ text: String) {
    #expect(TimeOfDay.second(text) == nil)
  }
}
