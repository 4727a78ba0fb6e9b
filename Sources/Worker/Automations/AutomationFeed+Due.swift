import CEL
import Catalog
import Engine
import Items
import POSIX
import Program
import Source
import Store

/// Triggers by what is due.
extension AutomationFeed {
  /// The time ahead in which all items are looked at; of those after it, only the first.
  private static let dueHorizon = Duration.seconds(86_400)
  /// The time after which a moment counts as missed.
  private static let patience = Duration.seconds(300)
  /// The time after which a cursor without an event is saved.
  private static let dueLag = Duration.seconds(60)

  /// Checks which items have become due since the last check, each once however many of its moments
  /// were missed; returns the time of the next check, if any.
  func check(_ due: DueMoments, _ armed: ActiveTrigger) throws -> Timestamp? {
    let now = world.now
    let old = cursors[armed.cursor]
    // Moments before the first check do not count; nor does a last check in the future.
    let last = min(old?.last ?? now, now)
    let sequence = try session.store.changes.last()
    if let look = dueLooks[armed.cursor], look.next.map({ now < $0 }) ?? true,
      try !session.store.changes.mayConcern([due.entity], after: look.sequence)
    {
      return look.next
    }
    var next: Timestamp?
    var fired: [Int64?: (item: Item, moment: Timestamp)] = [:]
    let horizon = Timestamp(microseconds: now.microseconds + Self.dueHorizon.microseconds)
    for (item, moment) in try run.due(due, armed.trigger, after: last, to: horizon) {
      if moment > now {
        next = min(next ?? moment, moment)
      } else if moment >= item.record.createdAt ?? moment,
        moment > fired[item.id]?.moment ?? .earliest
      {
        // What was past when the item was made is not told.
        fired[item.id] = (item, moment)
      }
    }
    if due.occurs {
      next = next ?? horizon
    } else if next == nil, due.reminders == nil {
      var later = Run.Search(entity: due.entity)
      later.filter = armed.trigger.filter(of: due, from: horizon, to: nil)
      later.sort = [due.property]
      later.limit = 1
      next = try run.find(later).flatMap { due.moments(of: $0, in: run.host.clock) }
        .filter { $0 > now }.min()
    }
    dueLooks[armed.cursor] = (sequence, next)
    guard
      !fired.isEmpty || old == nil
        || now.microseconds - last.microseconds >= Self.dueLag.microseconds
    else { return next }
    try commit(AutomationCursor(name: armed.cursor, last: now), from: old) {
      try fired.values.filter { admits(armed, $0.moment) }.sorted {
        ($0.moment, $0.item.id ?? 0) < ($1.moment, $1.item.id ?? 0)
      }
      .map { item, moment in
        let age = now.microseconds - moment.microseconds
        let value = armed.trigger.value(
          time: .timestamp(moment), item: .object(item),
          isMissed: age > Self.patience.microseconds)
        let uid = item.record.uid?.text ?? ""
        return dueJob(
          try job(armed, value, key: "due \(uid) \(moment.seconds)"), armed,
          occasion: "\(uid) \(moment.seconds)")
      }
    }
    return next
  }
}
