import CEL
import Catalog
import Engine
import Items
import Program
import Source
import Store
import Worker

/// `errand automations`: lists automations with the last and the next run of each.
enum AutomationsCommand {
  static let command = Command(
    "automations", "list automations, with the last and the next run of each", usage: "[NAME]",
    discussion: "A worker looks after them: see `errand help worker`.",
    serves: [.json, .format, .events], reads: .always
  ) { invocation, arguments in
    if let word = arguments.words.first {
      throw UsageError(
        "`automations` lists all of them",
        help: "`errand run \(word.quotedForShell)` starts it now, `errand show` prints it")
    }
    let session = try invocation.session()
    let store = try invocation.absentStore() == nil ? session.store() : nil
    let rows = try session.library.automationNames.map { name in
      try Row(name, session, store)
    }
    guard invocation.mode.isPlain else {
      try invocation.resultWriter.write(.list(rows.map(\.value)))
      return ExitStatus.done
    }
    let times = try TimeText(invocation)
    guard invocation.console.stdoutIsTerminal else {
      for row in rows {
        let cells = row.cells(times).map { "\($0)" as TerminalText }
        invocation.console.out(cells.joined(separator: "\t") + "\n")
      }
      return ExitStatus.done
    }
    if rows.isEmpty {
      invocation.say("No automations.")
    } else {
      invocation.front.show(
        Presentation(
          .table(columns: Row.columns, rows: rows.map { $0.cells(times) }), value: .null))
    }
    return ExitStatus.done
  }

  /// What is known of one automation.
  private struct Row {
    static let columns = ["name", "on", "last", "next", "state"]

    let name: String
    let on: [String]
    let last: Timestamp?
    let next: Timestamp?
    let state: String

    init(_ name: String, _ session: Run, _ store: EntityStore?) throws {
      self.name = name
      let jobs = try store?.jobs(JobSelection(handler: name)) ?? []
      last = jobs.lazy.compactMap(\.started).max()
      let action: CompiledAction
      do { action = try session.workspace.automation(name) } catch let error as Diagnostics {
        on = []
        next = nil
        state = "has mistakes: \(error.all.first?.message ?? "")"
        return
      }
      let isEnabled = action.definition.automation?.isEnabled == true
      on = action.triggers.map { Self.text(of: $0, session) }
      let cursors = try store?.cursors() ?? [:]
      let now = session.host.now()
      var lacksPlace = false
      next =
        !isEnabled
        ? nil
        : action.triggers.compactMap { trigger -> Timestamp? in
          let host = session.host
          guard let schedule = AutomationSchedule(trigger.event, host.clock, home: host.home())
          else { return nil }
          if schedule.lacksPlace {
            lacksPlace = true
            return nil
          }
          let cursor = cursors[AutomationFeed.name(of: trigger, name)]
          let look = schedule.look(at: now, last: cursor?.last)
          return look.due != nil ? now : look.next == .latest ? nil : look.next
        }.min()
      if !isEnabled {
        state = "off"
      } else if lacksPlace {
        state = "needs a place: \(AutomationSchedule.placeHelp)"
      } else if let job = jobs.first(where: { !$0.state.isOver }) {
        state = job.state.rawValue
      } else {
        state = jobs.first.map(\.state.rawValue) ?? "on"
      }
    }

    func cells(_ times: TimeText) -> [String] {
      func text(_ time: Timestamp?) -> String { time.map(times.text) ?? "" }
      return [name, on.joined(separator: "; "), text(last), text(next), state]
    }

    var value: Value {
      .map(
        MapValue([
          ("name", .string(name)), ("on", .list(on.map(Value.string))),
          ("last", last.map(Value.timestamp) ?? .null),
          ("next", next.map(Value.timestamp) ?? .null), ("state", .string(state)),
        ]))
    }

    private static func text(of trigger: CompiledTrigger, _ session: Run) -> String {
      switch trigger.event {
      case .every(let length):
        let duration = Duration(totalNanoseconds: length * 1000)
        return "every \(session.renderer.text(of: .duration(duration)))"
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
      case .file(let folder, let match): return "file \(folder)" + (match.map { " \($0)" } ?? "")
      case .share(let types): return "share \(types.joined(separator: ", "))"
      }
    }
  }
}
