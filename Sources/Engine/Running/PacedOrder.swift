import CEL

/// In which order the members of a group begin: of those with the same key one at a time, with a pause
/// between their beginnings, and the first of those that may begin.
struct PacedOrder {
  /// What a branch that is free does.
  enum Next: Equatable {
    /// The member begins now.
    case begin(Int)
    /// The member begins at an instant, and no other branch takes it.
    case reserved(Int, until: Int64)
    /// Nothing may begin before an instant.
    case wait(until: Int64)
    /// Other branches have the rest.
    case none
  }

  /// The members of one key that have not begun, the last first.
  private struct Line {
    let key: Value?
    var members: [Int]
  }

  /// The time between the beginnings of two members with the same key, in nanoseconds.
  private let pace: Int64
  private var lines: [Line] = []
  private var lineOfKey: [Value: Int] = [:]
  /// The lines that may go on, by their first members.
  private var ready = Heap()
  /// The lines that wait for their pace, by the instants at which they may go on.
  private var paced = Heap()
  /// When the last member of each key began.
  private(set) var beginnings: [Value: Int64]

  /// - Parameters:
  ///   - members: the positions and keys of what has not begun, in order.
  ///   - last: when members of these keys began before.
  init(_ members: some Sequence<(Int, Value?)>, pace: Int64, last: [Value: Int64] = [:]) {
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

  /// What a branch that is free does at an instant.
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
    // What has no key begins wherever a branch is free.
    guard lines[first.line].key != nil else { return .wait(until: first.rank) }
    paced.removeFirst()
    guard let index = lines[first.line].members.popLast() else { return .none }
    return .reserved(index, until: first.rank)
  }

  /// Notes that a member begins, whose key is then taken.
  mutating func begins(_ key: Value?, at now: Int64) {
    if pace > 0 { beginnings[key ?? .null] = now }
    if key == nil, let line = lineOfKey[.null] { queue(line) }
  }

  /// Notes that a member has ended, so that the next one of its key may begin.
  mutating func ends(_ key: Value?) {
    if let key, let line = lineOfKey[key] { queue(line) }
  }

  /// Lets a line go on, as soon as its pace allows it.
  private mutating func queue(_ line: Int) {
    guard let head = lines[line].members.last else { return }
    if pace > 0, let last = beginnings[lines[line].key ?? .null] {
      paced.insert(last &+ pace, line)
    } else {
      ready.insert(Int64(head), line)
    }
  }
}

/// Lines by a rank, the least first.
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
