import ErrandKit
import Synchronization

/// Cached counts and tags of the sidebar, valid until the library changes; shared by all workers,
/// so that each is computed once.
package final class SidebarMemory: Sendable {
  private struct State {
    var stamp = ""
    var counts: [String: Int] = [:]
    var tags: (forest: [TagNode], counts: [String: Int])?
  }

  private let state = Mutex(State())

  package init() {}

  /// Clears the cache if the library has changed.
  func renew(for errand: Errand) {
    let now = errand.storeStamp
    state.withLock { if $0.stamp != now { $0 = State(stamp: now) } }
  }

  private static let limit = 500

  /// The number of items of a list.
  func count(_ list: ItemList, _ reader: Reader) throws -> Int {
    try count(ListView(list) { _ in nil }, reader)
  }

  /// The number of items of a list with the words and the filter of a person.
  func count(_ view: ListView, _ reader: Reader) throws -> Int {
    let key = [view.list.entity, view.words ?? "", view.counted ?? ""].joined(separator: "\n")
    return try count(key) {
      try reader.count(view.list.entity, matching: view.words, where: view.counted)
    }
  }

  /// The number of open tasks that are due by a day.
  func dueTasks(_ reader: Reader, _ today: String) throws -> Int {
    try count("due " + today) {
      try reader.count(
        "Task", where: "!self.done && self.due != null && self.due.day() <= today()")
    }
  }

  private func count(_ name: String, _ count: () throws -> Int) throws -> Int {
    try state.withLock { state in
      if let count = state.counts[name] { return count }
      let count = try count()
      if state.counts.count > Self.limit { state.counts = [:] }
      state.counts[name] = count
      return count
    }
  }

  /// The tags of links as trees, and the number of links of each.
  func tags(_ reader: Reader) throws -> (forest: [TagNode], counts: [String: Int]) {
    try state.withLock { state in
      if let tags = state.tags { return tags }
      let all = try reader.tags(of: "Link")
      let counts = Dictionary(all.map { ($0.tag, $0.count) }) { first, _ in first }
      let tags = (TagNode.forest(all.map(\.tag)), counts)
      state.tags = tags
      return tags
    }
  }
}
