import Catalog
import FoundationEssentials
import Glibc
import Program
import Source
import Store
import Synchronization
import Testing

@testable import Engine

/// Whatever stands in a file, reading and compiling it ends with diagnostics and never a trap, and
/// what is accepted fails in a run with no mistake that could have been known.
///
/// `MUTATIONS` says how many files there are in all, `MUTATION_SEED` which ones.
@Suite struct MutationTests {
  private static let parts = 8

  private static func number(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  @Test(arguments: 0..<parts)
  func mutatedDocumentsEndInDiagnostics(_ part: Int) throws {
    let seed = Self.number("MUTATION_SEED", 0) * Self.parts + part
    var mutator = DocumentMutator(seed: UInt64(seed))
    let names = Library().actionNames + Library().entityNames
    let sources = names.compactMap { Library().source(of: $0) }.map { Array($0.utf8) }
    var broken = 0
    var accepted = 0
    let count = Self.number("MUTATIONS", 4000) / Self.parts
    for round in 0..<count {
      let source = sources[(round * Self.parts + part) % sources.count]
      let bytes = mutator.mutate(source)
      if try isSound(bytes) { accepted += 1 } else { broken += 1 }
    }
    // Most changes break something; if none did, nothing was looked at.
    #expect(broken > count / 4)
    #expect(accepted > count / 50)
  }

  /// Whether nothing is wrong with a document as the person's own; what it defines is run then.
  private func isSound(_ bytes: [UInt8]) throws -> Bool {
    let file = SourceFile(name: "mutated.yaml", bytes: bytes)
    let library = Library()
    let found = library.add(file, to: .user)
    for problem in library.problems { expectLocated(problem, in: bytes) }
    let world = FakeWorld()
    let workspace = Workspace(library: library, host: world.host(keyPath: nil)) {
      try EntityStore(at: .memory, context: $0)
    }
    var isSound = library.problems.isEmpty
    for (kind, name) in found {
      do {
        if kind == .entity {
          try workspace.check(entity: name)
        } else {
          try workspace.check(action: name)
        }
      } catch let error as Diagnostics {
        isSound = false
        for problem in error.all { expectLocated(problem, in: bytes) }
      }
    }
    guard isSound else { return false }
    for (kind, name) in found { run(kind == .entity ? nil : name, workspace, world, bytes) }
    return true
  }

  private func expectLocated(_ problem: Diagnostic, in bytes: [UInt8]) {
    #expect(!problem.rendered().isEmpty)
    #expect(problem.span != nil, "\(problem.id): \(problem.message)\n\(Self.shown(bytes))")
  }

  /// Runs an intent or a shortcut, or saves a link, with what a person may answer.
  private func run(
    _ name: String?, _ workspace: Workspace, _ world: FakeWorld, _ bytes: [UInt8]
  ) {
    world.state.withLock { state in
      for program in ["git", "ssh", "find", "sort", "sh"] {
        state.programs[program] = { _, _ in
          ProcessEnd(reason: .exited(0), output: Array("1795219200\n2\n".utf8), errors: [])
        }
      }
    }
    var limits = RunLimits()
    limits.steps = 20_000
    limits.calls = 2000
    let interrupt = Interrupt()
    world.state.withLock { $0.afterPauses = (5000, { interrupt.set() }) }
    func perform(_ name: String, _ given: [Int: GivenValue]) throws {
      let run = Run(
        workspace, host: world.host(keyPath: nil), front: AgreeableFront(), limits: limits,
        interrupt: interrupt)
      let outcome = try run.perform(name, given)
      _ = run.renderer.text(of: outcome.value)
    }
    do {
      for url in ["https://swift.org", "https://sqlite.org"] {
        try perform("save", [0: .texts([url])])
      }
      try perform("add-task", [0: .texts(["Water the plants"])])
      if let name { try perform(name, [:]) }
    } catch let error as RunError {
      #expect(error.code != .internal, "\(error.message)\n\(Self.shown(bytes))")
      let path = error.path.joined(separator: " > ")
      if let name, let action = try? workspace.action(name), KnownTypes.couldTell(error, in: action)
      {
        Issue.record("\(error.message) (\(path))\n\(Self.shown(bytes))")
      }
    } catch is Cancellation {
      // It would have waited for ever.
    } catch is Diagnostics {
      // Something else calls what was changed.
    } catch {
      Issue.record("\(error)\n\(Self.shown(bytes))")
    }
  }

  private static func shown(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
