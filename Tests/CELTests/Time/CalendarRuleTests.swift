import CEL
import Testing

/// The examples of RFC 5545 §3.8.5.3, and its grammar.
@Suite struct CalendarRuleTests {
  /// A row: the start, the rule, the first days or times, and whether there are no more.
  struct Row: CustomTestStringConvertible {
    let start: String
    let rule: String
    let times: String
    var isAll = false
    var testDescription: String { rule }
  }

  static let rows = [
    Row(start: "19970902T090000", rule: "FREQ=DAILY;COUNT=3", times: "0902 0903 0904", isAll: true),
    Row(start: "19970902T090000", rule: "FREQ=DAILY;INTERVAL=2", times: "0902 0904 0906 0908"),
    Row(
      start: "19970902T090000", rule: "FREQ=DAILY;INTERVAL=10;COUNT=5",
      times: "0902 0912 0922 1002 1012", isAll: true),
    Row(
      start: "19970902T090000", rule: "FREQ=WEEKLY;UNTIL=19971001T090000",
      times: "0902 0909 0916 0923 0930", isAll: true),
    Row(
      start: "19970902T090000", rule: "FREQ=WEEKLY;INTERVAL=2;WKST=SU", times: "0902 0916 0930 1014"
    ),
    Row(
      start: "19970902T090000", rule: "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
      times: "0902 0904 0909 0911 0916 0918 0923 0925 0930 1002", isAll: true),
    Row(
      start: "19970901T090000",
      rule: "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000;WKST=SU;BYDAY=MO,WE,FR",
      times: """
        0901 0903 0905 0915 0917 0919 0929 1001 1003 1013 1015 1017 1027 1029 1031 1110 1112 1114 1124 1126 \
        1128 1208 1210 1212 1222
        """, isAll: true),
    Row(
      start: "19970902T090000", rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
      times: "0902 0904 0916 0918 0930 1002 1014 1016", isAll: true),
    Row(
      start: "19970905T090000", rule: "FREQ=MONTHLY;COUNT=5;BYDAY=1FR",
      times: "0905 1003 1107 1205 0102",
      isAll: true),
    Row(
      start: "19970907T090000", rule: "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
      times: "0907 0928 1102 1130 0104 0125 0301 0329 0503 0531", isAll: true),
    Row(
      start: "19970922T090000", rule: "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
      times: "0922 1020 1117 1222 0119 0216", isAll: true),
    Row(
      start: "19970928T090000", rule: "FREQ=MONTHLY;BYMONTHDAY=-3",
      times: "0928 1029 1128 1229 0129 0226"),
    Row(
      start: "19970930T090000", rule: "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
      times: "0930 1001 1031 1101 1130 1201 1231 0101 0131 0201", isAll: true),
    Row(
      start: "19970910T090000",
      rule: "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
      times: "0910 0911 0912 0913 0914 0915 0310 0311 0312 0313", isAll: true),
    Row(
      start: "19970902T090000", rule: "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
      times: "0902 0909 0916 0923 0930 1104 1111 1118 1125 0106"),
    Row(
      start: "19970610T090000", rule: "FREQ=YEARLY;COUNT=4;BYMONTH=6,7",
      times: "0610 0710 0610 0710",
      isAll: true),
    Row(
      start: "19970310T090000", rule: "FREQ=YEARLY;INTERVAL=2;COUNT=4;BYMONTH=1,2,3",
      times: "0310 0110 0210 0310", isAll: true),
    Row(
      start: "19970101T090000", rule: "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
      times: "0101 0410 0719 0101 0409 0718 0101 0410 0719 0101", isAll: true),
    Row(start: "19970519T090000", rule: "FREQ=YEARLY;BYDAY=20MO", times: "0519 0518 0517"),
    Row(
      start: "19970512T090000", rule: "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", times: "0512 0511 0517"),
    Row(
      start: "19970313T090000", rule: "FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
      times: "0313 0320 0327 0305 0312 0319 0326"),
    Row(
      start: "19970605T090000", rule: "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
      times: "0605 0612 0619 0626 0703 0710 0717 0724 0731 0807"),
    Row(
      start: "19970902T090000", rule: "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
      times: "0213 0313 1113 0813 1013"),
    Row(
      start: "19970913T090000", rule: "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
      times: "0913 1011 1108 1213 0110 0207 0307"),
    Row(
      start: "19961105T090000",
      rule: "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
      times: "1105 1107 1102"),
    Row(
      start: "19970904T090000", rule: "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
      times: "0904 1007 1106",
      isAll: true),
    Row(
      start: "19970929T090000", rule: "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
      times: "0929 1030 1127 1230 0129 0226 0330"),
    Row(
      start: "19970805T090000", rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
      times: "0805 0810 0819 0824", isAll: true),
    Row(
      start: "19970805T090000", rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
      times: "0805 0817 0819 0831", isAll: true),
    Row(
      start: "20070115T090000", rule: "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
      times: "0115 0130 0215 0315 0330",
      isAll: true),
    Row(
      start: "19970902T090000", rule: "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000",
      times: "0902T0900 0902T1200 0902T1500", isAll: true),
    Row(
      start: "19970902T090000", rule: "FREQ=MINUTELY;INTERVAL=15;COUNT=6",
      times: "0902T0900 0902T0915 0902T0930 0902T0945 0902T1000 0902T1015", isAll: true),
    Row(
      start: "19970902T090000", rule: "FREQ=MINUTELY;INTERVAL=90;COUNT=4",
      times: "0902T0900 0902T1030 0902T1200 0902T1330", isAll: true),
    Row(
      start: "19970902T090000", rule: "FREQ=DAILY;BYHOUR=9,16;BYMINUTE=0,40",
      times: "0902T0900 0902T0940 0902T1600 0902T1640 0903T0900"),
    Row(
      start: "19970902T090000", rule: "FREQ=MINUTELY;INTERVAL=40;BYHOUR=9,16",
      times: "0902T0900 0902T0940 0902T1620 0903T0900 0903T0940"),
    // A leap day comes in leap years.
    Row(start: "19960229T090000", rule: "FREQ=YEARLY", times: "0229 0229 0229"),
    // The 31st comes in long months.
    Row(start: "19970131T090000", rule: "FREQ=MONTHLY", times: "0131 0331 0531 0731"),
  ]

  @Test(arguments: rows) func followsTheStandard(_ row: Row) throws {
    let rule = try #require(CalendarRule(row.rule))
    let start = try #require(CalendarStamp(row.start)?.time)
    let end = CivilTime(date: start.date.adding(months: 12 * 40))
    let expected = row.times.split(separator: " ").map(String.init)
    func found(_ range: Range<CivilTime>, _ limit: Int) -> [String] {
      rule.times(from: start, until: rule.until?.time, in: range, limit: limit).map { time in
        let text = CalendarStamp(time, .local).text.dropFirst(4)
        return String(expected[0].contains("T") ? text.prefix(9) : text.prefix(4))
      }
    }
    #expect(found(start..<end, row.isAll ? 1_000 : expected.count) == expected)
    // A range that begins later has the rest.
    let second = rule.times(from: start, until: rule.until?.time, in: start..<end, limit: 2).last
    #expect(found(try #require(second)..<end, expected.count - 1) == Array(expected.dropFirst()))
  }

  @Test(arguments: [
    "", "FREQ=NOW", "COUNT=2", "FREQ=DAILY;COUNT=0", "FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;BYDAY=XX",
    "FREQ=DAILY;BYMONTH=13", "FREQ=DAILY;BYMONTHDAY=0", "FREQ=DAILY;FREQ=DAILY",
    "FREQ=DAILY;UNTIL=soon",
    "FREQ=DAILY;RSCALE=CHINESE", "FREQ=DAILY;BYDAY=", "FREQ=MONTHLY;BYDAY=99999999999999999999MO",
  ])
  func refusesOthers(_ text: String) { #expect(CalendarRule(text) == nil) }

  /// A rule whose times never come ends.
  @Test(arguments: [
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=DAILY;INTERVAL=1000000", "FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1",
  ])
  func endsWithoutTimes(_ text: String) throws {
    let rule = try #require(CalendarRule(text))
    let start = try #require(CalendarStamp("20260101T090000")?.time)
    let far = CivilTime(date: start.date.adding(months: 12 * 7_000))
    #expect(
      rule.times(from: start, until: nil, in: start..<far, limit: 50).count < 50
        || text.contains("DAILY"))
  }

  /// A count of times before the range is no reason to look at each of them (values of python-dateutil).
  @Test(arguments: [
    ("20000101T000000", "FREQ=HOURLY;COUNT=1000000", 24),
    ("20000101T000000", "FREQ=HOURLY;INTERVAL=5;COUNT=47220", 2),
    ("20260101T001530", "FREQ=MINUTELY;COUNT=10000000", 1_440),
    ("20261206T230000", "FREQ=HOURLY;COUNT=3", 2), ("20000101T000000", "FREQ=HOURLY;COUNT=9", 0),
  ])
  func countsFromAfar(_ start: String, _ rule: String, _ count: Int) throws {
    let rule = try #require(CalendarRule(rule))
    let start = try #require(CalendarStamp(start)?.time)
    let day = try #require(CalendarStamp("20261207")?.time)
    let next = CivilTime(date: day.date.adding(days: 1))
    let times = rule.times(from: start, until: nil, in: day..<next, limit: 2_000)
    #expect(times.count == count)
  }

  @Test(arguments: [
    ("19970714", "19970714"), ("19970714T123456", "19970714T123456"),
    ("19970714T123456Z", "19970714T123456Z"),
    ("1997-07-14T12:34:56Z", "19970714T123456Z"), ("19970630T235960Z", "19970630T235959Z"),
  ])
  func readsStamps(_ text: String, _ canonical: String) {
    #expect(CalendarStamp(text)?.text == canonical)
  }

  @Test(arguments: [
    "", "1997", "19970230", "19970714T2460", "19970714Z", "19970714T250000", "abcdefgh",
  ])
  func refusesOtherStamps(_ text: String) { #expect(CalendarStamp(text) == nil) }
}
