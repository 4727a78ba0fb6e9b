import Glibc
import POSIX
import Synchronization

/// A program and all its descendants, including daemonized ones; they are identified by their parents and by a mark in
/// their environment.
struct ProcessTree {
  /// The environment variable with its value.
  let mark: String

  private static let count = Atomic<Int>(0)

  /// Time between SIGTERM and SIGKILL.
  private static let gracePeriod = Duration.seconds(1)
  /// Maximum number of rounds of SIGKILL.
  private static let rounds = 50

  init() {
    let number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    mark = "ERRAND_PROCESS=\(getpid())-\(number)"
  }

  /// Stops a program and its descendants: SIGTERM, then SIGKILL.
  func end(_ child: pid_t) {
    // By id, the start time of each member found so far. A process that is just ending has lost its environment, and
    // with it its mark and its children, some time before it is over.
    var seen: [pid_t: Int64] = [:]
    var isReaped = false
    func left() -> [pid_t] {
      let records = Self.records()
      let running = isReaped ? nil : child
      for id in members(of: running, seen: seen, among: records) { seen[id] = records[id]?.start }
      if !isReaped { isReaped = Self.reap(child) != nil }
      return seen.keys.filter { records[$0]?.start == seen[$0] && !(isReaped && $0 == child) }
    }
    for id in left() { kill(id, SIGTERM) }
    let deadline = MonotonicClock.nanoseconds + Self.gracePeriod.nanoseconds
    // A process that is being replaced by another program has no environment for a moment, so one look is not enough.
    var emptyRounds = 0
    while MonotonicClock.nanoseconds < deadline, emptyRounds < 2 {
      let isOver = left().isEmpty && isReaped
      emptyRounds = isOver ? emptyRounds + 1 : 0
      MonotonicClock.pause(MonotonicClock.nanoseconds + (isOver ? 1_000_000 : 5_000_000), [])
    }
    // Processes forked meanwhile are found in the next round.
    for _ in 0..<Self.rounds where emptyRounds < 2 {
      let found = left()
      for id in found { kill(id, SIGKILL) }
      emptyRounds = found.isEmpty && isReaped ? emptyRounds + 1 : 0
      MonotonicClock.pause(MonotonicClock.nanoseconds + 2_000_000, [])
    }
    // Orphans were reparented to this process and must be reaped.
    for id in seen.keys where id != child { _ = Self.reap(id) }
  }

  /// Reaps a child that has ended and returns its status; nil while it runs.
  static func reap(_ child: pid_t) -> Int32? {
    var status: Int32 = 0
    while true {
      let result = waitpid(child, &status, WNOHANG)
      if result == child { return status }
      if result < 0, errno == EINTR { continue }
      // Already reaped elsewhere.
      return result < 0 ? 127 << 8 : nil
    }
  }

  /// Returns the program and its running descendants: what was seen before and still runs, orphans that carry the mark,
  /// and the children of both.
  private func members(
    of child: pid_t?, seen: [pid_t: Int64], among records: [pid_t: ProcessRecord]
  ) -> Set<pid_t> {
    // Orphans become children of this process (prctl(2), PR_SET_CHILD_SUBREAPER).
    let own = getpid()
    var found: Set<pid_t> = []
    for (id, record) in records
    where id == child || seen[id] == record.start || record.parent == own && carriesMark(id) {
      found.insert(id)
    }
    var isGrowing = true
    while isGrowing {
      let more = records.filter { found.contains($0.value.parent) && !found.contains($0.key) }
      isGrowing = !more.isEmpty
      found.formUnion(more.keys)
    }
    return found
  }

  /// Returns the record of each running process.
  private static func records() -> [pid_t: ProcessRecord] {
    var records: [pid_t: ProcessRecord] = [:]
    for name in Folder.names(in: "/proc") ?? [] {
      if let id = pid_t(name) { records[id] = ProcessRecord(id) }
    }
    return records
  }

  private func carriesMark(_ id: pid_t) -> Bool {
    guard let file = try? Descriptor("/proc/\(id)/environ", O_RDONLY),
      let variables = try? file.bytes(limit: 1 << 20)
    else { return false }
    return variables.split(separator: 0).contains { $0.elementsEqual(mark.utf8) }
  }
}
