import Catalog
import Program
import Source
import Store
import Testing
import YAML

@testable import Engine

/// What a check of many definitions does grows with their number, whatever they call.
@Suite struct CheckingWorkTests {
  struct Graph: CustomTestStringConvertible {
    let name: String
    /// The steps of each of so many, and other keys.
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

  /// The look-ups and compilations that a check of so many definitions takes.
  private static func work(_ graph: Graph, _ count: Int) throws -> (lookups: Int, compilations: Int)
  {
    let texts = (0..<count).map { "shortcut: s\($0)\n\(graph.body($0, count))\n" }
    let library = Library()
    let file = SourceFile(name: "test.yaml", text: texts.joined(separator: "---\n"))
    library.add(file, to: .file)
    let workspace = Workspace(
      library: library, host: FakeWorld().host(keyPath: nil), findsDoubts: true
    ) { try EntityStore(at: .memory, context: $0) }
    var reached = Workspace.Reached()
    let names = library.definitions(in: file).map(\.name)
    #expect(names.count == count)
    for name in names {
      _ = workspace.findings(inAction: name)
      _ = workspace.mistakes(reachedFrom: name, beyond: &reached)
    }
    return (workspace.lookupCount, workspace.compilationCount)
  }

  @Test(arguments: graphs)
  func workGrowsWithTheDefinitions(_ graph: Graph) throws {
    let few = try Self.work(graph, 100)
    let many = try Self.work(graph, 800)
    #expect(few.compilations <= 101)
    #expect(many.compilations <= 801)
    #expect(many.lookups <= 9 * few.lookups, "\(few.lookups) → \(many.lookups)")
    #expect(many.lookups <= 20 * 800)
  }

  /// A definition that brings what was missing is seen, though the mistake was known.
  @Test func whatIsAddedLaterCounts() throws {
    let library = Library()
    library.add(SourceFile(name: "a.yaml", text: "shortcut: a\nsteps: [b]\n"), to: .file)
    let workspace = Workspace(library: library, host: FakeWorld().host(keyPath: nil)) {
      try EntityStore(at: .memory, context: $0)
    }
    #expect(workspace.findings(inAction: "a").map(\.id) == ["unknown-step"])
    library.add(SourceFile(name: "b.yaml", text: "shortcut: b\nsteps: [{say: h}]\n"), to: .file)
    #expect(workspace.findings(inAction: "a").map(\.id) == [])
  }

  /// An obstacle is found from every block that comes to it, also through a circle.
  @Test func obstaclesBehindCirclesAreFound() throws {
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
