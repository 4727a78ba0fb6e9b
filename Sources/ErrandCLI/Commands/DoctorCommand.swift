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
    let doctor = try DoctorCommand(invocation, arguments)
    return try arguments.last("rescue").map(doctor.rescue) ?? doctor.run()
  }

  /// Advice about a flag by which others call a repair.
  @Sendable
  private static func repairHelp(_ flag: String) -> String? {
    flag == "fix" ? "did you mean --repair?" : nil
  }

  private let invocation: Invocation
  private let session: Run
  /// Whether what is wrong is mended, too.
  private let repairs: Bool
  /// Whether nothing was found wrong so far.
  private var isHealthy = true
  /// What is told of the store, for programs.
  private var store: [(String, Value)] = []
  private var problems: [Value] = []

  private init(_ invocation: Invocation, _ arguments: ParsedArguments) throws {
    self.invocation = invocation
    session = try invocation.session()
    repairs = arguments.isOn("repair")
  }

  /// Checks, and mends what can be.
  private func run() throws -> Int32 {
    let library = session.library
    let wrong = definitionErrors()
    // Those of the layers themselves were told when they were loaded.
    let mistakes = wrong.count + library.problems.count
    let count = library.actionNames.count + library.entityNames.count
    line(mistakes == 0, "definitions: \(count), \(mistakes) with mistakes")
    tell(wrong)
    do { try checkStore() } catch { tell(error, of: "store") { detail($0) } }
    showLeftovers()
    if !isPlain {
      let definitions = Value.record(["count": count, "mistakes": mistakes])
      try invocation.resultWriter.write(
        .record(
          ["ok": isHealthy, "definitions": definitions], Record(store), ["problems": problems]))
    }
    return isHealthy ? ExitStatus.done : ExitStatus.failed
  }

  // MARK: The store

  private func checkStore() throws {
    let path = try invocation.storePath() ?? "none"
    note("store", path)
    if let absent = try invocation.absentStore() {
      if absent.isNamed { throw absent.error }
      line(true, "store: no library yet, \(path)")
      return showInbox()
    }
    let store = try session.store()
    let progress = ProgressLine(
      console: invocation.console, label: repairs ? "repairing:" : "checking")
    defer { progress.clear() }
    var repair = Repair()
    if repairs {
      repair = try store.database.repair { progress.update(doing: $0) }
    } else {
      repair.left = try store.database.check { progress.update(doing: $0) }
    }
    progress.clear()
    let isSound = repair.left.isEmpty
    if isSound {
      // What is damaged keeps its bytes: only the tables of a sound store follow the definitions.
      for name in session.library.entityNames { _ = try session.store(for: name) }
    }
    show(repair, path)
    show(copies: store.database.migrationCopies())
    if isSound { try showQueue() }
    showInbox()
    if store.database.isReadOnly {
      problem("store", nil, "it can only be read")
      line(false, "store: it can only be read")
    }
  }

  /// Tells what was found, and what was done about it.
  private func show(_ repair: Repair, _ path: String) {
    line(repair.left.isEmpty, "store: \(path)")
    let mended = repair.found.filter { !repair.left.contains($0) }.map(\.message)
    for message in mended { detail("mended: \(message)") }
    for loss in repair.losses { detail(loss) }
    if let backup = repair.backup { detail("the store as it was is kept in \(backup)") }
    for problem in repair.left {
      self.problem(problem.kind.rawValue, problem.entity, problem.message)
      detail(problem.message)
    }
    if !repair.left.isEmpty {
      detail(
        repairs || repair.left.contains { $0.kind == .file }
          ? "`errand doctor --rescue FILE` saves what can be read to a new store"
          : "`errand doctor --repair` mends this")
    }
    guard repairs else { return }
    note("mended", mended)
    note("losses", repair.losses)
    note("backup", repair.backup)
  }

  /// Tells the copies that were made before migrations, which take room.
  private func show(copies: [(path: String, bytes: Int)]) {
    for copy in copies { detail("a copy from before a change: \(copy.path.harmless())") }
    if copies.isEmpty { return }
    note("copies", copies.map { Value.record(["path": $0.path, "bytes": $0.bytes]) })
  }

  /// Tells the jobs by their states, where there are any.
  private func showQueue() throws {
    let queue = try QueueText(invocation)
    guard !queue.isEmpty else { return }
    line(true, "queue: \(queue.counts)")
    for text in queue.details + queue.advice { detail(text) }
    note("queue", queue.report.value)
  }

  /// Tells how many shares wait to be taken in, and since when, where there are any.
  private func showInbox() {
    guard let inbox = try? invocation.inbox() else { return }
    do {
      let names = try inbox.names()
      guard let oldest = names.first else { return }
      let since = inbox.modified(oldest).map {
        ", the oldest since \(session.renderer.text(of: .timestamp($0)))"
      }
      let wait = names.count == 1 ? "share waits" : "shares wait"
      line(true, "inbox: \(names.count) \(wait)\(since ?? "")")
      detail("`errand inbox` takes in what waits, and says what stays and why")
      note("inbox", names.count)
    } catch {
      tell(error, of: "inbox")
    }
  }

  // MARK: Leftovers

  /// How many leftovers are named.
  private static let shownLeftovers = 5

  /// Tells the files that processes left behind that were killed, or removes them.
  private func showLeftovers() {
    guard let path = try? invocation.inboxBase() else { return }
    let now = Int(SystemHost.now().seconds)
    let inbox = (try? InboxFolder(besideStore: path).leftovers(now: now)) ?? []
    let files = WorkFile.dead(for: path) + inbox + BlobFolder(besideStore: path).leftovers(now: now)
    if files.isEmpty { return }
    func told(_ count: Int) -> String {
      "\(count == 1 ? "a file" : "\(count) files") of killed processes"
    }
    let kept = repairs ? files.filter { unlink($0) != 0 && errno != ENOENT } : files
    if kept.count < files.count {
      line(true, "leftovers: removed \(told(files.count - kept.count))")
    }
    if !kept.isEmpty {
      line(!repairs, "leftovers: \(told(kept.count))")
      for file in kept.prefix(Self.shownLeftovers) { detail(file.harmless()) }
      if kept.count > Self.shownLeftovers { detail("and \(kept.count - Self.shownLeftovers) more") }
      if !repairs { detail("`errand doctor --repair` removes them") }
    }
    note("leftovers", kept)
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

  /// Tells programs something of the store.
  private func note(_ name: String, _ value: any FieldValue) {
    store.append((name, value.fieldValue))
  }

  private func problem(_ kind: String, _ entity: String?, _ message: String) {
    problems.append(.record(["kind": kind, "entity": entity, "message": message]))
  }

  /// Tells of an error that kept something from being looked at.
  private func tell(_ error: any Error, of kind: String, help: (String) -> Void = { _ in }) {
    let report = ErrorReport(error)
    problem(kind, nil, report.message)
    line(false, "\(kind): \(report.message)")
    report.help.map(help)
  }

  /// The mistakes of each definition.
  private func definitionErrors() -> [ErrorReport] {
    let workspace = session.workspace
    let findings =
      session.library.entityNames.map { workspace.findings(inEntity: $0) }
      + session.library.actionNames.map { workspace.findings(inAction: $0) }
    return findings.map { $0.filter { $0.severity == .error } }.filter { !$0.isEmpty }
      .map { ErrorReport(Diagnostics($0)) }
  }

  /// Tells the mistakes in definitions, so many of each file as are worth showing.
  private func tell(_ reports: [ErrorReport]) {
    for report in reports.prefix(DiagnosticSummary.limit) {
      problem("definition", nil, report.message)
    }
    let mistakes = reports.flatMap(\.diagnostics)
    if isPlain, !mistakes.isEmpty {
      invocation.console.err(ErrorReport(Diagnostics(mistakes)).text(style: .plain))
    }
  }

  // MARK: Rescuing

  /// Copies what can still be read of a damaged store to a new file.
  private func rescue(to path: String) throws -> Int32 {
    guard !path.isEmpty else { throw UsageError("--rescue needs the path of a new file") }
    guard let damaged = try invocation.storePath(), damaged != ":memory:" else {
      throw UsageError("there is no file to rescue anything from: name it with --store")
    }
    if let absent = try invocation.absentStore() { throw absent.error }
    let schemas = try session.library.entityNames.map { try session.workspace.schema(of: $0) }
    let progress = ProgressLine(console: invocation.console, label: "rescuing:")
    defer { progress.clear() }
    var records: [RecordRescue] = []
    let rescues = try Database.rescue(
      schemas, from: damaged, to: path, context: session.workspace.storeContext,
      progress: { progress.update(doing: $0) }, records: { records = $0 })
    progress.clear()
    let isWhole = rescues.allSatisfy(\.isWhole) && records.allSatisfy(\.isWhole)
    if isPlain {
      for text in rescues.map(Self.text) + records.map(Self.text) {
        invocation.console.out("\(text)\n")
      }
      invocation.say("Saved to \(path).")
    } else {
      try invocation.resultWriter.write(
        .record([
          "ok": isWhole, "store": path, "entities": rescues.map(Self.value),
          "records": records.map(Self.value),
        ]))
    }
    return isWhole ? ExitStatus.done : ExitStatus.failed
  }

  private static func clause(_ count: Int, _ text: String) -> String {
    count > 0 ? ", \(count) \(text)" : ""
  }

  private static func clause(lost: Int?) -> String {
    lost.map { clause($0, "lost") } ?? ", how many are lost is not known"
  }

  /// What became of records of one kind, for a person.
  private static func text(of record: RecordRescue) -> String {
    "\(record.kind): \(record.saved) saved" + clause(lost: record.lost)
      + clause(record.ended, "of them can't go on, as a part of their journal is lost")
  }

  /// What became of records of one kind, for programs.
  private static func value(of record: RecordRescue) -> Value {
    .record([
      "kind": record.kind, "saved": record.saved, "lost": record.lost,
      "ended": record.ended,
    ])
  }

  /// What became of an entity's items, for a person.
  private static func text(of rescue: Database.Rescue) -> String {
    if rescue.isUnknown {
      return "\(rescue.entity): nothing saved, since nothing tells what its columns hold; run it "
        + "where the entity is defined"
    }
    return "\(rescue.entity): \(rescue.saved) saved"
      + clause(rescue.incomplete, "of them without a damaged value") + clause(lost: rescue.lost)
      + clause(rescue.leftOut, "rows left out that are no such items")
      + clause(rescue.unlinked, "references to what is lost made null")
      + clause(rescue.duplicates, "the same as others and not found by their identity")
  }

  /// What became of an entity's items, for programs.
  private static func value(of rescue: Database.Rescue) -> Value {
    .record([
      "entity": rescue.entity, "saved": rescue.saved, "lost": rescue.lost,
      "incomplete": rescue.incomplete, "leftOut": rescue.leftOut, "unlinked": rescue.unlinked,
      "duplicates": rescue.duplicates, "unknown": rescue.isUnknown,
    ])
  }
}
