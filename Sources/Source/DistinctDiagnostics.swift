/// An ordered set of diagnostics.
package struct DistinctDiagnostics {
  /// All diagnostics, in insertion order.
  package private(set) var all: [Diagnostic] = []
  private var marks: Set<Mark> = []

  /// Identity of a diagnostic.
  private struct Mark: Hashable {
    let id: String
    let file: String?
    let range: Range<Int>?
    /// Message of a diagnostic without a position; nil otherwise.
    let message: String?
  }

  /// Creates an empty set.
  package init() {}

  /// Adds diagnostics that are not in the set yet.
  package mutating func add(_ diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics {
      let span = diagnostic.span
      let mark = Mark(
        id: diagnostic.id, file: span?.file.name, range: span?.range,
        message: span == nil ? diagnostic.message : nil)
      if marks.insert(mark).inserted { all.append(diagnostic) }
    }
  }

  /// Whether any of them is an error.
  package var hasErrors: Bool { all.contains { $0.severity == .error } }

  /// Diagnostics by file, in insertion order of files, and then by position.
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
