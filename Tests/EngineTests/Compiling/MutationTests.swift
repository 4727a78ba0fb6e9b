import Catalog
import FoundationEssentials
import Glibc
import Program
import Source
import Store
import Synchronization
import TestSupport
import Testing

@testable import Engine

/// Any input ends with diagnostics and never a trap, and an accepted file does not fail at run time
/// with an error that was detectable before.
///
/// `MUTATIONS` sets the number of files, `MUTATION_SEED` the seed.
@Suite struct MutationTests {
  private static let parts = 8

  @Test(arguments: 0..<parts)
  func mutatedDocumentsNeverTrap(_ part: Int) throws {
    let seed = Amount.of("MUTATION_SEED", quick: 0, whole: 0) * Self.parts + part
    var mutator = DocumentMutator(seed: UInt64(seed))
    let names = DefinitionCatalog().actionNames + DefinitionCatalog().entityNames
    let sources = names.compactMap { DefinitionCatalog().source(of: $0) }.map { Array($0.utf8) }
    var broken = 0
    var accepted = 0
    let count = Amount.of("MUTATIONS", quick: 480, whole: 8_000) / Self.parts
    for round in 0..<count {
      let source = sources[(round * Self.parts + part) % sources.count]
      let bytes = mutator.mutate(source)
      if try isSound(bytes) { accepted += 1 } else { broken += 1 }
    }
    // Most mutations break something; otherwise the test is broken.
    #expect(broken > count / 4)
    #expect(accepted > count / 50)
  }

  /// Whether a document has no errors; if so, its definitions are run.
  private func isSound(_ bytes: [UInt8]) throws -> Bool {
    let file = SourceFile(name: "mutated.yaml", bytes: bytes)
    let catalog = DefinitionCatalog()
    let found = catalog.add(file, to: .user)
    for problem in catalog.problems { expectLocated(problem, in: bytes) }
    let world = FakeWorld()
    let workspace = Workspace(catalog: catalog, host: world.host(keyPath: nil)) {
      try Database(at: .memory, context: $0)
    }
    var isSound = catalog.problems.isEmpty
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

  /// Runs an intent or a shortcut, or saves a link, with plausible answers.
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
      // The run would have waited forever.
    } catch is Diagnostics {
      // A caller of the mutated definition has the error.
    } catch {
      Issue.record("\(error)\n\(Self.shown(bytes))")
    }
  }

  private static func shown(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
