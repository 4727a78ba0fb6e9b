package import CEL
import Catalog
package import Engine
import Items
import Program
package import Store
import Worker

/// The next runs of automations that are known in advance: by the clock, by what is due, and by conditions
/// that will have been true for long enough.
package struct AutomationForecast {
  /// A run.
  package struct Entry {
    package let time: Timestamp
    package let automation: String
    /// The trigger as text.
    package let on: String
    /// The title of the item; nil if it has none.
    package let item: String?

    /// The entry for machine-readable output.
    package var value: Value {
      .record(["time": time, "automation": automation, "on": on, "item": item])
    }
  }

  private let run: Run
  private let store: Database?

  /// The lengths of time in which items that are due are looked for, one after another, in seconds.
  private static let spans: [Int64] = [86_400, 32 * 86_400, 400 * 86_400]

  /// Creates a forecast with a run's definitions.
  ///
  /// - Parameter store: The store with the positions of the triggers; nil if there is none yet.
  package init(_ run: Run, _ store: Database?) {
    self.run = run
    self.store = store
  }

  /// The next runs, in the order of their times; those of automations with mistakes are left out.
  ///
  /// - Parameters:
  ///   - limit: The maximum number.
  ///   - names: The names of the automations; nil for all.
  package func next(_ limit: Int, of names: [String]? = nil) throws -> [Entry] {
    let cursors = try store?.jobs.cursors() ?? [:]
    var entries: [Entry] = []
    for name in names ?? run.catalog.automationNames {
      guard let action = try? run.workspace.automation(name),
        let automation = action.definition.automation, automation.isEnabled
      else { continue }
      var own: [Entry] = []
      for trigger in action.triggers {
        let last = cursors[AutomationFeed.name(of: trigger, name)]?.last
        let on = AutomationStatus.text(of: trigger, run)
        own += try times(of: trigger, last, limit).map {
          Entry(time: $0.time, automation: name, on: on, item: $0.item)
        }
      }
      own.sort { $0.time < $1.time }
      if automation.isOncePerDay {
        var days = Set([cursors[JobQueue.dayCursor(of: name)]?.state].compactMap { $0 })
        own = own.filter { days.insert(run.day(of: $0.time)).inserted }
      }
      entries += own
    }
    return Array(
      entries.sorted { ($0.time, $0.automation) < ($1.time, $1.automation) }.prefix(limit))
  }

  private func times(
    of trigger: CompiledTrigger, _ last: Timestamp?, _ limit: Int
  ) throws -> [(time: Timestamp, item: String?)] {
    let host = run.host
    let now = host.now()
    if let schedule = AutomationSchedule(
      trigger.event, host.clock, home: host.home(), holidays: host.holidays())
    {
      guard schedule.lack == nil else { return [] }
      var times: [Timestamp] = []
      var (from, last) = (now, last)
      for _ in 0..<limit + Self.mostSkips {
        guard times.count < limit, let next = schedule.next(after: from, last: last) else { break }
        if trigger.admits(next, in: host.clock) { times.append(next) }
        // The first of an interval is at once, and the others are counted from it.
        (from, last) = (next, last ?? next)
      }
      return times.map { ($0, nil) }
    }
    switch trigger.event {
    case .due(let due):
      return try moments(of: due, trigger, limit, after: now)
        .filter { trigger.admits($0.time, in: host.clock) }
    case .changed where trigger.hold != nil:
      let waiting =
        try store?.jobs.all(JobSelection(states: [.waiting], originPrefix: "automation ")) ?? []
      return waiting.filter { $0.key?.hasPrefix(trigger.holdPrefix) == true }.map { ($0.due, nil) }
    default: return []
    }
  }

  /// The number of times outside of the window after which no more are looked for.
  private static let mostSkips = 2_000

  private func moments(
    of due: DueMoments, _ trigger: CompiledTrigger, _ limit: Int, after now: Timestamp
  ) throws -> [(time: Timestamp, item: String?)] {
    guard store != nil else { return [] }
    var found: [(time: Timestamp, item: String?)] = []
    for span in Self.spans {
      let end = Timestamp(seconds: now.seconds + span)
      found = try run.due(due, trigger, after: now, to: end)
        .map { ($0.moment, run.renderer.text(of: .object($0.item))) }
      if found.count >= limit { break }
    }
    return found.sorted { $0.time < $1.time }
  }
}
