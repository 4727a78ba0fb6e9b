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
  static let command: Command = .init(
    "hub", "share the library with your other machines",
    usage: """
      [init | join [HUB] | sync | status | fetch [REF…] | offer [NAME…] | conflicts | \
      conflicts restore NUMBER | conflicts settle NUMBER | leave]
      """,
    discussion: """
      The library stays on each machine, whole and offline; a PostgreSQL database holds what they \
      share. `init` makes a hub in a database, `join` connects this library to it, `sync` sends and \
      merges changes. The address and the login are those of psql: a service of pg_service.conf \
      (--service), or PGHOST, PGDATABASE, PGUSER and .pgpass. Away from a socket, sslmode must be \
      verify-full. `conflicts` lists what was merged in a way that somebody may not have meant; \
      `restore` gives the item the value that lost. The bytes of files come when they are opened, or with \
      `fetch`. `offer` lists the intents and shortcuts that \
      this machine's workers run for jobs of the hub, or adds some.
      """,
    flags: [
      Flag("service", .value("NAME"), "with init and join: a service of pg_service.conf"),
      Flag("follow", .toggle, "with sync: stay, and send and merge changes as they come"),
      Flag("stop", .toggle, "with offer: stop running them"),
    ],
    serves: [.json, .format, .answers]
  ) { invocation, arguments in
    let hub = HubCommand(invocation: invocation, arguments: arguments)
    let words = arguments.words
    for (flag, verbs) in [
      ("service", ["init", "join"]), ("follow", ["sync"]), ("stop", ["offer"]),
    ] {
      let isGiven = arguments.last(flag) != nil || arguments.isOn(flag)
      guard isGiven, !verbs.contains(words.first ?? "") else { continue }
      throw UsageError("--\(flag) belongs to `hub \(verbs.joined(separator: "` and `hub "))`")
    }
    switch (words.first ?? "status", words.count) {
    case ("init", 1): try hub.make()
    case ("join", 1...2): try hub.join(words.count > 1 ? words[1] : nil)
    case ("sync", 1): try hub.sync()
    case ("status", 0...1): try hub.status()
    case ("fetch", _): try hub.fetch(Array(words.dropFirst()))
    case ("offer", _): try hub.offer(Array(words.dropFirst()))
    case ("conflicts", 1): try hub.listConflicts()
    case ("conflicts", 3) where words[1] == "restore": try hub.restore(words[2])
    case ("conflicts", 3) where words[1] == "settle": try hub.settle(words[2])
    case ("leave", 1): try hub.leave()
    default: throw command.misuse(words)
    }
  }

  let invocation: Invocation
  let arguments: Arguments

  // MARK: The connection

  /// Connects to the hub at an address, in the binary with the network.
  func connect(service: String) throws -> any HubConnection {
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
  func reporting<Result>(_ body: () throws -> Result) throws -> Result {
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

  func membership() throws -> (run: Run, member: HubStore.Membership) {
    let run = try invocation.openRun()
    guard let member = try reporting({ try run.store().hub.membership() }) else {
      throw RunError(
        .notFound, "this library has no hub", help: "`errand hub join` connects it to one")
    }
    return (run, member)
  }

  /// Connects to the hub of this library.
  func connectAsMember() throws -> any HubConnection {
    let (_, member) = try membership()
    let hub = try connect(service: member.service)
    _ = try reporting { try hub.name() }
    return hub
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
    let waiting = try reporting { try store.hub.outbox.unsentCount() }
    let rest = waiting == 0 ? "" : " \(waiting.counted("change")) not sent yet will stay here only."
    guard try run.confirm("Leave the hub as \(member.name)?\(rest)", key: "leave") else {
      throw RunError(.declined, "nothing was changed")
    }
    try reporting { try store.hub.leave() }
    invocation.say("The library has left the hub; its items stay as they are.")
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
    let waiting = try reporting { try store.hub.outbox.unsentCount() }
    let conflicts = try reporting { try store.hub.conflicts.all().count }
    let unread = try reporting { try store.hub.merger.unreadCount() }
    let dead = try reporting { try store.hub.jobs.deadCount() }
    guard invocation.mode.isPlain else {
      return try invocation.resultWriter.write(
        .record([
          "hub": member.hub, "machine": member.name,
          "service": member.service, "unsent": waiting,
          "conflicts": conflicts, "unread": unread, "deadJobs": dead,
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
    let offered = try reporting { try store.hub.jobs.offered().keys.sorted() }
    if !offered.isEmpty {
      invocation.say("Offers \(offered.map { "`\($0)`" }.joined(separator: ", ")).")
    }
    if unread > 0 {
      invocation.say(
        "\(unread.counted("change")) of other machines cannot be read by this release; a later one "
          + "will merge them, unless a stamp is ahead of the hub's clock or another number impossible."
      )
    }
    if dead > 0 {
      invocation.say(
        "\(dead.counted("job")) of other machines could not be read and \(dead == 1 ? "is" : "are") "
          + "dead: errand queue --hub")
    }
    if conflicts > 0 {
      invocation.say("\(conflicts.counted("conflict")): errand hub conflicts")
    }
  }
}
