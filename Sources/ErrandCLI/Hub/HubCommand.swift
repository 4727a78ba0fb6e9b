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
    serves: [.json, .format, .events, .answers]
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
    case ("conflicts", 3) where words[1] == "restore": try hub.settle(words[2], restoring: true)
    case ("conflicts", 3) where words[1] == "settle": try hub.settle(words[2], restoring: false)
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
    return try RunError.reportingHub {
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

  func membership() throws -> (run: Run, member: HubStore.Membership) {
    let run = try invocation.openRun()
    guard let member = try RunError.reportingHub({ try run.store().hub.membership() }) else {
      throw RunError(
        .notFound, "this library has no hub", help: "`errand hub join` connects it to one")
    }
    return (run, member)
  }

  /// Connects to the hub of this library.
  func connectAsMember() throws -> any HubConnection {
    let (_, member) = try membership()
    let hub = try connect(service: member.service)
    _ = try RunError.reportingHub { try hub.name() }
    return hub
  }

  // MARK: Making and joining

  private func make() throws {
    try Reexec.goOnWithRecordedRun(invocation)
    let hub = try connect(service: arguments.last("service") ?? "")
    let isNew = try RunError.reportingHub { try hub.make() }
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
    if let member = try RunError.reportingHub({ try store.hub.membership() }) {
      throw RunError(
        .conflict, "this library has joined a hub already, as \(member.name)",
        help: "`errand hub leave` disconnects it")
    }
    let service = arguments.last("service") ?? ""
    let hub = try connect(service: service)
    let hubName = try RunError.reportingHub { try hub.name() }
    let isSure = try run.confirm(
      "The hub and each of its machines can read and change all that this library holds. Join it "
        + "only if you trust it as your own disk. Join?", key: "join")
    guard isSure else { throw RunError(.declined, "nothing was joined") }
    let number = Int64(store.makeUID().low & 0xFF_FFFF_FFFF) + 1
    let member = HubStore.Membership(
      hub: hubName, machine: number, name: name ?? Self.hostName, service: service)
    try RunError.reportingHub { try store.hub.join(member) }
    try sync(run) { hub }
  }

  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "machine" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private func leave() throws {
    let (run, member) = try membership()
    let store = try run.store()
    let waiting = try RunError.reportingHub { try store.hub.outbox.unsentCount() }
    let rest = waiting == 0 ? "" : " \(waiting.counted("change")) not sent yet will stay here only."
    guard try run.confirm("Leave the hub as \(member.name)?\(rest)", key: "leave") else {
      throw RunError(.declined, "nothing was changed")
    }
    try RunError.reportingHub { try store.hub.leave() }
    invocation.say("The library has left the hub; its items stay as they are.")
  }

  // MARK: Status

  private func status() throws {
    guard let store = try invocation.storeIfMade(), let status = try HubStatus(store) else {
      guard invocation.mode.isPlain else {
        return try invocation.resultWriter.write(.record(["hub": Value.null]))
      }
      return invocation.say("This library has no hub. `errand hub join` connects it to one.")
    }
    guard invocation.mode.isPlain else { return try invocation.resultWriter.write(status.value) }
    let (member, waiting) = (status.member, status.unsent)
    let now = try invocation.openRun().host.now()
    let last = status.synced.map { "synced \(Age(since: $0, at: now).text) ago" } ?? "never synced"
    let address = member.service.isEmpty ? "" : " through the service \(member.service)"
    invocation.say("Joined as \(member.name)\(address), \(last).")
    let unsent = waiting.counted("change")
    invocation.say(
      waiting == 0
        ? "All changes are sent." : "\(unsent) \(waiting == 1 ? "is" : "are") not sent.")
    let offered = try RunError.reportingStore { try store.hub.jobs.offered().keys.sorted() }
    if !offered.isEmpty {
      invocation.say("Offers \(offered.map { "`\($0)`" }.joined(separator: ", ")).")
    }
    if status.unread > 0 {
      invocation.say(
        "\(status.unread.counted("change")) of other machines cannot be read by this release; a later one "
          + "will merge them, unless a stamp is ahead of the hub's clock or another number impossible."
      )
    }
    if status.dead > 0 {
      invocation.say(
        "\(status.dead.counted("job")) of other machines could not be read and \(status.dead == 1 ? "is" : "are") "
          + "dead: errand queue --hub")
    }
    if status.conflicts > 0 {
      invocation.say("\(status.conflicts.counted("conflict")): errand hub conflicts")
    }
  }
}
