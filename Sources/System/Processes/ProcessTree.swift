import Glibc
import POSIX
import Synchronization

/// A program and all that it started, also what went away from it: its processes are known by
/// their parents, and by a mark in their environment.
struct ProcessTree {
  /// The variable of the environment, with its value.
  let mark: String

  private static let count = Atomic<Int>(0)

  /// How long what is ended may take to end by itself, in nanoseconds.
  private static let grace: Int64 = 1_000_000_000
  /// How often what is left is looked for before it is given up.
  private static let rounds = 50

  init() {
    let number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    mark = "ERRAND_PROCESS=\(getpid())-\(number)"
  }

  /// Ends a program and all below it: asks first, then kills.
  func end(_ child: pid_t) {
    var isReaped = false
    var seen: Set<pid_t> = []
    func members(of child: pid_t) -> [pid_t] {
      let found = self.members(of: child)
      seen.formUnion(found)
      return found
    }
    // Those whose parents ended are ours now, and stay until they are waited for.
    defer { for id in seen where id != child { _ = Self.reap(id) } }
    for id in members(of: child) { kill(id, SIGTERM) }
    let deadline = MonotonicClock.nanoseconds + Self.grace
    while MonotonicClock.nanoseconds < deadline {
      if !isReaped { isReaped = Self.reap(child) != nil }
      let left = members(of: child).filter { !isReaped || $0 != child }
      if isReaped, left.isEmpty { return }
      MonotonicClock.pause(MonotonicClock.nanoseconds + 5_000_000, [])
    }
    // What comes while others are killed is found in the next round.
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

  /// The status of a child that has ended, which it is then rid of; nil while it runs.
  static func reap(_ child: pid_t) -> Int32? {
    var status: Int32 = 0
    while true {
      let result = waitpid(child, &status, WNOHANG)
      if result == child { return status }
      if result < 0, errno == EINTR { continue }
      // Somebody else took it: there is nothing more to wait for.
      return result < 0 ? 127 << 8 : nil
    }
  }

  /// The program and what is below it now, those that have ended left out.
  private func members(of child: pid_t) -> [pid_t] {
    let parents = Self.parents()
    var found: Set<pid_t> = parents[child] == nil ? [] : [child]
    // A process whose parent ended is ours (prctl(2), PR_SET_CHILD_SUBREAPER).
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

  /// The parent of each process that has not ended.
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
