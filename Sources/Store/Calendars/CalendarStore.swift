package import CEL

/// The calendars that are kept in step with the library, and their entries as both sides last had them.
package struct CalendarStore {
  let database: Database
  private var connection: Connection { database.connection }

  /// A calendar.
  package struct Calendar: Hashable, Sendable {
    package var name: String
    /// The path of its folder or file, or its address.
    package var place: String
    /// Whether its place is an address.
    package var isRemote: Bool { place.contains("://") }
    /// The person's name at a server.
    package var user: String?
    /// The secret with the password.
    package var secret: String?
    package var isReadOnly: Bool
    /// Whether the library's tasks are put into it.
    package var takesTasks: Bool
    /// The time of the last sync.
    package var synced: Timestamp?
    /// The state of the last sync, as the server names it.
    package var state: String?

    package init(name: String, place: String, isReadOnly: Bool, takesTasks: Bool) {
      (self.name, self.place) = (name, place)
      (self.isReadOnly, self.takesTasks) = (isReadOnly, takesTasks)
    }
  }

  /// An entry of a calendar.
  package struct Entry: Hashable, Sendable {
    /// Its name within the calendar.
    package var href: String
    /// The version there.
    package var etag: String
    /// Its text as both sides last had it.
    package var base: String

    package init(href: String, etag: String, base: String) {
      (self.href, self.etag, self.base) = (href, etag, base)
    }
  }

  /// The calendars by name.
  package func all() throws -> [Calendar] {
    guard try SystemTables.calendars.exist(in: database) else { return [] }
    return try connection.map(
      "SELECT name, place, readOnly, tasks, synced, user, secret, state FROM errand_calendars ORDER BY name"
    ) { row in
      var calendar = Calendar(
        name: row.text(0), place: row.text(1), isReadOnly: row.int(2) != 0,
        takesTasks: row.int(3) != 0)
      calendar.synced = row.optionalInt(4).map(Timestamp.init(microseconds:))
      (calendar.user, calendar.secret) = (row.optionalText(5), row.optionalText(6))
      calendar.state = row.optionalText(7)
      return calendar
    }
  }

  /// Adds a calendar, or changes the one of that name.
  package func put(_ calendar: Calendar) throws {
    try database.transaction {
      try SystemTables.calendars.make(in: database)
      let columns: [SQLValue] = [
        .text(calendar.name), .text(calendar.place), .int(calendar.isReadOnly ? 1 : 0),
        .int(calendar.takesTasks ? 1 : 0),
        calendar.synced.map { .int($0.microseconds) } ?? .null,
        calendar.user.map(SQLValue.text) ?? .null, calendar.secret.map(SQLValue.text) ?? .null,
        calendar.state.map(SQLValue.text) ?? .null,
      ]
      try connection.run("INSERT OR REPLACE INTO errand_calendars VALUES (\(SQL.values(columns)))")
    }
  }

  /// Removes a calendar; items stay.
  package func remove(_ name: String) throws {
    try database.transaction {
      try connection.run("DELETE FROM errand_calendars WHERE name = \(.text(name))")
      try connection.run("DELETE FROM errand_calendar_entries WHERE calendar = \(.text(name))")
    }
  }

  /// The entries of a calendar.
  package func entries(of calendar: String) throws -> [Entry] {
    guard try SystemTables.calendars.exist(in: database) else { return [] }
    return try connection.map(
      """
      SELECT href, etag, base FROM errand_calendar_entries \
      WHERE calendar = \(.text(calendar)) ORDER BY href
      """
    ) { Entry(href: $0.text(0), etag: $0.text(1), base: $0.text(2)) }
  }

  /// Records an entry within the open transaction.
  package func put(_ entry: Entry, in calendar: String) throws {
    let columns: [SQLValue] = [
      .text(calendar), .text(entry.href), .text(entry.etag), .text(entry.base),
    ]
    try database.write(
      "INSERT OR REPLACE INTO errand_calendar_entries VALUES (\(SQL.values(columns)))")
  }

  /// Forgets an entry within the open transaction.
  package func remove(_ href: String, from calendar: String) throws {
    try database.write(
      """
      DELETE FROM errand_calendar_entries \
      WHERE calendar = \(.text(calendar)) AND href = \(.text(href))
      """)
  }
}
