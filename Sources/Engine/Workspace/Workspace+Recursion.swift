import Catalog
import Program
import Source

extension Workspace {
  /// A warning where every run of an intent or a shortcut comes to run it again.
  func recursion(in name: String) -> [Diagnostic] {
    guard let circle = circle(of: name), let start = try? action(name) else { return [] }
    for call in start.certainCalls where self.circle(of: call.name) == circle {
      let way = call.name == name ? "runs itself" : "runs itself again by way of `\(call.name)`"
      return [
        Diagnostic(
          "W206", "`\(name)` \(way), and nothing ends that", at: call.span,
          help: "give the step a `when:` that comes to be false", severity: .warning)
      ]
    }
    return []
  }

  /// The circle of intents and shortcuts that certainly run one another to which one belongs; nil
  /// for one that is in none.
  ///
  /// - Complexity: O(certain calls) for all that is reached for the first time, then O(1).
  package func circle(of name: String) -> Int? {
    callCircles.circle(of: name, among: library.files.count) { name in
      (try? action(name))?.certainCalls.map(\.name) ?? []
    }
  }
}

/// The strongly connected parts of the graph of calls, found as they are asked for (R. Tarjan,
/// “Depth-First Search and Linear Graph Algorithms”, 1972); without recursion, as chains of calls
/// may be long.
struct CallCircles {
  private struct Visit {
    let name: String
    let callees: [String]
    var next = 0
    let index: Int
    var low: Int
  }

  /// For each name that was reached its circle; nil where it is in none.
  private var circles: [String: Int?] = [:]
  private var count = 0
  /// How many files were in reach.
  private var fileCount = 0

  mutating func circle(
    of name: String, among fileCount: Int, callees: (String) -> [String]
  ) -> Int? {
    if fileCount != self.fileCount {
      self = CallCircles()
      self.fileCount = fileCount
    }
    if let known = circles[name] { return known }
    find(from: name, callees)
    return circles[name] ?? nil
  }

  private mutating func find(from start: String, _ callees: (String) -> [String]) {
    var indices: [String: Int] = [:]
    // Those whose part is not closed yet, in the order in which they were reached.
    var open: [String] = []
    var visits: [Visit] = []
    func visit(_ name: String) {
      let index = indices.count
      indices[name] = index
      open.append(name)
      visits.append(Visit(name: name, callees: callees(name), index: index, low: index))
    }
    visit(start)
    while var top = visits.popLast() {
      if top.next < top.callees.count {
        let callee = top.callees[top.next]
        top.next += 1
        // What belongs to a part that is closed leads nowhere back.
        let isNew = circles[callee] == nil && indices[callee] == nil
        if circles[callee] == nil, let index = indices[callee] { top.low = min(top.low, index) }
        visits.append(top)
        if isNew { visit(callee) }
        continue
      }
      if let last = visits.indices.last { visits[last].low = min(visits[last].low, top.low) }
      guard top.low == top.index else { continue }
      var part: [String] = []
      repeat { part.append(open.removeLast()) } while part.last != top.name
      let isCircle = part.count > 1 || top.callees.contains(top.name)
      if isCircle { count += 1 }
      for name in part { circles[name] = .some(isCircle ? count : nil) }
    }
  }
}
