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
      let path = try invocation.storePath() ?? "none"
      for name in library.entityNames { _ = try session.store(for: name) }
      let store = try session.store()
      let problems = try arguments.isOn("repair") ? store.repair() : store.check()
      line(problems.isEmpty, "store: \(path)", &isHealthy)
      for problem in problems { invocation.console.out("         \(problem.message)\n") }
      if !problems.isEmpty { invocation.console.out(Self.advice(problems)) }
      if store.isReadOnly { line(false, "store: it can only be read", &isHealthy) }
    } catch {
      line(false, "store: \(ErrorReport(error).message)", &isHealthy)
    }
    return isHealthy ? ExitStatus.done : ExitStatus.failed
  }

  private func line(_ isGood: Bool, _ text: String, _ isHealthy: inout Bool) {
    if !isGood { isHealthy = false }
    invocation.console.out("\(isGood ? "ok     " : "problem")  \(text)\n")
  }

  private static func advice(_ problems: [StoreProblem]) -> String {
    problems.contains { $0.kind == .file }
      ? "         `errand doctor --rescue FILE` saves what can be read to a new store\n"
      : "         `errand doctor --repair` mends this\n"
  }

  private func rescue(to path: String, _ library: Library, _ session: Session) throws -> Int32 {
    for name in library.entityNames { _ = try session.store(for: name) }
    var isWhole = true
    for rescue in try session.store().rescue(to: path) {
      if rescue.lost != 0 { isWhole = false }
      let lost =
        rescue.lost.map { $0 == 0 ? "" : ", \($0) lost" } ?? ", how many are lost is not known"
      invocation.console.out("\(rescue.entity): \(rescue.saved) saved\(lost)\n")
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
