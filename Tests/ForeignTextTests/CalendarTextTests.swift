import CEL
import ForeignText
import Testing

/// Calendars as text (RFC 5545 §3.1, RFC 6868) and their zones.
@Suite struct CalendarTextTests {
  private func calendar(_ lines: String) -> CalendarComponent? {
    CalendarComponent.all(in: Array(lines.utf8)).first
  }

  @Test func writesWhatItRead() throws {
    let text = [
      "BEGIN:VCALENDAR", "PRODID:-//A//B//EN", "X-WR-CALNAME:A\\, b", "BEGIN:VEVENT", "UID:1",
      "SUMMARY;LANGUAGE=en:Caf\u{E9} \\;\\, \\\\ \\n x",
      "X-ODD;P=\"a:b;c,d\",e;Q=f^ng^^h^'i:va;l:ue",
      "DESCRIPTION:This is a lo", " ng description", "\t with folds", "no content line",
      "BEGIN:X-OWN",
      "X-DEEP:1", "END:X-OWN", "END:VEVENT", "END:VCALENDAR", "",
    ].joined(separator: "\r\n")
    let tree = try #require(calendar(text))
    #expect(tree.text == text)
    let event = try #require(tree.components.first)
    #expect(event["SUMMARY"]?.text == "Café ;, \\ \n x")
    #expect(event["SUMMARY"]?["LANGUAGE"] == "en")
    #expect(event["DESCRIPTION"]?.text == "This is a long description with folds")
    let odd = try #require(event["X-ODD"])
    #expect(odd.parameters[0].values == ["a:b;c,d", "e"])
    #expect(odd["Q"] == "f\ng^h\"i")
    #expect(odd.value == "va;l:ue")
    // What is written anew reads the same.
    let copy = CalendarProperty(odd, value: odd.value)
    let again = calendar("BEGIN:A\n" + copy.lines + "END:A")?.properties.first
    #expect(again == odd)
    // Line breaks of one byte, and a mark at the start, are as good.
    let other = "\u{FEFF}" + text.replacing("\r\n", with: "\n")
    #expect(calendar(other)?.text == text)
  }

  @Test func foldsByBytes() throws {
    let property = CalendarProperty("SUMMARY", texts: [String(repeating: "漢", count: 100)])
    for line in property.lines.split(separator: "\r\n") { #expect(line.utf8.count <= 75) }
    let tree = try #require(calendar("BEGIN:A\r\n" + property.lines + "END:A"))
    #expect(tree["SUMMARY"]?.text == String(repeating: "漢", count: 100))
    // Another program may fold within a character.
    let bytes = Array("BEGIN:A\r\nSUMMARY:\u{E9}".utf8)
    let split: [UInt8] =
      bytes[..<(bytes.count - 1)] + [0x0D, 0x0A, 0x20] + bytes.suffix(1) + Array("\r\nEND:A".utf8)
    #expect(CalendarComponent.all(in: split).first?["SUMMARY"]?.text == "\u{E9}")
  }

  @Test func readsOtherEncodings() {
    let latin = Array("BEGIN:A\r\nSUMMARY:Caf".utf8) + [0xE9] + Array(" au lait\r\nEND:A\r\n".utf8)
    #expect(CalendarComponent.all(in: latin).first?["SUMMARY"]?.text == "Café au lait")
    let wide = "BEGIN:A\r\nSUMMARY:Café\r\nEND:A".utf16.flatMap {
      [UInt8($0 & 0xFF), UInt8($0 >> 8)]
    }
    #expect(CalendarComponent.all(in: [0xFF, 0xFE] + wide).first?["SUMMARY"]?.text == "Café")
  }

  @Test func closesWhatIsLeftOpen() throws {
    let tree = try #require(calendar("BEGIN:A\nBEGIN:B\nX:1\nEND:A\nBEGIN:C\n"))
    #expect(tree.components.map(\.name) == ["B"])
    #expect(CalendarComponent.all(in: Array("X:1\nEND:A\nBEGIN:A".utf8)).count == 1)
  }

  @Test func setsPropertiesInPlace() throws {
    var tree = try #require(calendar("BEGIN:A\nX:1\nY:2\nX:3\nBEGIN:B\nEND:B\nEND:A"))
    tree.set("X", [CalendarProperty("X", "4")])
    tree.set("Z", [CalendarProperty("Z", "5")])
    #expect(tree.text == "BEGIN:A\r\nX:4\r\nY:2\r\nZ:5\r\nBEGIN:B\r\nEND:B\r\nEND:A\r\n")
  }

  // MARK: Zones

  private static let berlin = """
    BEGIN:STANDARD
    DTSTART:16011028T030000
    RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
    TZOFFSETFROM:+0200
    TZOFFSETTO:+0100
    END:STANDARD
    BEGIN:DAYLIGHT
    DTSTART:16010325T020000
    RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
    TZOFFSETFROM:+0100
    TZOFFSETTO:+0200
    END:DAYLIGHT
    """

  @Test(
    arguments: [
      ("Europe/Berlin", "", "Europe/Berlin"),
      ("/mozilla.org/20050126_1/Europe/Berlin", "", "Europe/Berlin"),
      ("/freeassociation.sourceforge.net/America/Argentina/Salta", "", "America/Argentina/Salta"),
      ("W. Europe Standard Time", "", "Europe/Berlin"), ("Tokyo Standard Time", "", "Asia/Tokyo"),
      ("mine", "X-LIC-LOCATION:Europe/Vienna\n", "Europe/Vienna"),
      ("(UTC+01:00) Somewhere", berlin, "Europe/Berlin"),
    ] as [(String, String, String)])
  func namesZones(_ name: String, _ definition: String, _ known: String) throws {
    let text =
      "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:\(name)\n\(definition)\nEND:VTIMEZONE\nEND:VCALENDAR"
    let zones = CalendarZones(
      calendar(text), own: TimeZoneRules.named("Europe/Berlin"))
    #expect(zones.name(of: name) == known)
  }

  @Test func followsADefinitionWithoutAName() throws {
    let definition = Self.berlin.replacing("+0200", with: "+0242").replacing("+0100", with: "+0142")
    let text =
      "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:x\n\(definition)\nEND:VTIMEZONE\nEND:VCALENDAR"
    let zones = CalendarZones(calendar(text))
    #expect(zones.name(of: "x") == nil)
    for (stamp, moment) in [
      ("20260701T120000", "2026-07-01T09:18:00Z"), ("20260101T120000", "2026-01-01T10:18:00Z"),
      ("20261025T025959", "2026-10-25T00:17:59Z"), ("20261025T030000", "2026-10-25T01:18:00Z"),
    ] {
      let time = try #require(CalendarStamp(stamp))
      #expect(zones.timestamp(of: time, zone: "x") { $0.timestamp() }.text == moment)
    }
  }

  /// Definitions that we write mean the same to us.
  @Test(arguments: [
    "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Africa/Casablanca", "Australia/Lord_Howe",
  ])
  func writesDefinitions(_ name: String) throws {
    var zone = try #require(CalendarZones.definition(of: name, from: 2_020))
    zone.set("TZID", [CalendarProperty("TZID", "unknown")])
    let zones = CalendarZones(CalendarComponent("VCALENDAR", [.component(zone)]))
    let rules = try #require(TimeZoneRules.named(name))
    let start = try #require(CalendarStamp("20200101T123000")?.time)
    for day in stride(from: 0, to: 365 * 17, by: 11) {
      let time = CivilTime(date: start.date.adding(days: day), secondOfDay: start.secondOfDay)
      let moment = zones.timestamp(of: CalendarStamp(time, .local), zone: "unknown") {
        $0.timestamp()
      }
      #expect(moment == rules.timestamp(of: time))
    }
  }

  @Test(arguments: [
    ("PT1H30M", 5_400), ("-P1D", -86_400), ("P15DT5H0M20S", 1_314_020), ("P7W", 4_233_600),
  ])
  func readsDurations(_ text: String, _ seconds: Int64) {
    #expect(DurationValue(calendarText: text)?.seconds == seconds)
    let written = DurationValue(seconds: seconds).calendarText
    #expect(DurationValue(calendarText: written)?.seconds == seconds)
  }

  @Test(arguments: ["", "P", "1H", "PT5", "PTH", "PX"]) func refusesDurations(_ text: String) {
    #expect(DurationValue(calendarText: text) == nil)
  }
}
