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
        var days: Set<String> = []
        own = own.filter { days.insert(run.host.clock.time(at: $0.time).date.iso8601).inserted }
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
    func isOpen(_ time: Timestamp) -> Bool { Self.admits(trigger, time, host.clock) }
    if let schedule = AutomationSchedule(
      trigger.event, host.clock, home: host.home(), holidays: host.holidays())
    {
      guard schedule.lack == nil else { return [] }
      var times: [Timestamp] = []
      var from = now
      // Within a day of the closed window there may be many.
      var tries = 0
      while times.count < limit, tries < limit + Self.mostSkips,
        let next = schedule.next(after: from, last: last)
      {
        if isOpen(next) { times.append(next) }
        (from, tries) = (next, tries + 1)
      }
      return times.map { ($0, nil) }
    }
    switch trigger.event {
    case .due(let due):
      return try moments(of: due, trigger, limit, after: now).filter { isOpen($0.time) }
    case .changed where trigger.hold != nil:
      let waiting =
        try store?.jobs.all(JobSelection(states: [.waiting], originPrefix: "automation ")) ?? []
      return waiting.filter { $0.key?.hasPrefix(trigger.holdPrefix) == true }.map { ($0.due, nil) }
    default: return []
    }
  }

  /// Whether a trigger fires at a time of day.
  static func admits(_ trigger: CompiledTrigger, _ time: Timestamp, _ clock: LocalClock) -> Bool {
    trigger.window?.contains(clock.time(at: time)) ?? true
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
      var search = Run.Search(entity: due.entity)
      let interval = due.condition(from: now, to: end)
      let own = trigger.condition?.expression.source.text
      search.filter = own.map { "(\($0)) && \(interval)" } ?? interval
      found = try run.find(search).flatMap { item in
        due.moments(of: item, in: run.host.clock).filter { $0 > now }
          .map { ($0, run.renderer.text(of: .object(item))) }
      }
      if found.count >= limit { break }
    }
    return found.sorted { $0.time < $1.time }
  }
}
