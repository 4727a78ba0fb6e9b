import CEL
import Engine
import ErrandKit
import ForeignText
import Links
import POSIX
import Program
import Source
import Store

/// `errand calendar`: keeps the library in step with calendars.
struct CalendarCommand {
  static let command: Command = .init(
    "calendar", "keep events and tasks in step with calendars",
    usage: "[list | add FOLDER|FILE|ADDRESS | sync [NAME…] | remove NAME]",
    discussion: """
      A calendar is one of a CalDAV server, a folder with one entry in each .ics file, as vdirsyncer \
      and others keep it, or a single file or its address, which is only read. `add` finds the \
      calendars of a server by its address and your login; the password is a secret. The entries \
      become events and tasks; events with its name as their `calendar` are put into it, and with \
      --tasks your tasks. `sync` merges the changes of both sides, as a worker does. `errand hub \
      conflicts` lists what both changed.
      """,
    flags: [
      Flag("name", .value("NAME"), "with add: its name [default that of the folder]"),
      Flag("user", .value("NAME"), "with add: your name at the server"),
      Flag("secret", .value("NAME"), "with add: the secret with the password [default calendar]"),
      Flag("read-only", .toggle, "with add: write nothing into it"),
      Flag("tasks", .toggle, "with add: put the tasks into it that are in no other calendar"),
      Flag("force", .toggle, "with sync: also delete more than a tenth without a question"),
    ],
    serves: [.json, .format, .events, .answers]
  ) { invocation, arguments in
    let calendar = CalendarCommand(invocation: invocation, arguments: arguments)
    let words = arguments.words
    for (flag, verb) in [
      ("name", "add"), ("user", "add"), ("secret", "add"), ("read-only", "add"), ("tasks", "add"),
      ("force", "sync"),
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
    let isServer = path.contains("://")
    if isServer { try Reexec.goOnWithRecordedRun(invocation) }
    let run = try invocation.openRun()
    let user = arguments.last("user")
    let secret = arguments.last("secret") ?? user.map { _ in "calendar" }
    if !isServer, secret != nil {
      throw UsageError("--user and --secret are for the address of a server")
    }
    let place =
      isServer
      ? try self.place(at: path, user: user, secret: secret, run)
      : try CalendarStore.Calendar.open(Folder.resolved(path) ?? path)
    let store = try run.store()
    let name = arguments.last("name") ?? place.name
    if name.trimmingBlanks.isEmpty { throw UsageError("a calendar needs a name") }
    if try store.calendars.all().contains(where: { $0.name == name || $0.place == place.place }) {
      throw RunError(
        .conflict, "there is a calendar `\(name)` or one at this place already",
        help: "`errand calendar list` shows them; --name gives another name")
    }
    var calendar = CalendarStore.Calendar(
      name: name, place: place.place, isReadOnly: place.isReadOnly || arguments.isOn("read-only"),
      takesTasks: arguments.isOn("tasks"))
    (calendar.user, calendar.secret) = (user, secret)
    try store.calendars.put(calendar)
    invocation.say("Added the calendar \(name).")
    try sync([calendar], run)
  }

  /// Finds the calendar at an address; asks which one if the server has several.
  private func place(
    at address: String, user: String?, secret: String?, _ run: Run
  ) throws -> any CalendarPlace {
    // Links to subscribe to have a scheme of their own.
    let text = address.hasPrefix("webcal") ? "http" + address.dropFirst("webcal".count) : address
    let url: WebURL
    do { url = try WebURL(text) } catch {
      throw UsageError("“\(address.shortened)” is not an address of a calendar: \(error)")
    }
    if url.userinfo != nil {
      throw UsageError(
        "an address has no login", help: "give the name by --user, and the password by a secret")
    }
    if url.scheme == "http", secret != nil,
      !["localhost", "127.0.0.1", "[::1]"].contains(url.host),
      try !run.confirm(
        "The password would go to \(url.host) without encryption. Go on?", key: "unencrypted")
    {
      throw RunError(.denied, "the calendar was not added", help: "use its address with https://")
    }
    let found = try ServerCalendar.all(at: text, user: user, secret: secret, run)
    if found.isEmpty {
      let file = try CalendarStore.Calendar.file(at: text, user: user, secret: secret, run)
      guard (try? file.list(since: nil, [:])) != nil else {
        throw RunError(
          .notFound, "there is no calendar at \(text)",
          help: user == nil ? "a server may want a login: --user NAME --secret NAME" : nil)
      }
      return file
    }
    let wanted = arguments.last("name").map { name in found.filter { $0.name == name } } ?? []
    if found.count == 1 || wanted.count == 1 { return wanted.first ?? found[0] }
    let choices = found.map { Question.Choice(title: $0.name, subtitle: $0.place) }
    do {
      guard let index = try run.choose(choices, prompt: "Which calendar?", key: "calendar") else {
        throw RunError(.declined, "no calendar was added")
      }
      return found[index]
    } catch let error as RunError where error.code == .needsValue {
      throw RunError(
        .needsValue,
        "\(url.host) has \(found.count) calendars: \(found.map(\.name).joined(separator: ", "))",
        help: "add --name with the name of one, or take its address")
    }
  }

  private func sync(_ names: [String]) throws {
    try Reexec.goOnWithRecordedRun(invocation)
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
      let outcome: CalendarSync.Outcome
      do { outcome = try RunError.reportingStore { try sync(calendar, run) } } catch let error
        as RunError where calendars.count > 1
      {
        // The others are synced all the same.
        invocation.console.err("errand: \(calendar.name): \(error.message)\n")
        invocation.status = ExitStatus.failed
        continue
      }
      if outcome.heldBack + outcome.refused.count + outcome.twins.count > 0 {
        invocation.status = ExitStatus.failed
      }
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
      for entry in outcome.refused {
        invocation.say("\(calendar.name) does not take \(entry.name): \(entry.reason)")
      }
      for twin in outcome.twins {
        invocation.say("Left alone, since it has the UID of \(twin.other): \(twin.name)")
      }
      if outcome.postponed > 0 {
        invocation.say(
          "\(outcome.postponed.counted("change")) not sent, since others came first: sync again")
      }
      if !outcome.unread.isEmpty {
        let names = outcome.unread.prefix(5).joined(separator: ", ")
        let rest = outcome.unread.count > 5 ? " and \(outcome.unread.count - 5) more" : ""
        invocation.say("Left alone, since it is not one event or task: \(names)\(rest)")
      }
    }
  }

  private func sync(
    _ calendar: CalendarStore.Calendar, _ run: Run
  ) throws -> CalendarSync.Outcome {
    let progress = ProgressLine(console: invocation.console, label: calendar.name)
    defer { progress.clear() }
    var sync = try CalendarSync(calendar, run) { count, all, isHere in
      if arguments.isOn("force") { return true }
      progress.clear()
      let what = isHere ? "The calendar \(calendar.name) lacks" : "The library lacks"
      let side = isHere ? "here" : "there"
      return try run.confirm(
        "\(what) \(count) of \(all) entries. Delete them \(side), too?", key: "delete")
    }
    sync.didMerge = { done, all in
      progress.update(done: done, fraction: Double(done) / Double(max(all, 1)))
    }
    return try sync.sync()
  }

  private static func value(
    _ outcome: CalendarSync.Outcome, _ calendar: CalendarStore.Calendar
  ) -> Value {
    .record([
      "calendar": calendar.name, "received": outcome.received, "sent": outcome.sent,
      "conflicts": outcome.conflicts, "heldBack": outcome.heldBack, "unread": outcome.unread,
      "refused": outcome.refused.map(\.name), "twins": outcome.twins.map(\.name),
      "postponed": outcome.postponed,
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
