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
    var isReaped = false
    var seen: Set<pid_t> = []
    func members(of child: pid_t) -> [pid_t] {
      let found = self.members(of: child)
      seen.formUnion(found)
      return found
    }
    // Orphans were reparented to this process and must be reaped.
    defer { for id in seen where id != child { _ = Self.reap(id) } }
    for id in members(of: child) { kill(id, SIGTERM) }
    let deadline = MonotonicClock.nanoseconds + Self.gracePeriod.nanoseconds
    while MonotonicClock.nanoseconds < deadline {
      if !isReaped { isReaped = Self.reap(child) != nil }
      let left = members(of: child).filter { !isReaped || $0 != child }
      if isReaped, left.isEmpty { return }
      MonotonicClock.pause(MonotonicClock.nanoseconds + 5_000_000, [])
    }
    // Processes forked meanwhile are found in the next round.
    for _ in 0..<Self.rounds {
      let left = members(of: child).filter { !isReaped || $0 != child }
      if !isReaped { kill(child, SIGKILL) }
      for id in left { kill(id, SIGKILL) }
      if !isReaped { isReaped = Self.reap(child) != nil }
      for id in left where id != child { _ = Self.reap(id) }
      if isReaped, left.allSatisfy({ $0 == child }) { return }
      MonotonicClock.pause(MonotonicClock.nanoseconds + 2_000_000, [])
    }
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

  /// Returns the program and its running descendants.
  private func members(of child: pid_t) -> [pid_t] {
    let parents = Self.parents()
    var found: Set<pid_t> = parents[child] == nil ? [] : [child]
    // Orphans become children of this process (prctl(2), PR_SET_CHILD_SUBREAPER).
    let own = getpid()
    for (id, parent) in parents where parent == own && id != child && carriesMark(id) {
      found.insert(id)
    }
    var isGrowing = true
    while isGrowing {
      let more = parents.filter { found.contains($0.value) && !found.contains($0.key) }
      isGrowing = !more.isEmpty
      found.formUnion(more.keys)
    }
    return Array(found)
  }

  /// Returns the parent of each running process.
  private static func parents() -> [pid_t: pid_t] {
    var parents: [pid_t: pid_t] = [:]
    for name in Folder.names(in: "/proc") ?? [] {
      if let id = pid_t(name) { parents[id] = ProcessRecord(id)?.parent }
    }
    return parents
  }

  private func carriesMark(_ id: pid_t) -> Bool {
    guard let file = try? Descriptor("/proc/\(id)/environ", O_RDONLY),
      let variables = try? file.bytes(limit: 1 << 20)
    else { return false }
    return variables.split(separator: 0).contains { $0.elementsEqual(mark.utf8) }
  }
}
