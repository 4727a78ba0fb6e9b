import CEL
import CLinux
import Engine
import ErrandKit
import Glibc
import Items
import POSIX
import Program
import Source
import Store

/// `errand hub`: shares the library with other machines through a PostgreSQL database.
struct HubCommand {
  static let command = Command(
    "hub", "share the library with your other machines",
    usage: "[init|join [NAME]|sync|status|conflicts [restore NUMBER|settle NUMBER]|leave]",
    discussion: """
      The library stays on each machine, whole and offline; a PostgreSQL database holds what they \
      share. `init` makes a hub in a database, `join` connects this library to it, `sync` sends and \
      merges changes. The address and the login are those of psql: a service of pg_service.conf \
      (--service), or PGHOST, PGDATABASE, PGUSER and .pgpass. Away from a socket, sslmode must be \
      verify-full. `conflicts` lists what was merged in a way that somebody may not have meant; \
      `restore` gives the item the value that lost.
      """,
    flags: [
      Flag("service", .value("NAME"), "with init and join: a service of pg_service.conf"),
      Flag("follow", .toggle, "with sync: stay, and send and merge changes as they come"),
    ],
    serves: [.json, .format, .answers]
  ) { invocation, arguments in
    let command = HubCommand(invocation: invocation, arguments: arguments)
    let words = arguments.words
    for (flag, verbs) in [("service", ["init", "join"]), ("follow", ["sync"])] {
      let isGiven = arguments.last(flag) != nil || arguments.isOn(flag)
      guard isGiven, !verbs.contains(words.first ?? "") else { continue }
      throw UsageError("--\(flag) belongs to `hub \(verbs.joined(separator: "` and `hub "))`")
    }
    switch (words.first ?? "status", words.count) {
    case ("init", 1): try command.make()
    case ("join", 1...2): try command.join(words.count > 1 ? words[1] : nil)
    case ("sync", 1): try command.sync()
    case ("status", 0...1): try command.status()
    case ("conflicts", 1): try command.listConflicts()
    case ("conflicts", 3) where words[1] == "restore": try command.restore(words[2])
    case ("conflicts", 3) where words[1] == "settle": try command.settle(words[2])
    case ("leave", 1): try command.leave()
    case (let verb, _) where subcommands.contains(verb):
      throw UsageError("too many or too few words after `hub \(verb)`", help: "errand hub --help")
    case (let verb, _):
      throw UsageError(
        "unknown subcommand “\(verb)”",
        help: Suggestion.nearest(to: verb, in: subcommands).map {
          "did you mean `errand hub \($0)`?"
        }
          ?? "choose \(subcommands.joined(separator: ", "))")
    }
  }

  private static let subcommands = ["init", "join", "sync", "status", "conflicts", "leave"]

  let invocation: Invocation
  let arguments: Arguments

  // MARK: The connection

  /// Connects to the hub at an address, in the binary with the network.
  private func connect(service: String) throws -> any HubConnection {
    guard let connect = invocation.console.link.hub else {
      throw RunError(
        .network, "`errand hub` needs errand-net, which is not installed beside errand",
        help: "install both: make && sudo make install")
    }
    return try reporting {
      try connect(
        HubAddress(service: service, secret: try secretAddress()), Interruption.run.pollDescriptor)
    }
  }

  /// The address that is kept as the secret `hub`; nil without one.
  private func secretAddress() throws -> String? {
    guard let places = invocation.places else { return nil }
    do { return try SecretFile(places).read()["hub"] } catch {
      throw RunError(.noSecret, "the secrets cannot be read: \(error.message)")
    }
  }

  /// Runs `body` and words the failures of the hub.
  private func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try RunError.reportingStore(body) } catch let failure as HubFailure {
      switch failure.kind {
      case .interrupted: throw Cancellation(.interrupted)
      case .away:
        throw RunError(
          .network, failure.message, help: "the library works without it; try again later")
      case .refused:
        throw RunError(
          .denied, failure.message, help: "check the service, the login and its rights with psql")
      }
    }
  }

  private func membership() throws -> (run: Run, member: HubStore.Membership) {
    let run = try invocation.openRun()
    guard let member = try reporting({ try run.store().hub.membership() }) else {
      throw RunError(
        .notFound, "this library has no hub", help: "`errand hub join` connects it to one")
    }
    return (run, member)
  }

  // MARK: Making and joining

  private func make() throws {
    try Reexec.goOnWithRecordedRun(invocation)
    let hub = try connect(service: arguments.last("service") ?? "")
    let isNew = try reporting { try hub.make() }
    guard isNew else { return invocation.say("The hub is there, in the current version.") }
    invocation.say("Made a hub in the schema `errand` of the database.")
    invocation.say(
      "Give each machine a login of its own, as the owner of the database: "
        + "CREATE ROLE laptop LOGIN PASSWORD '…' IN ROLE errand_member;")
    invocation.say("Then connect each library with `errand hub join`.")
  }

  private func join(_ name: String?) throws {
    try Reexec.goOnWithRecordedRun(invocation)
    let run = try invocation.openRun()
    let store = try run.store()
    if let member = try reporting({ try store.hub.membership() }) {
      throw RunError(
        .conflict, "this library has joined a hub already, as \(member.name)",
        help: "`errand hub leave` disconnects it")
    }
    let service = arguments.last("service") ?? ""
    let hub = try connect(service: service)
    let hubName = try reporting { try hub.name() }
    let isSure = try run.confirm(
      "The hub and each of its machines can read and change all that this library holds. Join it "
        + "only if you trust it as your own disk. Join?", key: "join")
    guard isSure else { throw RunError(.declined, "nothing was joined") }
    let number = Int64(store.makeUID().low & 0xFF_FFFF_FFFF) + 1
    let member = HubStore.Membership(
      hub: hubName, machine: number, name: name ?? Self.hostName, service: service)
    try reporting { try store.hub.join(member) }
    try sync(run, hub)
  }

  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "machine" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private func leave() throws {
    let (run, member) = try membership()
    let store = try run.store()
    let waiting = try reporting { try store.hub.outboxCount() + store.hub.unstagedCount() }
    let rest = waiting == 0 ? "" : " \(waiting.counted("change")) not sent yet will stay here only."
    guard try run.confirm("Leave the hub as \(member.name)?\(rest)", key: "leave") else {
      throw RunError(.declined, "nothing was changed")
    }
    try reporting { try store.hub.leave() }
    invocation.say("The library has left the hub; its items stay as they are.")
  }

  // MARK: Syncing

  private func sync() throws {
    try Reexec.goOnWithRecordedRun(invocation)
    let (run, member) = try membership()
    guard arguments.isOn("follow") else {
      return try sync(run, connect(service: member.service))
    }
    invocation.say("Sending and merging changes as they come. Ctrl-C ends it.")
    invocation.console.flush()
    try follow(run, member)
  }

  private func sync(_ run: Run, _ hub: any HubConnection) throws {
    let progress = ProgressLine(console: invocation.console, label: "syncing")
    defer { progress.clear() }
    let outcome = try reporting {
      try HubSync(run.store(), hub) {
        progress.update(done: $0.sent + $0.received, fraction: nil)
      }.run()
    }
    progress.clear()
    try tell(outcome)
  }

  private func tell(_ outcome: HubSync.Outcome) throws {
    guard invocation.mode.isPlain else {
      return try invocation.resultWriter.write(
        .record([
          "sent": outcome.sent, "received": outcome.received,
          "changed": outcome.changed, "conflicts": outcome.conflicts,
        ]))
    }
    if outcome.wasRestored {
      invocation.say("The hub was restored from a backup, so all was compared again.")
    }
    if outcome.wasCopied {
      invocation.say("This library is a copy of another machine's and is now one of its own.")
    }
    let sent = outcome.sent.counted("change")
    let changed = outcome.changed.counted("item")
    invocation.say(
      outcome.changed == 0
        ? "Sent \(sent); nothing new here." : "Sent \(sent); \(changed) changed here.")
    if outcome.conflicts > 0 {
      invocation.say(
        "\(outcome.conflicts.counted("conflict")): `errand hub conflicts` shows what was merged.")
    }
  }

  /// The longest time between two syncs of a follower.
  private static let longestPause = Duration.seconds(30)
  /// The time in which several changes of this machine become one push.
  private static let gathering = Duration.milliseconds(50)

  /// Syncs whenever the hub or the library has something new, until the person ends it.
  private func follow(_ run: Run, _ member: HubStore.Membership) throws {
    let store = try run.store()
    let watch = store.watch()
    var delay = Duration.seconds(1)
    while true {
      do {
        let hub = try connect(service: member.service)
        try reporting { try hub.listen() }
        while true {
          let outcome = try reporting { try HubSync(store, hub).run() }
          delay = .seconds(1)
          if outcome.sent + outcome.changed > 0 {
            try tell(outcome)
            invocation.console.flush()
          }
          try waitForNews(hub, watch, store)
        }
      } catch let error as RunError where error.code == .network {
        invocation.say("\(error.message); trying again in \(delay.components.seconds) s")
        invocation.console.flush()
        var descriptor = pollfd(
          fd: Interruption.run.pollDescriptor, events: Int16(POLLIN), revents: 0)
        if poll(&descriptor, 1, Int32(clamping: delay.components.seconds * 1000)) > 0 {
          throw Cancellation(.interrupted)
        }
        delay = min(delay * 2, Self.longestPause)
      }
    }
  }

  /// Waits until the hub gives a sign or the library changed.
  private func waitForNews(
    _ hub: any HubConnection, _ watch: StoreWatch?, _ store: Database
  ) throws {
    let end = MonotonicClock.nanoseconds + Self.longestPause.nanoseconds
    while MonotonicClock.nanoseconds < end {
      let rest = Duration.nanoseconds(max(0, end - MonotonicClock.nanoseconds))
      let pause = min(rest, StoreWatch.patience)
      if try reporting({ try hub.wait(pause, or: watch?.descriptor ?? -1) }) { return }
      // A write is seen before its commit, which may bring others along.
      if watch?.takeNews() == true, try reporting({ try hub.wait(Self.gathering, or: -1) }) {
        return
      }
      if try reporting({ try store.hub.unstagedCount() }) > 0 { return }
    }
  }

  // MARK: Status

  private func status() throws {
    let run = try invocation.openRun()
    guard let store = try invocation.storeIfMade(),
      let member = try reporting({ try store.hub.membership() })
    else {
      guard invocation.mode.isPlain else {
        return try invocation.resultWriter.write(.record(["hub": Value.null]))
      }
      return invocation.say("This library has no hub. `errand hub join` connects it to one.")
    }
    let waiting = try reporting { try store.hub.outboxCount() + store.hub.unstagedCount() }
    let conflicts = try reporting { try store.hub.conflicts().count }
    guard invocation.mode.isPlain else {
      return try invocation.resultWriter.write(
        .record([
          "hub": member.hub, "machine": member.name,
          "service": member.service, "unsent": waiting,
          "conflicts": conflicts,
          "synced": member.synced == 0
            ? Value.null : .timestamp(Timestamp(microseconds: member.synced)),
        ]))
    }
    let last =
      member.synced == 0
      ? "never synced"
      : "synced \(Age(since: Timestamp(microseconds: member.synced), at: run.host.now()).text) ago"
    let address = member.service.isEmpty ? "" : " through the service \(member.service)"
    invocation.say("Joined as \(member.name)\(address), \(last).")
    let unsent = waiting.counted("change")
    invocation.say(
      waiting == 0
        ? "All changes are sent." : "\(unsent) \(waiting == 1 ? "is" : "are") not sent.")
    if conflicts > 0 {
      invocation.say("\(conflicts.counted("conflict")): errand hub conflicts")
    }
  }

  // MARK: Conflicts

  private func listConflicts() throws {
    let (run, _) = try membership()
    let conflicts = try reporting { try run.store().hub.conflicts() }
    let report = Report<HubStore.Conflict>(
      columns: [
        "number": { "\($0.number)" }, "item": { Self.item($0) },
        "what": { Self.what($0) }, "lost": { Self.text($0.lost) }, "kept": { Self.text($0.kept) },
      ],
      value: { conflict in
        .record([
          "number": Value.int(conflict.number), "kind": conflict.kind.rawValue,
          "item": Self.item(conflict), "uid": conflict.uid.text,
          "property": conflict.property, "lost": conflict.lost, "kept": conflict.kept,
          "time": Value.timestamp(conflict.time),
        ])
      }, empty: "No conflicts.")
    try report.write(conflicts, to: invocation)
    guard !conflicts.isEmpty, invocation.console.stdoutIsTerminal, invocation.mode.isPlain else {
      return
    }
    invocation.say(
      "`errand hub conflicts restore NUMBER` gives the item what was lost; `settle NUMBER` forgets "
        + "the conflict.")
  }

  private static func item(_ conflict: HubStore.Conflict) -> String {
    guard let id = conflict.id else { return "\(EntitySchema.kind(of: conflict.entity)) (gone)" }
    return "\(ItemReference(entity: conflict.entity, id: id))"
  }

  private static func what(_ conflict: HubStore.Conflict) -> String {
    switch conflict.kind {
    case .value: "\(conflict.property) was set twice"
    case .deleted: "changed on one machine, deleted on another"
    case .needed: "deleted, but another item needs it"
    case .merged: "\(conflict.property) of two items that became one"
    }
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .null: ""
    case .string(let text): text
    case .map(let map): map["title"].map(text) ?? map["name"].map(text) ?? "\(value)"
    default: "\(value)"
    }
  }

  private func conflict(_ word: String) throws -> (run: Run, conflict: HubStore.Conflict) {
    let (run, _) = try membership()
    guard let number = Int64(word) else {
      throw UsageError("a conflict is named by its number, not “\(word)”")
    }
    guard
      let found = try reporting({ try run.store().hub.conflicts() }).first(where: {
        $0.number == number
      })
    else {
      throw RunError(
        .notFound, "there is no conflict \(number)", help: "`errand hub conflicts` lists them")
    }
    return (run, found)
  }

  private func restore(_ word: String) throws {
    let (run, conflict) = try conflict(word)
    let store = try run.store(for: conflict.entity)
    store.session.cause = "hub conflicts"
    let item = try reporting { try store.hub.restore(conflict) }
    try reporting { try store.hub.settle(conflict.number) }
    let name = item.description
    invocation.say(
      conflict.property.isEmpty
        ? "\(name) is back." : "\(name) has the lost value of \(conflict.property) again.")
  }

  private func settle(_ word: String) throws {
    let (run, conflict) = try conflict(word)
    try reporting { try run.store().hub.settle(conflict.number) }
    invocation.say("Forgot conflict \(conflict.number).")
  }
}
