/// The diagnostics to show: at most `limit` per file, and the number omitted.
package struct DiagnosticSummary: Sendable {
  /// Maximum number shown per file.
  package static let limit = 50

  /// The shown diagnostics, in their original order.
  package let shown: [Diagnostic]
  /// Number omitted per file, by file name, in their original order.
  package let hidden: [(file: String, count: Int)]

  /// Selects the diagnostics to show.
  ///
  /// - Complexity: O(diagnostics).
  package init(_ all: [Diagnostic]) {
    guard all.count > Self.limit else {
      shown = all
      hidden = []
      return
    }
    var shown: [Diagnostic] = []
    var counts: [String: Int] = [:]
    var order: [String] = []
    for diagnostic in all {
      let file = diagnostic.span?.file.name ?? ""
      let count = counts[file, default: 0] + 1
      counts[file] = count
      if count <= Self.limit { shown.append(diagnostic) }
      if count == Self.limit + 1 { order.append(file) }
    }
    self.shown = shown
    hidden = order.map { ($0, (counts[$0] ?? 0) - Self.limit) }
  }

  /// Number of all omitted diagnostics.
  package var hiddenCount: Int { hidden.reduce(0) { $0 + $1.count } }

  /// A line for each file with omitted diagnostics.
  package var notes: [TerminalText] {
    hidden.map { file, count in
      file.isEmpty ? "… and \(count) more" : "… and \(count) more in \(file)"
    }
  }
}
