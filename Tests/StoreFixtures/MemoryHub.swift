import Items
package import Store

/// A hub in memory that several stores share, which can fail before or after it has done something.
package final class MemoryHub: HubTransport {
  /// The failure of a connection.
  package struct Cut: Error {}

  fileprivate struct Row {
    let message: Outbox.Message
    let machine: Int64
    let number: Int64
  }

  private var name = "hub"
  private var rows: [Row] = []
  private var pushes: [Int64: [(turn: Int64, name: GlobalID?)]] = [:]
  private var lastNumber: Int64 = 0
  /// The hub's clock in microseconds since 1970.
  package var now: Int64 = 1_795_000_000_000_000
  /// Whether the next call fails, and whether after its effect; asked at every call.
  package var failing: () -> (before: Bool, after: Bool) = { (false, false) }
  /// The number of messages that a page delivers again, before those that are new.
  package var repeats = 0

  package init() {}

  /// The state for a backup.
  package struct Backup {
    fileprivate let rows: [Row]
    fileprivate let pushes: [Int64: [(turn: Int64, name: GlobalID?)]]
    fileprivate let lastNumber: Int64
  }

  package var backup: Backup { Backup(rows: rows, pushes: pushes, lastNumber: lastNumber) }

  package func restore(_ backup: Backup) {
    (rows, pushes, lastNumber) = (backup.rows, backup.pushes, backup.lastNumber)
  }

  private func call<Result>(_ body: () throws -> Result) throws -> Result {
    now += 1_000_000
    let fails = failing()
    if fails.before { throw Cut() }
    let result = try body()
    if fails.after { throw Cut() }
    return result
  }

  package func begin(_ member: HubStore.Membership) throws -> HubGreeting {
    try call {
      let last = pushes[member.machine]?.last
      let knows =
        member.seen == 0
        || rows.contains { $0.number == member.seen && $0.message.name.text == member.seenName }
      return HubGreeting(
        hub: name, now: now, turn: last?.turn ?? 0, turnName: last?.name, knowsSeen: knows)
    }
  }

  /// Adds a message as a machine that checks nothing.
  package func add(_ message: Outbox.Message, of machine: Int64) {
    lastNumber += 1
    rows.append(Row(message: message, machine: machine, number: lastNumber))
  }

  package func push(_ batch: HubBatch, of machine: Int64, turn: Int64) throws {
    try call {
      if (pushes[machine]?.last?.turn ?? 0) != turn - 1 { throw HubTurnTaken() }
      let known = Set(rows.map(\.message.name))
      for message in batch.messages where !known.contains(message.name) {
        lastNumber += 1
        rows.append(Row(message: message, machine: machine, number: lastNumber))
      }
      pushes[machine, default: []].append((turn, batch.lastName))
    }
  }

  package func pull(after seen: Int64, without machine: Int64, limit: Int) throws -> HubPage {
    try call {
      let new = rows.filter { $0.number > seen }.prefix(limit)
      guard let last = new.last else {
        return HubPage(messages: [], last: seen, lastName: "", isLast: true)
      }
      let again = rows.filter { $0.number <= seen }.suffix(repeats)
      return HubPage(
        messages: (again + new).filter { $0.machine != machine }.map(\.message),
        last: last.number, lastName: last.message.name.text, isLast: new.count < limit, now: now)
    }
  }
}
