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

  func run() throws -> Int32 {
    var problems = 0
    func line(_ isGood: Bool, _ text: String) {
      if !isGood { problems += 1 }
      invocation.console.out("\(isGood ? "ok     " : "problem")  \(text)\n")
    }
    let library = try invocation.library()
    let session = try invocation.session()
    let wrong = Self.definitionProblems(library, session)
    let count = library.actionNames.count + library.entityNames.count
    // Those of the layers themselves were told when they were loaded.
    let mistakes = wrong.count + library.problems.count
    line(mistakes == 0, "definitions: \(count), \(mistakes) with mistakes")
    for problem in wrong { invocation.console.err(problem) }
    do {
      let path = try invocation.storePath() ?? "none"
      for name in library.entityNames { _ = try session.store(for: name) }
      let report: [String] = []
      line(
        report.isEmpty,
        "store: \(path)\(report.isEmpty ? "" : ": " + report.joined(separator: "; "))")
      if try session.store().isReadOnly { line(false, "store: it can only be read") }
    } catch {
      line(false, "store: \(ErrorReport(error).message)")
    }
    return problems == 0 ? ExitStatus.done : ExitStatus.failed
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
