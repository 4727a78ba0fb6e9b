import BenchmarkSupport
import Catalog
import Engine
import Items
import Source
import Store

/// A shortcut with a loop to measure.
struct Subject {
  /// The body of the loop, as YAML.
  let body: String

  /// Number of passes of a run.
  static let passes = 100_000

  /// The best time per pass over several runs in one workspace, in nanoseconds.
  func nanosecondsPerPass() throws -> Double {
    let catalog = DefinitionCatalog()
    let text = """
      intent: echo
      parameters:
        text: {type: string}
      steps:
        - value: '{{ text }}'
      ---
      shortcut: subject
      steps:
        - repeat: \(Self.passes)
          do:
            - \(body)
      """
    catalog.add(SourceFile(name: "bench.yaml", text: text), to: .file)
    let workspace = Workspace(catalog: catalog, host: .quiet) {
      try Database(at: .memory, context: $0)
    }
    let clock = ContinuousClock()
    var least = Double.infinity
    for _ in 0..<7 {
      let begin = clock.now
      _ = try Run(workspace, host: .quiet, front: SilentFront()).perform("subject", [:])
      let spent = begin.duration(to: clock.now).components
      let nanoseconds = Double(spent.seconds) * 1e9 + Double(spent.attoseconds) / 1e9
      least = min(least, nanoseconds / Double(Self.passes))
    }
    return least
  }
}
