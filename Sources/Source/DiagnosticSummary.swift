/// The diagnostics that are worth showing: so many of each file, and how many more there are.
package struct DiagnosticSummary: Sendable {
  /// How many of one file are shown.
  package static let limit = 50

  /// Those that are shown, in the order in which they came.
  package let shown: [Diagnostic]
  /// How many of each file are left out, by the file's name, in the order in which they came.
  package let hidden: [(file: String, count: Int)]

  /// The summary of all that was found.
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

  /// How many are left out.
  package var hiddenCount: Int { hidden.reduce(0) { $0 + $1.count } }

  /// A line for each file of which some are left out.
  package var notes: [TerminalText] {
    hidden.map { file, count in
      file.isEmpty ? "… and \(count) more" : "… and \(count) more in \(file)"
    }
  }
}
