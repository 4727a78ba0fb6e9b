import CEL
import Testing

@testable import Program

@Suite struct RelativeTimeTests {
  @Test(arguments: [
    ("2026-11-20T12:00:00Z", "just now"), ("2026-11-20T11:59:01Z", "just now"),
    ("2026-11-20T12:00:30Z", "in a moment"), ("2026-11-20T11:59:00Z", "1 minute ago"),
    ("2026-11-20T11:00:01Z", "59 minutes ago"), ("2026-11-20T14:00:00Z", "in 2 hours"),
    ("2026-11-19T12:00:01Z", "23 hours ago"), ("2026-11-19T12:00:00Z", "yesterday"),
    ("2026-11-21T12:00:00Z", "tomorrow"), ("2026-11-18T23:30:00Z", "yesterday"),
    ("2026-11-18T22:30:00Z", "2 days ago"), ("2026-11-14T12:00:00Z", "6 days ago"),
    ("2026-11-13T12:00:00Z", "1 week ago"), ("2026-12-10T12:00:00Z", "in 2 weeks"),
    ("2026-10-20T12:00:00Z", "1 month ago"), ("2026-10-21T12:00:00Z", "1 month ago"),
    ("2026-06-20T12:00:00Z", "5 months ago"), ("2025-11-21T12:00:00Z", "11 months ago"),
    ("2025-11-20T12:00:00Z", "1 year ago"), ("2031-11-20T12:00:00Z", "in 5 years"),
  ])
  func words(text: String, expected: String) {
    let now = moment("2026-11-20T12:00:00Z")
    #expect(RelativeTime.text(for: moment(text), now: now, clock: .berlin) == expected)
  }

  @Test func longestSpansHaveWords() {
    let text = RelativeTime.text(for: .earliest, now: .latest, clock: .utc)
    #expect(text == "9998 years ago")
    #expect(RelativeTime.text(for: .latest, now: .earliest, clock: .utc) == "in 9998 years")
  }
}
