import CEL
import Engine
import ErrandKit
import POSIX
import Program
import Source
import Store

/// `errand calendar`: keeps the library in step with calendars.
struct CalendarCommand {
  static let command: Command = .init(
    "calendar", "keep events and tasks in step with calendars",
    usage: "[list | add FOLDER|FILE | sync [NAME…] | remove NAME]",
    discussion: """
      A calendar is a folder with one entry in each .ics file, as vdirsyncer and others keep it, or a \
      single file, which is only read. Its entries become events and tasks; events with its name as \
      their `calendar` are put into it, and with --tasks your tasks. `sync` merges changes of both sides, \
      as a worker does every minute. What both changed is listed by `errand hub conflicts`.
      """,
    flags: [
      Flag("name", .value("NAME"), "with add: its name [default that of the folder]"),
      Flag("read-only", .toggle, "with add: write nothing into it"),
      Flag("tasks", .toggle, "with add: put the tasks into it that are in no other calendar"),
      Flag("force", .toggle, "with sync: also delete more than a tenth without a question"),
    ],
    serves: [.json, .format, .events, .answers]
  ) { invocation, arguments in
    let calendar = CalendarCommand(invocation: invocation, arguments: arguments)
    let words = arguments.words
    for (flag, verb) in [
      ("name", "add"), ("read-only", "add"), ("tasks", "add"), ("force", "sync"),
    ] {
      let isGiven = arguments.last(flag) != nil || arguments.isOn(flag)
      if isGiven, words.first != verb {
        throw UsageError("--\(flag) belongs to `calendar \(verb)`")
      }
    }
    switch (words.first ?? "list", words.count) {
    case ("list", 0...1): try calendar.list()
    case ("add", 2): try calendar.add(words[1])
    case ("sync", _): try calendar.sync(Array(words.dropFirst()))
    case ("remove", 2): try calendar.remove(words[1])
    default: throw command.misuse(words)
    }
  }

  let invocation: Invocation
  let arguments: Arguments

  private func list() throws {
    let calendars = try invocation.storeIfMade()?.calendars.all() ?? []
    let report = Report<CalendarStore.Calendar>(
      columns: [
        "name": \.name, "place": \.place,
        "kind": { $0.isReadOnly ? "read-only" : $0.takesTasks ? "events, tasks" : "events" },
        "synced": {
          $0.synced.map { Age(since: $0, at: SystemHost.now()).text + " ago" } ?? "never"
        },
      ], value: Self.value, empty: "No calendars. `errand calendar add FOLDER` adds one.")
    try report.write(calendars, to: invocation)
  }

  private static func value(_ calendar: CalendarStore.Calendar) -> Value {
    .record([
      "name": calendar.name, "place": calendar.place, "readOnly": calendar.isReadOnly,
      "tasks": calendar.takesTasks, "synced": calendar.synced,
    ])
  }

  private func add(_ path: String) throws {
    if path.contains("://") {
      throw UsageError(
        "`calendar add` takes a folder or a file, not an address",
        help: "keep a folder in step with a server by vdirsyncer, and add that folder")
    }
    let run = try invocation.openRun()
    let place = try CalendarPlace(Folder.resolved(path) ?? path)
    let store = try run.store()
    let name = arguments.last("name") ?? place.name
    if try store.calendars.all().contains(where: { $0.name == name || $0.place == place.path }) {
      throw RunError(
        .conflict, "there is a calendar `\(name)` or one at this place already",
        help: "`errand calendar list` shows them; --name gives another name")
    }
    let calendar = CalendarStore.Calendar(
      name: name, place: place.path, isReadOnly: place.isFile || arguments.isOn("read-only"),
      takesTasks: arguments.isOn("tasks"))
    try store.calendars.put(calendar)
    invocation.say("Added the calendar \(name).")
    try sync([calendar], run)
  }

  private func sync(_ names: [String]) throws {
    let run = try invocation.openRun()
    let all = try run.store().calendars.all()
    let chosen = try names.isEmpty ? all : names.map { try Self.named($0, all) }
    if chosen.isEmpty {
      return invocation.say("No calendars. `errand calendar add FOLDER` adds one.")
    }
    try sync(chosen, run)
  }

  private func sync(_ calendars: [CalendarStore.Calendar], _ run: Run) throws {
    for calendar in calendars {
      var sync = try CalendarSync(calendar, run) { count, all, isHere in
        if arguments.isOn("force") { return true }
        let what = isHere ? "The calendar \(calendar.name) lacks" : "The library lacks"
        let side = isHere ? "here" : "there"
        return try run.confirm(
          "\(what) \(count) of \(all) entries. Delete them \(side), too?", key: "delete")
      }
      let outcome = try RunError.reportingStore { try sync.sync() }
      if outcome.heldBack > 0 { invocation.status = ExitStatus.failed }
      guard invocation.mode.isPlain else {
        try invocation.resultWriter.write(Self.value(outcome, calendar))
        continue
      }
      invocation.say("\(calendar.name): \(outcome.received) received, \(outcome.sent) sent.")
      if outcome.conflicts > 0 {
        invocation.say("\(outcome.conflicts.counted("conflict")): errand hub conflicts")
      }
      if outcome.heldBack > 0 {
        invocation.say(
          "\(outcome.heldBack.counted("deletion")) held back: errand calendar sync --force")
      }
      if let first = outcome.unread.first {
        let rest = outcome.unread.count > 1 ? " and \(outcome.unread.count - 1) more" : ""
        invocation.say("Left alone, since it is not one event or task: \(first)\(rest)")
      }
    }
  }

  private static func value(
    _ outcome: CalendarSync.Outcome, _ calendar: CalendarStore.Calendar
  ) -> Value {
    .record([
      "calendar": calendar.name, "received": outcome.received, "sent": outcome.sent,
      "conflicts": outcome.conflicts, "heldBack": outcome.heldBack, "unread": outcome.unread,
    ])
  }

  private func remove(_ name: String) throws {
    let store = try invocation.openRun().store()
    let calendar = try Self.named(name, store.calendars.all())
    try store.calendars.remove(calendar.name)
    invocation.say(
      "Removed the calendar \(name); its events and tasks stay, and so does \(calendar.place).")
  }

  private static func named(
    _ name: String, _ all: [CalendarStore.Calendar]
  ) throws -> CalendarStore.Calendar {
    guard let calendar = all.first(where: { $0.name == name }) else {
      throw RunError(
        .notFound, "there is no calendar `\(name)`",
        help: Suggestion.help(for: name, in: all.map(\.name)))
    }
    return calendar
  }
}
