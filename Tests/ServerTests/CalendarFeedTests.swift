import Server
import TestSupport
import Testing

/// The calendar to which programs subscribe.
@Suite struct CalendarFeedTests {
  @Test func isForItsTokenOnly() throws {
    let api = try API()
    for words in [
      ["create", "event", "title=Fair", "start=2026-12-01"],
      ["create", "task", "title=Pay", "due=2026-12-02"],
      ["create", "task", "title=Some day"],
      ["create", "task", "title=Over", "due=2026-12-03", "done=true"],
    ] { _ = try api.sandbox.run(words) }
    let secret = try api.token(.calendar)
    let reply = try api.request("GET", "//calendar/\(secret).ics", token: "")
    #expect(reply.status == 200)
    #expect(reply.text.hasPrefix("BEGIN:VCALENDAR\r\n"))
    #expect(reply.text.contains("SUMMARY:Fair\r\n"))
    #expect(reply.text.contains("SUMMARY:Pay\r\n"))
    #expect(!reply.text.contains("Some day"))
    #expect(!reply.text.contains("Over"))
    // Nobody else learns that there is one.
    let read = try api.token(.read)
    let ended = try api.token(.calendar, expires: API.now)
    for name in ["x.ics", secret, read + ".ics", ended + ".ics", ".ics"] {
      #expect(try api.request("GET", "//calendar/\(name)", token: "").status == 404)
    }
    #expect(try api.request("POST", "//calendar/\(secret).ics", "{}", token: "").status == 405)
    // The token is good for nothing else.
    #expect(try api.request("GET", "/items/Task", token: secret).status == 403)
  }
}
