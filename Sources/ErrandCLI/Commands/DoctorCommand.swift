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

/// `errand doctor`: checks definitions and store, and repairs or rescues a damaged store.
final class DoctorCommand {
  static let command = Command(
    "doctor", "check the store and the definitions",
    discussion: """
      --repair makes a backup, then rebuilds indexes, lists and the text index from the items, sets
      references to missing items to null, and removes files left behind by killed processes.
      --rescue copies everything readable from a damaged store to a new one.
      """,
    flags: [
      Flag("repair", .toggle, "rebuild what can be rebuilt from the items"),
      Flag(
        "rescue", .value("FILE"), "copy everything readable from a damaged store to a new file"),
    ],
    serves: [.json, .format, .events], reads: .without(["repair", "rescue"])
  ) { invocation, arguments in
    let doctor = try DoctorCommand(invocation, arguments)
    try arguments.last("rescue").map(doctor.rescue) ?? doctor.run()
  }

  private let invocation: Invocation
  private let liveRun: Run
  /// Whether to repair problems, too.
  private let repairs: Bool
  /// Whether no problem was found so far.
  private var isHealthy = true
  /// Facts about the store, for programs.
  private var store: [(String, Value)] = []
  private var problems: [Value] = []

  private init(_ invocation: Invocation, _ arguments: Arguments) throws {
    self.invocation = invocation
    liveRun = try invocation.openRun()
    repairs = arguments.isOn("repair")
  }

  /// Checks everything, and repairs if requested.
  private func run() throws {
    let catalog = liveRun.catalog
    tellOfMissingWorker()
    let check = try definitionCheck()
    // The errors of the layers were reported when they were loaded.
    let told = Set(catalog.problems.map { "\($0.span?.location ?? "")\($0.message)" })
    let wrong = check.findings.filter { error in
      error.severity == .error && !told.contains("\(error.span?.location ?? "")\(error.message)")
    }
    let mistakes = check.mistaken
    let count =
      catalog.actionNames.count + catalog.entityNames.count + catalog.widgetNames.count
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
    if !isHealthy { invocation.status = ExitStatus.failed }
  }

  /// Names a missing worker first: without one no job and no automation runs.
  private func tellOfMissingWorker() {
    guard let queue = try? QueueText(invocation), let text = queue.missingWorker else { return }
    note("worker", "missing")
    guard isPlain else { return }
    invocation.console.out("note     \(text)\n")
    detail("`errand worker install` sets one up for good; `errand worker` runs one here")
  }

  // MARK: Store

  private func checkStore() throws {
    let path = try invocation.storePath() ?? "none"
    note("store", path)
    if let absent = try invocation.absentStore() {
      if absent.isNamed { throw absent.error }
      line(true, "store: no library yet, \(path)")
      return showInbox()
    }
    let store = try liveRun.store()
    let progress = ProgressLine(
      console: invocation.console, label: repairs ? "repairing:" : "checking")
    defer { progress.clear() }
    var repair = Repair()
    if repairs {
      repair = try store.repair { progress.update(doing: $0) }
    } else {
      repair.left = try store.check { progress.update(doing: $0) }
    }
    progress.clear()
    let isSound = repair.left.isEmpty
    if isSound {
      // Only the tables of a sound store are migrated; a damaged one is left untouched.
      for name in liveRun.catalog.entityNames { _ = try liveRun.store(for: name) }
    }
    show(repair, path)
    show(copies: store.migrationCopies())
    if isSound {
      try showQueue()
      try showHub(store)
    }
    showInbox()
    if store.isReadOnly {
      problem("store", nil, "it is read-only")
      line(false, "store: it is read-only")
    }
  }

  /// Reports the findings and the repairs made.
  private func show(_ repair: Repair, _ path: String) {
    line(repair.left.isEmpty, "store: \(path)")
    let repaired = repair.found.filter { !repair.left.contains($0) }.map(\.message)
    for message in repaired { detail("repaired: \(message)") }
    for loss in repair.losses { detail(loss) }
    if let backup = repair.backup { detail("the previous store is kept in \(backup)") }
    for problem in repair.left {
      self.problem(problem.kind.rawValue, problem.entity, problem.message)
      detail(problem.message)
    }
    if !repair.left.isEmpty {
      detail(
        repairs || repair.left.contains { $0.kind == .file }
          ? "`errand doctor --rescue FILE` copies everything readable to a new store"
          : "`errand doctor --repair` repairs this")
    }
    guard repairs else { return }
    note("mended", repaired)
    note("losses", repair.losses)
    note("backup", repair.backup)
  }

  /// Reports copies of the store made before migrations, which take up space.
  private func show(copies: [(path: String, bytes: Int)]) {
    for copy in copies { detail("copy from before a migration: \(copy.path.harmless())") }
    if copies.isEmpty { return }
    note("copies", copies.map { Value.record(["path": $0.path, "bytes": $0.bytes]) })
  }

  /// Reports the number of jobs by state, if any.
  private func showQueue() throws {
    let queue = try QueueText(invocation)
    guard !queue.isEmpty else { return }
    line(true, "queue: \(queue.counts)")
    for text in queue.details + queue.advice { detail(text) }
    note("queue", queue.report.value)
  }

  /// Reports changes and jobs of other machines that cannot be read, if any.
  private func showHub(_ store: Database) throws {
    let unread = try RunError.reportingStore { try store.hub.merger.unreadCount() }
    let dead = try RunError.reportingStore { try store.hub.jobs.deadCount() }
    if dead > 0 {
      line(true, "hub: \(dead.counted("job")) of other machines could not be read")
      detail("they are dead; `errand queue --hub` lists them")
      note("deadHubJobs", dead)
    }
    if unread == 0 { return }
    line(true, "hub: \(unread.counted("change")) of other machines cannot be merged")
    detail("a later release wrote them, or a stamp or another number in them is impossible")
    detail("update Errand here; if they stay, look at the clocks of the other machines")
    note("unread", unread)
  }

  /// Reports the number and age of waiting shares, if any.
  private func showInbox() {
    guard let inbox = try? invocation.inbox() else { return }
    do {
      let names = try inbox.names()
      guard let oldest = names.first else { return }
      let since = inbox.modified(oldest).map {
        ", the oldest since \(liveRun.renderer.text(of: .timestamp($0)))"
      }
      let wait = names.count == 1 ? "share waiting" : "shares waiting"
      line(true, "inbox: \(names.count) \(wait)\(since ?? "")")
      detail("`errand inbox` processes waiting shares and says why any remain")
      note("inbox", names.count)
    } catch {
      tell(error, of: "inbox")
    }
  }

  // MARK: Leftovers

  /// Number of leftover files listed by name.
  private static let shownLeftovers = 5

  /// Reports files left behind by killed processes, or removes them.
  private func showLeftovers() {
    guard let path = try? invocation.inboxBase() else { return }
    let now = Int(SystemHost.now().seconds)
    let inbox = (try? InboxFolder(besideStore: path, vault: nil).leftovers(now: now)) ?? []
    let files = WorkFile.dead(for: path) + inbox + BlobFolder(besideStore: path).leftovers(now: now)
    if files.isEmpty { return }
    func described(_ count: Int) -> String {
      "\(count == 1 ? "a file" : "\(count) files") of killed processes"
    }
    let kept = repairs ? files.filter { unlink($0) != 0 && errno != ENOENT } : files
    if kept.count < files.count {
      line(true, "leftovers: removed \(described(files.count - kept.count))")
    }
    if !kept.isEmpty {
      line(!repairs, "leftovers: \(described(kept.count))")
      for file in kept.prefix(Self.shownLeftovers) { detail(file.harmless()) }
      if kept.count > Self.shownLeftovers { detail("and \(kept.count - Self.shownLeftovers) more") }
      if !repairs { detail("`errand doctor --repair` removes them") }
    }
    note("leftovers", kept)
  }

  // MARK: Reporting

  /// Whether the output is for a person.
  private var isPlain: Bool { invocation.mode.isPlain }

  private func detail(_ text: String) {
    if isPlain { invocation.console.out("         \(text)\n") }
  }

  private func line(_ isGood: Bool, _ text: String) {
    if !isGood { isHealthy = false }
    if isPlain { invocation.console.out("\(isGood ? "ok     " : "problem")  \(text)\n") }
  }

  /// Records a fact about the store for programs.
  private func note(_ name: String, _ value: any FieldValue) {
    store.append((name, value.fieldValue))
  }

  private func problem(_ kind: String, _ entity: String?, _ message: String) {
    problems.append(.record(["kind": kind, "entity": entity, "message": message]))
  }

  /// Reports an error that prevented a check.
  private func tell(_ error: any Error, of kind: String, help: (String) -> Void = { _ in }) {
    let report = ErrorReport(error)
    problem(kind, nil, report.message)
    line(false, "\(kind): \(report.message)")
    report.help.map(help)
  }

  /// Checks all definitions, as `errand check` does.
  private func definitionCheck() throws -> DefinitionCheck {
    var check = DefinitionCheck(
      CheckCommand.workspace(try invocation.loader.load(), invocation))
    check.addAll()
    return check
  }

  /// Reports errors in definitions, limited per file.
  private func tell(_ mistakes: [Diagnostic]) {
    let files = Dictionary(grouping: mistakes) { $0.span?.file.name ?? "" }
    for name in files.keys.sorted().prefix(DiagnosticSummary.limit) {
      problem("definition", nil, ErrorReport(Diagnostics(files[name] ?? [])).message)
    }
    if isPlain, !mistakes.isEmpty {
      invocation.console.err(ErrorReport(Diagnostics(mistakes)).text(style: .plain))
    }
  }

  // MARK: Rescue

  /// Copies everything readable from a damaged store to a new file.
  private func rescue(to path: String) throws {
    guard !path.isEmpty else { throw UsageError("--rescue needs the path of a new file") }
    guard let damaged = try invocation.storePath(), damaged != ":memory:" else {
      throw UsageError("there is no store file to rescue from: name it with --store")
    }
    if let absent = try invocation.absentStore() { throw absent.error }
    let schemas = try liveRun.catalog.entityNames.map { try liveRun.workspace.schema(of: $0) }
    let progress = ProgressLine(console: invocation.console, label: "rescuing:")
    defer { progress.clear() }
    var records: [RecordRescue] = []
    let rescues = try Database.rescue(
      schemas, from: damaged, to: path, context: liveRun.workspace.storeContext,
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
    if !isWhole { invocation.status = ExitStatus.failed }
  }

  private static func clause(_ count: Int, _ text: String) -> String {
    count > 0 ? ", \(count) \(text)" : ""
  }

  private static func clause(lost: Int?) -> String {
    lost.map { clause($0, "lost") } ?? ", number lost unknown"
  }

  /// Summarizes the rescue of one kind of record, for a person.
  private static func text(of record: RecordRescue) -> String {
    "\(record.kind): \(record.saved) saved" + clause(lost: record.lost)
      + clause(record.ended, "of them cannot continue: part of their journal is lost")
  }

  /// Summarizes the rescue of one kind of record, for programs.
  private static func value(of record: RecordRescue) -> Value {
    .record([
      "kind": record.kind, "saved": record.saved, "lost": record.lost,
      "ended": record.ended,
    ])
  }

  /// Summarizes the rescue of an entity's items, for a person.
  private static func text(of rescue: Database.Rescue) -> String {
    if rescue.isUnknown {
      return "\(rescue.entity): nothing saved, since its columns are unknown here; run this "
        + "where the entity is defined"
    }
    return "\(rescue.entity): \(rescue.saved) saved"
      + clause(rescue.incomplete, "of them without a damaged value") + clause(lost: rescue.lost)
      + clause(rescue.leftOut, "unrecognizable rows skipped")
      + clause(rescue.unlinked, "references to lost items set to null")
      + clause(rescue.duplicates, "duplicates that cannot be found by their identity")
  }

  /// Summarizes the rescue of an entity's items, for programs.
  private static func value(of rescue: Database.Rescue) -> Value {
    .record([
      "entity": rescue.entity, "saved": rescue.saved, "lost": rescue.lost,
      "incomplete": rescue.incomplete, "leftOut": rescue.leftOut, "unlinked": rescue.unlinked,
      "duplicates": rescue.duplicates, "unknown": rescue.isUnknown,
    ])
  }
}
