/// Diagnostics of which each stands there once, however often it was found.
package struct DistinctDiagnostics {
  /// Those that were added, in the order in which they came.
  package private(set) var all: [Diagnostic] = []
  private var marks: Set<Mark> = []

  /// What tells two findings apart.
  private struct Mark: Hashable {
    let id: String
    let file: String?
    let range: Range<Int>?
    /// Findings without a place are told apart by their words.
    let message: String?
  }

  /// None yet.
  package init() {}

  /// Adds those that were not added before.
  package mutating func add(_ diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics {
      let span = diagnostic.span
      let mark = Mark(
        id: diagnostic.id, file: span?.file.name, range: span?.range,
        message: span == nil ? diagnostic.message : nil)
      if marks.insert(mark).inserted { all.append(diagnostic) }
    }
  }

  /// Whether one of them keeps something from running.
  package var hasErrors: Bool { all.contains { $0.severity == .error } }

  /// By file, in the order in which files came, and by place in each.
  package var sorted: [Diagnostic] {
    var order: [String: Int] = [:]
    for diagnostic in all {
      let name = diagnostic.span?.file.name ?? ""
      if order[name] == nil { order[name] = order.count }
    }
    return all.enumerated().sorted { left, right in
      let (a, b) = (left.element.span, right.element.span)
      let files = (order[a?.file.name ?? ""] ?? 0, order[b?.file.name ?? ""] ?? 0)
      if files.0 != files.1 { return files.0 < files.1 }
      let starts = (a?.range.lowerBound ?? 0, b?.range.lowerBound ?? 0)
      return starts.0 == starts.1 ? left.offset < right.offset : starts.0 < starts.1
    }.map(\.element)
  }
}
