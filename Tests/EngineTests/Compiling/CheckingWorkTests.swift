import Catalog
import Program
import Source
import Store
import TestSupport
import Testing
import YAML

@testable import Engine

/// Checking many definitions takes linear time, regardless of their call graph.
@Suite struct CheckingWorkTests {
  struct Graph: CustomTestStringConvertible {
    let name: String
    /// The steps and other keys of each definition.
    let body: @Sendable (_ index: Int, _ count: Int) -> String

    var testDescription: String { name }
  }

  static let graphs = [
    Graph(name: "a chain") { $0 < $1 - 1 ? "steps: [s\($0 + 1)]" : "steps: [{say: h}]" },
    Graph(name: "a chain that is checked from its end") { index, _ in
      index > 0 ? "steps: [s\(index - 1)]" : "steps: [{say: h}]"
    },
    Graph(name: "a chain to a mistake") {
      $0 < $1 - 1 ? "steps: [s\($0 + 1)]" : "steps: [{sya: h}]"
    },
    Graph(name: "callers of a mistake") { index, _ in
      index > 0 ? "steps: [s0]" : "steps: [{sya: h}]"
    },
    Graph(name: "a circle") { "steps: [s\(($0 + 1) % $1)]" },
    Graph(name: "circles of two") { index, _ in "steps: [s\(index ^ 1)]" },
    Graph(name: "atomic blocks") {
      $0 < $1 - 1 ? "steps: [{atomic: [s\($0 + 1)]}]" : "steps: [{ask: Who?}]"
    },
    Graph(name: "atomic blocks of a circle") { "steps: [{atomic: [s\(($0 + 1) % $1)]}]" },
    Graph(name: "handlers of a code") {
      $0 < $1 - 1
        ? "steps: [{try: [s\($0 + 1)], catch: [{on: mine, do: [{log: x}]}]}]"
        : "steps: [{fail: {message: x, code: mine}}]"
    },
    Graph(name: "dialogs that are not said") {
      $0 < $1 - 1
        ? "steps: [s\($0 + 1), {value: 1}]\ndialog: {full: x}"
        : "steps: [{value: 1}]\ndialog: {full: x}"
    },
    Graph(name: "mistakes") { index, _ in "steps: [{sya: \(index)}, {say: '{{ nope }}'}]" },
  ]

  /// The numbers of lookups and compilations in a check of so many definitions.
  private static func work(_ graph: Graph, _ count: Int) throws -> (lookups: Int, compilations: Int)
  {
    let texts = (0..<count).map { "shortcut: s\($0)\n\(graph.body($0, count))\n" }
    let catalog = DefinitionCatalog()
    let file = SourceFile(name: "test.yaml", text: texts.joined(separator: "---\n"))
    catalog.add(file, to: .file)
    let workspace = Workspace(
      catalog: catalog, host: FakeWorld().host(keyPath: nil), reportsWarnings: true
    ) { try Database(at: .memory, context: $0) }
    var reached = Workspace.Reached()
    let names = catalog.definitions(in: file).map(\.name)
    #expect(names.count == count)
    for name in names {
      _ = workspace.findings(inAction: name)
      _ = workspace.mistakes(reachedFrom: name, beyond: &reached)
    }
    return (workspace.lookupCount, workspace.compilationCount)
  }

  /// The size of the smaller library.
  private static let few = Amount.of("ERRAND_DEFINITIONS", quick: 40, whole: 100)

  @Test(arguments: graphs)
  func checkingWorkIsLinear(_ graph: Graph) throws {
    let few = try Self.work(graph, Self.few)
    let many = try Self.work(graph, 8 * Self.few)
    #expect(few.compilations <= Self.few + 1)
    #expect(many.compilations <= 8 * Self.few + 1)
    #expect(many.lookups <= 9 * few.lookups, "\(few.lookups) → \(many.lookups)")
    #expect(many.lookups <= 20 * 8 * Self.few)
  }

  /// A definition added later is found, although its absence was cached as an error.
  @Test func checkSeesDefinitionsAddedLater() throws {
    let catalog = DefinitionCatalog()
    catalog.add(SourceFile(name: "a.yaml", text: "shortcut: a\nsteps: [b]\n"), to: .file)
    let workspace = Workspace(catalog: catalog, host: FakeWorld().host(keyPath: nil)) {
      try Database(at: .memory, context: $0)
    }
    #expect(workspace.findings(inAction: "a").map(\.id) == ["unknown-step"])
    catalog.add(SourceFile(name: "b.yaml", text: "shortcut: b\nsteps: [{say: h}]\n"), to: .file)
    #expect(workspace.findings(inAction: "a").map(\.id) == [])
  }

  /// A violation is found from every block that reaches it, even through a cycle.
  @Test func atomicViolationsBehindCyclesAreFound() throws {
    let yaml = """
      shortcut: a
      steps:
        - atomic: [b]
        - atomic: [c]
      ---
      shortcut: b
      steps: [c]
      ---
      shortcut: c
      steps:
        - b
        - ask: Who?
      """
    let (found, _) = try DoubtTests.findings(yaml)
    #expect(
      found.filter { $0.hasPrefix("not-in-atomic") } == [
        "not-in-atomic 3:14", "not-in-atomic 4:14",
      ])
  }
}
