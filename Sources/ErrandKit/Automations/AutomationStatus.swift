package import CEL
import Catalog
package import Engine
import Items
import Program
import Source
package import Store
import Worker

/// An automation with the times of its last and next run.
package struct AutomationStatus {
  package let name: String
  /// The triggers as text.
  package let on: [String]
  package let last: Timestamp?
  package let next: Timestamp?
  /// The state of its latest job, or the reason it does not run.
  package let state: String

  /// Determines the status of an automation.
  ///
  /// - Parameter store: The store with its jobs; nil if there is none yet.
  package init(_ name: String, _ run: Run, _ store: Database?) throws {
    self.name = name
    let jobs = try store?.jobs.all(JobSelection(handler: name)) ?? []
    last = jobs.lazy.compactMap(\.started).max()
    let action: CompiledAction
    do { action = try run.workspace.automation(name) } catch let error as Diagnostics {
      on = []
      next = nil
      state = "has mistakes: \(error.all.first?.message ?? "")"
      return
    }
    let isEnabled = action.definition.automation?.isEnabled == true
    on = action.triggers.map { Self.text(of: $0, run) }
    let cursors = try store?.jobs.cursors() ?? [:]
    let now = run.host.now()
    let host = run.host
    var lack: String?
    var isDue = false
    for trigger in action.triggers {
      guard
        let schedule = AutomationSchedule(
          trigger.event, host.clock, home: host.home(), holidays: host.holidays())
      else { continue }
      lack = schedule.lack ?? lack
      guard schedule.lack == nil else { continue }
      let look = schedule.look(at: now, last: cursors[AutomationFeed.name(of: trigger, name)]?.last)
      isDue = isDue || look.due.map { trigger.admits($0, in: host.clock) } ?? false
    }
    next =
      !isEnabled
      ? nil : isDue ? now : try AutomationForecast(run, store).next(1, of: [name]).first?.time
    if !isEnabled {
      state = "off"
    } else if let lack {
      state = "needs \(lack)"
    } else if let job = jobs.first(where: { !$0.state.isOver }) {
      state = job.state.rawValue
    } else {
      state = jobs.first.map(\.state.rawValue) ?? "on"
    }
  }

  /// The status for machine-readable output.
  package var value: Value {
    .record(["name": name, "on": on, "last": last, "next": next, "state": state])
  }

  /// The text of a trigger, such as `every 6 h, 08:00 to 22:00`.
  static func text(of trigger: CompiledTrigger, _ run: Run) -> String {
    let hold = trigger.hold.map {
      "for \(run.renderer.text(of: .duration(DurationValue(totalNanoseconds: $0 * 1000))))"
    }
    let parts = [
      event(of: trigger, run), hold.map { " \($0)" }, trigger.window.map { ", \($0.text)" },
    ]
    return parts.compactMap { $0 }.joined()
  }

  private static func event(of trigger: CompiledTrigger, _ run: Run) -> String {
    switch trigger.event {
    case .every(let length):
      let duration = DurationValue(totalNanoseconds: length * 1000)
      return "every \(run.renderer.text(of: .duration(duration)))"
    case .days(let schedule) where trigger.kind == "at":
      let names = schedule.days.weekdays.sorted().map {
        String(CalendarNames.days[$0].lowercased().prefix(3))
      }
      return "at \(schedule.timeText)"
        + (names.isEmpty ? "" : " \(names.joined(separator: ", "))")
    case .days(let schedule): return "\(schedule.days.text) at \(schedule.timeText)"
    case .cron(let pattern): return "cron \(pattern.text)"
    case .created(let entity): return "created \(entity)"
    case .changed(let entity): return "changed \(entity)"
    case .due(let due): return "due \(due.text)"
    case .file(let folder, let match): return "file \(folder)" + (match.map { " \($0)" } ?? "")
    case .share(let types): return "share \(types.joined(separator: ", "))"
    case .machine(let happening): return happening.rawValue
    case .webhook(let name, _): return "webhook \(name)"
    }
  }
}
