import CEL
import Catalog
import Engine
import ErrandKit
import Glibc
import Inbox
import Items
import Source
import Store
import StoreRepair

/// Looks at everything that a person can do something about.
final class DoctorCommand {
  static let command = Command(
    "doctor", "check the store and the definitions",
    discussion: """
      With --repair, indexes, lists and the text index are rebuilt from the items after a copy of the
      store was made; references to items that are gone become null. Files that killed processes left
      behind are removed.
      With --rescue, what can still be read of a damaged store is copied to a new one.
      """,
    flags: [
      Flag("repair", .toggle, "repair what can be rebuilt from the items"),
      Flag(
        "rescue", .value("FILE"), "copy what can still be read of a damaged store to a new file"),
    ],
    serves: [.json, .format, .events], reads: .without(["repair", "rescue"]),
    flagHelp: repairHelp
  ) { invocation, arguments in
    try DoctorCommand(invocation).run(arguments)
  }

  /// Advice about a flag by which others call a repair.
  @Sendable
  private static func repairHelp(_ flag: String) -> String? {
    flag == "fix" ? "did you mean --repair?" : nil
  }

  private let invocation: Invocation
  /// Whether nothing was found wrong so far.
  private var isHealthy = true
  /// What is told of the store, for programs.
  private var store: [(String, Value)] = []
  private var problems: [Value] = []

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  /// Checks, and mends or rescues when flags ask for it.
  func run(_ arguments: ParsedArguments) throws -> Int32 {
    let library = try invocation.library()
    let session = try invocation.session()
    if let path = arguments.last("rescue") { return try rescue(to: path, library, session) }
    let wrong = Self.definitionErrors(library, session)
    let count = library.actionNames.count + library.entityNames.count
    // Those of the layers themselves were told when they were loaded.
    let mistakes = wrong.count + library.problems.count
    line(mistakes == 0, "definitions: \(count), \(mistakes) with mistakes")
    tell(wrong)
    do {
      try checkStore(library, session, arguments.isOn("repair"))
    } catch {
      let report = ErrorReport(error)
      problem("store", nil, report.message)
      line(false, "store: \(report.message)")
      if let help = report.help { detail(help) }
    }
    try showLeftovers(arguments.isOn("repair"))
    try writeReport(count, mistakes)
    return isHealthy ? ExitStatus.done : ExitStatus.failed
  }

  private func checkStore(_ library: Library, _ session: Run, _ mends: Bool) throws {
    let path = try invocation.storePath() ?? "none"
    store.append(("store", .string(path)))
    if let absent = try invocation.absentStore() {
      if absent.isNamed { throw absent.error }
      line(true, "store: no library yet, \(path)")
      return try showInbox()
    }
    let store = try session.store()
    let progress = ProgressLine(
      console: invocation.console, label: mends ? "repairing:" : "checking")
    defer { progress.clear() }
    var repair = Repair()
    if mends {
      repair = try store.database.repair { progress.update(doing: $0) }
    } else {
      repair.left = try store.database.check { progress.update(doing: $0) }
    }
    progress.clear()
    if repair.left.isEmpty {
      // What is damaged keeps its bytes: only the tables of a sound store follow the definitions.
      for name in library.entityNames { _ = try session.store(for: name) }
    }
    show(repair, path, mends)
    show(copies: store.database.migrationCopies())
    if repair.left.isEmpty { try showQueue() }
    try showInbox()
    if store.database.isReadOnly {
      problem("store", nil, "it can only be read")
      line(false, "store: it can only be read")
    }
  }

  /// Tells what was found, and what was done about it.
  private func show(_ repair: Repair, _ path: String, _ mends: Bool) {
    line(repair.left.isEmpty, "store: \(path)")
    let mended = repair.found.filter { !repair.left.contains($0) }
    for problem in mended { detail("mended: \(problem.message)") }
    for loss in repair.losses { detail(loss) }
    if let backup = repair.backup { detail("the store as it was is kept in \(backup)") }
    for problem in repair.left {
      self.problem(problem.kind.rawValue, problem.entity, problem.message)
      detail(problem.message)
    }
    if !repair.left.isEmpty { detail(Self.advice(repair.left, mends)) }
    guard mends else { return }
    store += [
      ("mended", .list(mended.map { .string($0.message) })),
      ("losses", .list(repair.losses.map(Value.string))),
      ("backup", repair.backup.map(Value.string) ?? .null),
    ]
  }

  /// Tells the jobs by their states, where there are any.
  private func showQueue() throws {
    let queue = try QueueText(invocation)
    guard !queue.isEmpty else { return }
    line(true, "queue: \(queue.counts)")
    for text in queue.details { detail(text) }
    for advice in queue.advice { detail(advice) }
    store.append(("queue", queue.report.value))
  }

  /// Tells how many shares wait to be taken in, and since when, where there are any.
  private func showInbox() throws {
    guard let inbox = try? invocation.inbox() else { return }
    do {
      let names = try inbox.names()
      guard let oldest = names.first else { return }
      let session = try invocation.session()
      let since = inbox.modified(oldest).map {
        ", the oldest since \(session.renderer.text(of: .timestamp($0)))"
      }
      line(
        true,
        "inbox: \(names.count) \(names.count == 1 ? "share waits" : "shares wait")"
          + (since ?? ""))
      detail("`errand inbox` takes in what waits, and says what stays and why")
      store.append(("inbox", .int(Int64(names.count))))
    } catch {
      let report = ErrorReport(error)
      problem("inbox", nil, report.message)
      line(false, "inbox: \(report.message)")
    }
  }

  /// Tells the files that processes left behind that were killed, or removes them.
  private func showLeftovers(_ mends: Bool) throws {
    guard let path = try? invocation.inboxBase() else { return }
    let now = Int(SystemHost.now().seconds)
    let inbox = (try? InboxFolder(besideStore: path).leftovers(now: now)) ?? []
    let files = WorkFile.dead(for: path) + inbox + BlobFolder(besideStore: path).leftovers(now: now)
    if files.isEmpty { return }
    let kept = mends ? files.filter { unlink($0) != 0 && errno != ENOENT } : files
    let count = files.count - kept.count
    if count > 0 {
      line(
        true, "leftovers: removed \(count == 1 ? "a file" : "\(count) files") of killed processes")
    }
    if !kept.isEmpty {
      line(
        !mends,
        "leftovers: \(kept.count == 1 ? "a file" : "\(kept.count) files") of killed processes")
      for file in kept.prefix(Self.shownLeftovers) { detail(file.harmless()) }
      if kept.count > Self.shownLeftovers { detail("and \(kept.count - Self.shownLeftovers) more") }
      if !mends { detail("`errand doctor --repair` removes them") }
    }
    store.append(("leftovers", .list(kept.map(Value.string))))
  }

  /// How many leftovers are named.
  private static let shownLeftovers = 5

  /// Tells the copies that were made before migrations, which take room.
  private func show(copies: [(path: String, bytes: Int)]) {
    for copy in copies { detail("a copy from before a change: \(copy.path.harmless())") }
    if copies.isEmpty { return }
    store.append(
      (
        "copies",
        .list(
          copies.map { copy in
            .map(MapValue([("path", .string(copy.path)), ("bytes", .int(Int64(copy.bytes)))]))
          })
      ))
  }

  private static func advice(_ problems: [StoreProblem], _ mends: Bool) -> String {
    mends || problems.contains { $0.kind == .file }
      ? "`errand doctor --rescue FILE` saves what can be read to a new store"
      : "`errand doctor --repair` mends this"
  }

  // MARK: Telling

  /// Whether a person reads it.
  private var isPlain: Bool { invocation.mode.isPlain }

  private func detail(_ text: String) {
    if isPlain { invocation.console.out("         \(text)\n") }
  }

  private func line(_ isGood: Bool, _ text: String) {
    if !isGood { isHealthy = false }
    if isPlain { invocation.console.out("\(isGood ? "ok     " : "problem")  \(text)\n") }
  }

  private func problem(_ kind: String, _ entity: String?, _ message: String) {
    problems.append(
      .map(
        MapValue([
          ("kind", .string(kind)), ("entity", entity.map(Value.string) ?? .null),
          ("message", .string(message)),
        ])))
  }

  /// Tells the mistakes in definitions, so many of each file as are worth showing.
  private func tell(_ reports: [ErrorReport]) {
    for report in reports.prefix(DiagnosticSummary.limit) {
      problem("definition", nil, report.message)
    }
    guard isPlain else { return }
    let mistakes = reports.flatMap(\.diagnostics)
    if !mistakes.isEmpty {
      invocation.console.err(ErrorReport(Diagnostics(mistakes)).text(style: .plain))
    }
    for report in reports where report.diagnostics.isEmpty {
      invocation.console.err(report.text(style: .plain))
    }
  }

  private func writeReport(_ count: Int, _ mistakes: Int) throws {
    guard !isPlain else { return }
    let definitions = MapValue([
      ("count", .int(Int64(count))), ("mistakes", .int(Int64(mistakes))),
    ])
    try invocation.resultWriter.write(
      .map(
        MapValue(
          [("ok", .bool(isHealthy)), ("definitions", .map(definitions))] + store
            + [("problems", .list(problems))])))
  }

  // MARK: Rescuing

  private func rescue(to path: String, _ library: Library, _ session: Run) throws -> Int32 {
    guard !path.isEmpty else { throw UsageError("--rescue needs the path of a new file") }
    guard let damaged = try invocation.storePath(), damaged != ":memory:" else {
      throw UsageError("there is no file to rescue anything from: name it with --store")
    }
    if let absent = try invocation.absentStore() { throw absent.error }
    let schemas = try library.entityNames.map { try session.workspace.schema(of: $0) }
    let progress = ProgressLine(console: invocation.console, label: "rescuing:")
    defer { progress.clear() }
    var records: [RecordRescue] = []
    let rescues = try Database.rescue(
      schemas, from: damaged, to: path, context: session.workspace.storeContext,
      progress: { progress.update(doing: $0) }, records: { records = $0 })
    progress.clear()
    let isWhole = rescues.allSatisfy(\.isWhole) && records.allSatisfy(\.isWhole)
    if isPlain {
      for rescue in rescues { invocation.console.out("\(Self.text(of: rescue))\n") }
      for record in records { invocation.console.out("\(Self.text(of: record))\n") }
      invocation.say("Saved to \(path).")
    } else {
      try invocation.resultWriter.write(
        .map(
          MapValue([
            ("ok", .bool(isWhole)), ("store", .string(path)),
            ("entities", .list(rescues.map(Self.value))),
            ("records", .list(records.map(Self.value))),
          ])))
    }
    return isWhole ? ExitStatus.done : ExitStatus.failed
  }

  /// What became of records of one kind, for a person.
  private static func text(of record: RecordRescue) -> String {
    var text = "\(record.kind): \(record.saved) saved"
    switch record.lost {
    case nil: text += ", how many are lost is not known"
    case 0?: break
    case let lost?: text += ", \(lost) lost"
    }
    if record.ended > 0 {
      text += ", \(record.ended) of them can't go on, as a part of their journal is lost"
    }
    return text
  }

  /// What became of records of one kind, for programs.
  private static func value(of record: RecordRescue) -> Value {
    .map(
      MapValue([
        ("kind", .string(record.kind)), ("saved", .int(Int64(record.saved))),
        ("lost", record.lost.map { .int(Int64($0)) } ?? .null),
        ("ended", .int(Int64(record.ended))),
      ]))
  }

  /// What became of an entity's items, for a person.
  private static func text(of rescue: Database.Rescue) -> String {
    if rescue.isUnknown {
      return "\(rescue.entity): nothing saved, since nothing tells what its columns hold; run it "
        + "where the entity is defined"
    }
    var text = "\(rescue.entity): \(rescue.saved) saved"
    if rescue.incomplete > 0 { text += ", \(rescue.incomplete) of them without a damaged value" }
    switch rescue.lost {
    case nil: text += ", how many are lost is not known"
    case 0?: break
    case let lost?: text += ", \(lost) lost"
    }
    if rescue.leftOut > 0 { text += ", \(rescue.leftOut) rows left out that are no such items" }
    if rescue.unlinked > 0 { text += ", \(rescue.unlinked) references to what is lost made null" }
    if rescue.duplicates > 0 {
      text += ", \(rescue.duplicates) the same as others and not found by their identity"
    }
    return text
  }

  /// What became of an entity's items, for programs.
  private static func value(of rescue: Database.Rescue) -> Value {
    .map(
      MapValue([
        ("entity", .string(rescue.entity)), ("saved", .int(Int64(rescue.saved))),
        ("lost", rescue.lost.map { .int(Int64($0)) } ?? .null),
        ("incomplete", .int(Int64(rescue.incomplete))), ("leftOut", .int(Int64(rescue.leftOut))),
        ("unlinked", .int(Int64(rescue.unlinked))),
        ("duplicates", .int(Int64(rescue.duplicates))), ("unknown", .bool(rescue.isUnknown)),
      ]))
  }

  /// The mistakes of each definition.
  private static func definitionErrors(_ library: Library, _ session: Run) -> [ErrorReport] {
    var problems: [ErrorReport] = []
    func add(_ findings: [Diagnostic]) {
      let errors = findings.filter { $0.severity == .error }
      if !errors.isEmpty { problems.append(ErrorReport(Diagnostics(errors))) }
    }
    for name in library.entityNames { add(session.workspace.findings(inEntity: name)) }
    for name in library.actionNames { add(session.workspace.findings(inAction: name)) }
    return problems
  }
}
