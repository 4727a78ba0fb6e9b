extension SystemTables {
  /// The tables of calendars that are kept in step with the library.
  package static let calendars = SystemTables(
    key: "calendars", form: "1", problem: "calendars",
    subject: "the record of calendars", contents: "calendars",
    tables: [
      Table(
        name: "errand_calendars", key: "name",
        isRow: "typeof(name) = 'text' AND typeof(place) = 'text'",
        statements: [
          """
          CREATE TABLE IF NOT EXISTS errand_calendars (name TEXT PRIMARY KEY, place TEXT NOT NULL, \
          readOnly INTEGER NOT NULL, tasks INTEGER NOT NULL, synced INTEGER, user TEXT, \
          secret TEXT, state TEXT) WITHOUT ROWID
          """
        ]),
      Table(
        name: "errand_calendar_entries", key: "calendar",
        isRow: "typeof(calendar) = 'text' AND typeof(href) = 'text'",
        statements: [
          """
          CREATE TABLE IF NOT EXISTS errand_calendar_entries (calendar TEXT NOT NULL, \
          href TEXT NOT NULL, etag TEXT NOT NULL, base TEXT NOT NULL, \
          PRIMARY KEY (calendar, href)) WITHOUT ROWID
          """
        ]),
    ]
  ) { _ in
    "the record of calendars is lost: add them again; entries that are here and there are matched"
  }
}
