import Catalog
import Engine
import Source
import Store

/// Looks at everything that a person can do something about.
struct DoctorCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  /// Checks, and mends or rescues when flags ask for it.
  func run(_ arguments: ParsedArguments) throws -> Int32 {
    let library = try invocation.library()
    let session = try invocation.session()
    if let path = arguments.last("rescue") { return try rescue(to: path, library, session) }
    var isHealthy = true
    let wrong = Self.definitionProblems(library, session)
    let count = library.actionNames.count + library.entityNames.count
    // Those of the layers themselves were told when they were loaded.
    let mistakes = wrong.count + library.problems.count
    line(mistakes == 0, "definitions: \(count), \(mistakes) with mistakes", &isHealthy)
    for problem in wrong { invocation.console.err(problem) }
    do {
      try checkStore(library, session, arguments.isOn("repair"), &isHealthy)
    } catch {
      line(false, "store: \(ErrorReport(error).message)", &isHealthy)
    }
    return isHealthy ? ExitStatus.done : ExitStatus.failed
  }

  private func checkStore(
    _ library: Library, _ session: Session, _ mends: Bool, _ isHealthy: inout Bool
  ) throws {
    let path = try invocation.storePath() ?? "none"
    let store = try session.store()
    // Tables that are damaged cannot follow their definitions, but perhaps be mended.
    let obstacle = Self.obstacle(to: library, session)
    let progress = ProgressLine(console: invocation.console, label: "checking")
    defer { progress.clear() }
    var repair = Repair()
    if mends {
      repair = try store.repair { progress.update(doing: $0) }
      if let obstacle, repair.found.isEmpty { throw obstacle }
    } else {
      repair.left = try store.check { progress.update(doing: $0) }
      if let obstacle, repair.left.isEmpty { throw obstacle }
    }
    progress.clear()
    if mends, repair.left.isEmpty {
      for name in library.entityNames { _ = try session.store(for: name) }
    }
    line(repair.left.isEmpty, "store: \(path)", &isHealthy)
    let mended = repair.found.filter { !repair.left.contains($0) }
    for problem in mended { detail("mended: \(problem.message)") }
    for loss in repair.losses { detail(loss) }
    if let backup = repair.backup { detail("the store as it was is kept in \(backup)") }
    for problem in repair.left { detail(problem.message) }
    if !repair.left.isEmpty { detail(Self.advice(repair.left)) }
    if store.isReadOnly { line(false, "store: it can only be read", &isHealthy) }
  }

  /// What keeps the tables from following their definitions; nil when nothing does.
  private static func obstacle(to library: Library, _ session: Session) -> (any Error)? {
    do {
      for name in library.entityNames { _ = try session.store(for: name) }
      return nil
    } catch {
      return error
    }
  }

  private func detail(_ text: String) {
    invocation.console.out("         \(text)\n")
  }

  private func line(_ isGood: Bool, _ text: String, _ isHealthy: inout Bool) {
    if !isGood { isHealthy = false }
    invocation.console.out("\(isGood ? "ok     " : "problem")  \(text)\n")
  }

  private static func advice(_ problems: [StoreProblem]) -> String {
    problems.contains { $0.kind == .file }
      ? "`errand doctor --rescue FILE` saves what can be read to a new store"
      : "`errand doctor --repair` mends this"
  }

  private func rescue(to path: String, _ library: Library, _ session: Session) throws -> Int32 {
    guard let damaged = try invocation.storePath(), damaged != ":memory:" else {
      throw UsageError("there is no file to rescue anything from: name it with --store")
    }
    let schemas = try library.entityNames.map { try session.schema(of: $0) }
    let progress = ProgressLine(console: invocation.console, label: "rescuing:")
    defer { progress.clear() }
    let rescues = try EntityStore.rescue(
      schemas, from: damaged, to: path, context: session.storeContext
    ) { progress.update(doing: $0) }
    progress.clear()
    var isWhole = true
    for rescue in rescues {
      if rescue.lost != 0 || rescue.incomplete > 0 { isWhole = false }
      let lost =
        rescue.lost.map { $0 == 0 ? "" : ", \($0) lost" } ?? ", how many are lost is not known"
      let incomplete =
        rescue.incomplete == 0 ? "" : ", \(rescue.incomplete) of them without a damaged value"
      invocation.console.out("\(rescue.entity): \(rescue.saved) saved\(incomplete)\(lost)\n")
    }
    invocation.say("Saved to \(path).")
    return isWhole ? ExitStatus.done : ExitStatus.failed
  }

  /// The mistakes of each definition, rendered.
  private static func definitionProblems(_ library: Library, _ session: Session) -> [String] {
    var problems: [String] = []
    func check(_ body: () throws -> Void) {
      do { try body() } catch { problems.append(ErrorReport(error).text(style: .plain)) }
    }
    for name in library.entityNames { check { try session.check(entity: name) } }
    for name in library.actionNames { check { try session.check(action: name) } }
    return problems
  }
}
