import CEL
import Engine
import Items
import POSIX
import Program
import Store

/// Triggers by what happens to the machine.
extension AutomationFeed {
  /// The time after which the clock of sleep is looked at; setting the clock wakes the timer, too, as the
  /// kernel does after sleep.
  private static let longestLook = Duration.seconds(3_600)

  /// The shortest sleep that counts; the clocks are not read at the same instant.
  private static let shortestSleep = Duration.seconds(1)

  /// Checks whether something happened to the machine since the last check; returns the time of the next.
  ///
  /// Nothing from before the first check counts.
  func check(_ happening: MachineEvent, _ armed: ActiveTrigger) throws -> Timestamp? {
    let old = cursors[armed.cursor]
    let (boot, slept) = world.session
    let isOnline = world.available().contains(.network)
    let known = (old?.state ?? "").split(separator: " ").map(String.init)
    let state: String
    var isNow = false
    switch happening {
    case .start:
      state = boot
      isNow = known != [boot]
    case .resume:
      let before = known.first == boot ? known.last.flatMap { Int64($0) } : nil
      isNow = before.map { slept - .microseconds($0) >= Self.shortestSleep } ?? false
      state = before == nil || isNow ? "\(boot) \(slept.microseconds)" : old?.state ?? ""
    case .online, .offline:
      state = isOnline ? "online" : "offline"
      isNow = state == happening.rawValue && known != [state]
    }
    let next = Timestamp(microseconds: world.now.microseconds + Self.longestLook.microseconds)
    guard state != old?.state else { return next }
    try commit(AutomationCursor(name: armed.cursor, last: world.now, state: state), from: old) {
      guard old != nil, isNow, admits(armed, world.now) else { return [] }
      let value = armed.trigger.value(time: .timestamp(world.now))
      let job = try job(armed, value, key: "\(armed.trigger.key) \(world.now.microseconds)")
      return [dueJob(job, armed, occasion: state)]
    }
    return next
  }
}
