import CEL
import POSIX

/// The order in which members of a group start: one running member per key, rate-limited per key,
/// otherwise in list order.
struct RateLimitedQueue {
  /// The next action of a free branch.
  enum Next: Equatable {
    /// Start the member now.
    case begin(Int)
    /// Start the member at an instant; it is reserved for this branch.
    case reserved(Int, until: Int64)
    /// Nothing can start before an instant.
    case wait(until: Int64)
    /// Other branches run the rest.
    case none
  }

  /// The members of one key that have not started, in reverse order.
  private struct Line {
    let key: Value?
    var members: [Int]
  }

  /// Minimum interval between the starts of members with the same key.
  private let pace: Duration
  private var lines: [Line] = []
  private var lineOfKey: [Value: Int] = [:]
  /// Lines with a member ready to start, by list position.
  private var ready = Heap()
  /// Lines that wait for the rate limit, by instant.
  private var paced = Heap()
  /// The last start of each key.
  private(set) var beginnings: [Value: Int64]

  /// - Parameters:
  ///   - members: the indices and keys of the members to start, in order.
  ///   - last: earlier starts of the same keys.
  init(_ members: some Sequence<(Int, Value?)>, pace: Duration, last: [Value: Int64] = [:]) {
    self.pace = pace
    beginnings = last
    for (index, key) in members {
      if let line = lineOfKey[key ?? .null] {
        lines[line].members.append(index)
      } else {
        lineOfKey[key ?? .null] = lines.count
        lines.append(Line(key: key, members: [index]))
      }
    }
    for line in lines.indices {
      lines[line].members.reverse()
      queue(line)
    }
  }

  /// The next action of a branch that is free at an instant.
  ///
  /// - Complexity: O(log of the number of keys).
  mutating func next(at now: Int64) -> Next {
    while let first = paced.first, first.rank <= now {
      paced.removeFirst()
      if let head = lines[first.line].members.last { ready.insert(Int64(head), first.line) }
    }
    if let first = ready.removeFirst(), let index = lines[first.line].members.popLast() {
      return .begin(index)
    }
    guard let first = paced.first else { return .none }
    // A member without a key may start on any free branch.
    guard lines[first.line].key != nil else { return .wait(until: first.rank) }
    paced.removeFirst()
    guard let index = lines[first.line].members.popLast() else { return .none }
    return .reserved(index, until: first.rank)
  }

  /// Records the start of a member, which occupies its key.
  mutating func begins(_ key: Value?, at now: Int64) {
    if pace > .zero { beginnings[key ?? .null] = now }
    if key == nil, let line = lineOfKey[.null] { queue(line) }
  }

  /// Records the end of a member, which frees its key.
  mutating func ends(_ key: Value?) {
    if let key, let line = lineOfKey[key] { queue(line) }
  }

  /// Queues the next member of a line, subject to the rate limit.
  private mutating func queue(_ line: Int) {
    guard let head = lines[line].members.last else { return }
    if pace > .zero, let last = beginnings[lines[line].key ?? .null] {
      paced.insert(last &+ pace.nanoseconds, line)
    } else {
      ready.insert(Int64(head), line)
    }
  }
}

/// A min-heap of lines by rank.
private struct Heap {
  typealias Entry = (rank: Int64, line: Int)

  private var entries: [Entry] = []

  var first: Entry? { entries.first }

  mutating func insert(_ rank: Int64, _ line: Int) {
    entries.append((rank, line))
    var index = entries.count - 1
    while index > 0, entries[index] < entries[(index - 1) / 2] {
      entries.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  @discardableResult
  mutating func removeFirst() -> Entry? {
    guard let first = entries.first, let last = entries.popLast() else { return nil }
    guard !entries.isEmpty else { return first }
    entries[0] = last
    var index = 0
    while true {
      var least = index
      let child = 2 * index + 1
      if child < entries.count, entries[child] < entries[least] { least = child }
      if child + 1 < entries.count, entries[child + 1] < entries[least] { least = child + 1 }
      if least == index { return first }
      entries.swapAt(index, least)
      index = least
    }
  }
}
