import ErrandKit
import Server
import TestSupport
import Testing

/// Days and weeks of the page.
@Suite struct CalendarPageTests {
  /// A browser at a library with events and tasks, made by commands.
  private func browser(_ commands: [[String]]) throws -> Browser {
    let api = try API()
    for words in commands {
      let run = try api.sandbox.run(words)
      #expect(run.status == 0, "\(run)")
    }
    #expect(try api.request("POST", "/items/Task", #"{"title":"Some day"}"#).status == 201)
    var browser = Browser(api)
    try browser.signIn()
    return browser
  }

  /// The texts of a day's rows; nil if the page does not show the day.
  private func rows(_ day: String, of page: String) -> [String]? {
    guard let start = page.firstRange(of: "<section aria-labelledby=\"d-\(day)\"")?.upperBound
    else {
      return nil
    }
    let end = page[start...].firstRange(of: "</section>")?.lowerBound ?? page.endIndex
    return page[start..<end].split(separator: "<li ").dropFirst().map { row in
      let parts = row.split(separator: "<").map { $0.drop { $0 != ">" }.dropFirst() }
      return parts.joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(
        separator: " ")
    }
  }

  private static let events = [
    ["add-event", "Team", "--start", "2090-04-03T09:00", "--duration", "1h", "--place", "Corner"]
      + ["--repeat", "every monday"],
    ["add-event", "Fair", "--start", "2090-04-29", "--end", "2090-05-02"],
    ["add-event", "Party", "--start", "2090-05-05T22:00", "--duration", "4h"],
    ["add-event", "Night", "--start", "2090-05-06T20:00", "--duration", "4h"],
    ["add-task", "Pay", "--due", "2090-05-01"],
    ["add-task", "Call", "--due", "2090-05-01T08:00"],
    ["add-task", "Then", "--due", "2090-05-08"],
  ]

  @Test func aWeekHasItsEventsAndTasks() throws {
    let page = try browser(Self.events).load("/week/2090-05-03").text
    #expect(
      rows("2090-05-01", of: page) == [
        "All day Fair", "Pay", "08:00 Call", "09:00–10:00 Team Corner",
      ])
    #expect(rows("2090-05-02", of: page) == ["All day Fair"])
    #expect(rows("2090-05-03", of: page) == [])
    #expect(rows("2090-05-05", of: page) == ["From 22:00 Party"])
    #expect(rows("2090-05-06", of: page) == ["Until 02:00 Party", "20:00–00:00 Night"])
    #expect(rows("2090-05-07", of: page) == [])
    #expect(rows("2090-04-30", of: page) == nil && rows("2090-05-08", of: page) == nil)
    #expect(page.contains("1 May – 7 May 2090"))
    for path in ["/week/2090-04-26", "/week/2090-05-10", "/day/2090-05-03", "/day/2090-05-07"] {
      #expect(page.contains("href=\"\(path)\""), "\(path)")
    }
  }

  @Test func aDayIsOfItsPath() throws {
    let browser = try browser(Self.events)
    let page = try browser.load("/day/2090-05-08").text
    #expect(rows("2090-05-08", of: page) == ["Then", "09:00–10:00 Team Corner"])
    #expect(page.contains("Monday 8 May 2090"))
    #expect(try browser.load("/day?day=2090-05-08")["Location"] == "/day/2090-05-08")
    #expect(try browser.load("/week?day=").status == 200)
    for path in ["/day/2090-02-30", "/day/x", "/week/0000-01-01", "/week/9999-12-31", "/day/a/b"] {
      #expect(try browser.load(path).status == 404, "\(path)")
    }
  }

  @Test func overdueTasksAreOnToday() throws {
    let browser = try browser([
      ["add-task", "Late", "--due", "yesterday"], ["add-task", "Now", "--due", "today"],
      ["add-event", "Old", "--start", "2020-01-01"],
    ])
    for path in ["/day", "/week"] {
      let page = try browser.load(path).text
      let today = try #require(page.firstRange(of: "aria-current=\"date\""), "\(path)").upperBound
      #expect(page[today...].contains("1 day late"))
      #expect(page[today...].contains(">Now</a>"))
    }
    let past = try browser.load("/day/2020-01-01").text
    #expect(rows("2020-01-01", of: past) == ["All day Old"])
    #expect(!past.contains("aria-current=\"date\""))
  }

  @Test func nothingIsPlanned() throws {
    let browser = try browser([])
    let page = try browser.load("/week/2090-05-03").text
    #expect(page.contains("Nothing is planned."))
    #expect(page.contains("href=\"/run/add-event?start=2090-05-03&amp;back=%2Fweek%2F2090-05-03\""))
    let form = try browser.load("/run/add-event?start=2090-05-03&back=%2Fweek%2F2090-05-03").text
    #expect(form.contains(#"name="start" type="text" value="2090-05-03""#))
    #expect(form.contains(#"<input type="hidden" name="back" value="/week/2090-05-03">"#))
    let foreign = try browser.load("/run/add-event?back=//evil.example").text
    #expect(!foreign.contains("evil.example"))
  }

  @Test func anEventOpensBesideItsDays() throws {
    let browser = try browser(Self.events)
    let week = try browser.load("/week/2090-05-03").text
    #expect(week.contains("href=\"/item/Event/1?list=%2Fweek%2F2090-05-03\""))
    let page = try browser.load("/item/Event/1?list=/week/2090-05-03").text
    #expect(page.contains("data-list=\"/week/2090-05-03\""))
    #expect(page.contains("href=\"/week/2090-05-03\" aria-label=\"Back to the list\""))
    #expect(page.split(separator: "class=\"todo entry on\"").count == 2)
    #expect(rows("2090-05-01", of: page)?.count == 4)
  }
}
