import CPostgreSQL
import Glibc
import POSIX
import Store

/// A connection to a PostgreSQL server by libpq, which never blocks longer than its patience.
package final class PostgreSQL {
  private let handle: OpaquePointer
  /// Becomes readable when the person wants to stop; -1 for never.
  private let wake: Int32
  private let patience: Duration

  /// The oldest supported server: version 13.
  private static let oldestVersion: Int32 = 130_000

  /// Connects as psql does: by the environment, and by a service of `pg_service.conf`.
  ///
  /// - Parameters:
  ///   - service: The name of the service; empty for the environment's.
  ///   - address: A connection string from a secret; nil for none.
  ///   - patience: The longest wait for the connection and for a statement.
  /// - Throws: `HubFailure`.
  package init(
    service: String, address: String?, wake: Int32 = -1, patience: Duration = .seconds(30)
  ) throws {
    guard errand_pq_is_available() != 0 else {
      throw Self.refused("libpq is not installed; install the package libpq5")
    }
    self.wake = wake
    self.patience = patience
    var options = [("fallback_application_name", "errand"), ("client_encoding", "UTF8")]
    if !service.isEmpty { options.append(("service", service)) }
    // A connection string is passed as the name of a database.
    if let address { options.insert(("dbname", address), at: 0) }
    let started = Self.withStrings(options.map(\.0)) { names in
      Self.withStrings(options.map(\.1)) { values in
        PQconnectStartParams(names.baseAddress, values.baseAddress, 1)
      }
    }
    guard let started else { throw Self.away("not enough memory to connect") }
    handle = started
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    try finishConnecting()
    try expectSafety()
    PQsetnonblocking(handle, 1)
  }

  deinit { PQfinish(handle) }

  private static func withStrings<Result>(
    _ texts: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    var copies: [UnsafePointer<CChar>?] = texts.map { UnsafePointer(strdup($0)) }
    copies.append(nil)
    defer { for copy in copies { free(UnsafeMutablePointer(mutating: copy)) } }
    return copies.withUnsafeBufferPointer(body)
  }

  private var message: String {
    guard let text = PQerrorMessage(handle) else { return "" }
    return Self.cleaned(String(cString: text))
  }

  /// One line of a message of the server.
  private static func cleaned(_ text: String) -> String {
    let line = text.split(separator: "\n").first.map(String.init) ?? "no reason given"
    return line.hasPrefix("ERROR:  ") ? String(line.dropFirst(8)) : line
  }

  private func finishConnecting() throws {
    let end = MonotonicClock.nanoseconds + patience.nanoseconds
    while true {
      if PQstatus(handle) == CONNECTION_BAD { throw Self.away(message) }
      switch PQconnectPoll(handle) {
      case PGRES_POLLING_OK: return
      case PGRES_POLLING_READING: try wait(for: Int16(POLLIN), until: end)
      case PGRES_POLLING_WRITING: try wait(for: Int16(POLLOUT), until: end)
      default:
        // A wrong login is not cured by waiting.
        let isRefused = ["password", "role", "pg_hba", "permission", "certificate", "service"]
          .contains { message.contains($0) }
        throw isRefused ? Self.refused(message) : Self.away(message)
      }
    }
  }

  /// Checks the server's version, and that passwords and items do not travel in the clear.
  private func expectSafety() throws {
    guard PQserverVersion(handle) >= Self.oldestVersion else {
      throw Self.refused("the server is older than PostgreSQL 13")
    }
    guard let options = PQconninfo(handle) else { return }
    defer { PQconninfoFree(options) }
    var values: [String: String] = [:]
    var option = options
    while let name = option.pointee.keyword {
      if let value = option.pointee.val { values[String(cString: name)] = String(cString: value) }
      option += 1
    }
    let host = values["host"] ?? ""
    if host.isEmpty || host.hasPrefix("/") || values["sslmode"] == "verify-full" { return }
    throw Self.refused(
      "the connection to \(host) is not protected: set sslmode=verify-full in its service or as "
        + "PGSSLMODE")
  }

  // MARK: Waiting

  private func wait(for events: Int16, until end: Int64) throws {
    let left = (end - MonotonicClock.nanoseconds) / 1_000_000
    guard left > 0, try poll(for: events, milliseconds: left) else {
      throw Self.away("the server did not answer for \(patience.components.seconds) s")
    }
  }

  /// Waits for the socket; false when the time is over.
  private func poll(for events: Int16, milliseconds: Int64) throws -> Bool {
    let socket = PQsocket(handle)
    guard socket >= 0 else { throw Self.away(message) }
    var descriptors = [pollfd(fd: socket, events: events, revents: 0)]
    if wake >= 0 { descriptors.append(pollfd(fd: wake, events: Int16(POLLIN), revents: 0)) }
    let count = Glibc.poll(
      &descriptors, nfds_t(descriptors.count), Int32(clamping: milliseconds))
    if descriptors.count > 1, descriptors[1].revents != 0 {
      throw HubFailure(.interrupted, "ended")
    }
    return count != 0
  }

  // MARK: Statements

  /// The rows of a statement.
  package struct Rows: ~Copyable {
    fileprivate let result: OpaquePointer

    package var count: Int { Int(PQntuples(result)) }

    package func text(_ row: Int, _ column: Int) -> String {
      guard let bytes = PQgetvalue(result, Int32(row), Int32(column)) else { return "" }
      let length = Int(PQgetlength(result, Int32(row), Int32(column)))
      return String(
        decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self)
    }

    package func isNull(_ row: Int, _ column: Int) -> Bool {
      PQgetisnull(result, Int32(row), Int32(column)) != 0
    }

    package func int(_ row: Int, _ column: Int) -> Int64 { Int64(text(row, column)) ?? 0 }

    deinit { PQclear(result) }
  }

  /// Runs one statement with its parameters as text.
  @discardableResult
  package func run(_ statement: String, _ parameters: [String?] = []) throws -> Rows {
    let copies: [UnsafePointer<CChar>?] = parameters.map {
      $0.map { UnsafePointer(strdup($0)) } ?? nil
    }
    defer { for copy in copies { free(UnsafeMutablePointer(mutating: copy)) } }
    let isSent = copies.withUnsafeBufferPointer {
      PQsendQueryParams(
        handle, statement, Int32($0.count), nil, $0.baseAddress, nil, nil, 0)
    }
    guard isSent != 0 else { throw Self.away(message) }
    return try finish()
  }

  /// Runs `body` in a transaction; rolls back when it fails.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try run("BEGIN")
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      // The connection may be gone, which rolls back, too.
      _ = try? run("ROLLBACK")
      throw error
    }
  }

  /// Waits for the end of a statement, and returns its rows.
  @discardableResult
  private func finish() throws -> Rows {
    var end = MonotonicClock.nanoseconds + patience.nanoseconds
    while PQflush(handle) == 1 { try wait(for: Int16(POLLIN | POLLOUT), until: end) }
    var last: OpaquePointer?
    while true {
      while PQisBusy(handle) != 0 {
        try wait(for: Int16(POLLIN), until: end)
        guard PQconsumeInput(handle) != 0 else {
          PQclear(last)
          throw Self.away(message)
        }
      }
      guard let result = PQgetResult(handle) else { break }
      PQclear(last)
      last = result
      end = MonotonicClock.nanoseconds + patience.nanoseconds
    }
    guard let last else { throw Self.away(message) }
    switch PQresultStatus(last) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK: return Rows(result: last)
    default:
      defer { PQclear(last) }
      throw Self.error(of: last)
    }
  }

  private static func error(of result: OpaquePointer) -> HubFailure {
    let code =
      PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
    let text = PQresultErrorMessage(result).map { cleaned(String(cString: $0)) } ?? ""
    // PostgreSQL manual, appendix A.
    let isAway = code.hasPrefix("08") || code.hasPrefix("57P") || code == "40001"
    return isAway ? away(text) : refused(text)
  }

  /// No connection, or it was lost; another try may succeed.
  private static func away(_ message: String) -> HubFailure {
    HubFailure(.away, "cannot reach the hub: \(message)")
  }

  /// The server refused the address, the login, its rights or a statement.
  private static func refused(_ message: String) -> HubFailure {
    HubFailure(.refused, "the hub refused: \(message)")
  }

  // MARK: Notifications

  /// Waits for a notification on a subscribed channel, for a readable descriptor, or for a time;
  /// returns whether a notification arrived.
  package func waitForNotification(_ time: Duration, or other: Int32) throws -> Bool {
    if takeNotifications() { return true }
    var descriptors = [PQsocket(handle), wake, other].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    _ = Glibc.poll(
      &descriptors, nfds_t(descriptors.count), Int32(clamping: time.nanoseconds / 1_000_000))
    if descriptors[1].revents != 0 { throw HubFailure(.interrupted, "ended") }
    if descriptors[0].revents != 0, PQconsumeInput(handle) == 0 {
      throw Self.away(message)
    }
    return takeNotifications()
  }

  /// Removes the received notifications; false if there were none.
  private func takeNotifications() -> Bool {
    var found = false
    while let notification = PQnotifies(handle) {
      PQfreemem(notification)
      found = true
    }
    return found
  }
}
