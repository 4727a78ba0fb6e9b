import CEL
import Engine
import ErrandKit
import POSIX
import Store
import Worker

/// The calendars that a worker keeps in step with the library.
final class CalendarFeed {
  private var next: Timestamp?
  /// The earliest time of a sync before that.
  private var restEnd = Timestamp.earliest
  /// The position in the change log at the last sync, or a later one without a change of events and tasks.
  private var sequence: Int64 = 0
  /// The files in each folder after its last sync.
  private var files: [String: [WatchedFile]] = [:]
  private var hasFileNews = false
  /// The problem of each calendar, which is told once.
  private var problems: [String: String] = [:]

  /// The pause between two syncs without a reason, also with a server, and the shortest of all.
  private static let pause = Duration.seconds(60)
  private static let serverPause = Duration.seconds(300)
  private static let rest = Duration.seconds(2)

  /// The folders to watch.
  var folders: [String] { Array(files.keys) }

  /// Syncs all calendars if it is time or something has changed here, otherwise those whose files have changed;
  /// returns the time of the next sync, nil without calendars.
  func look(
    _ session: WorkerSession, _ world: any WorkerWorld, hasFileNews: Bool, _ log: WorkerLog
  ) throws -> Timestamp? {
    let now = world.now
    let isTime = next.map { now >= $0 } ?? true
    self.hasFileNews = self.hasFileNews || hasFileNews
    let isChangedHere = try isChangedHere(session.store.changes)
    guard isTime || isChangedHere || self.hasFileNews else { return next }
    if !isTime, now < restEnd { return min(restEnd, next ?? restEnd) }
    let calendars = try session.store.calendars.all()
    files = files.filter { place, _ in calendars.contains { $0.place == place } }
    for calendar in calendars
    where isChangedHere || isTime && isDue(calendar, now)
      || world.files(in: calendar.place) != files[calendar.place]
    {
      var problem: String?
      do {
        var sync = try CalendarSync(calendar, session.makeRun(session.workspace, nil)) { _, _, _ in
          false
        }
        let outcome = try sync.sync()
        if outcome.heldBack > 0 { problem = "more than a tenth of its entries would be deleted" }
        if let refused = outcome.refused.first {
          problem = "it does not take \(refused.name): \(refused.reason)"
        }
      } catch let error as RunError { problem = error.message } catch let error as StoreError {
        problem = error.message
      }
      if let problem, problem != problems[calendar.name] {
        log.note(
          "calendar not synced",
          [("calendar", .string(calendar.name)), ("reason", .string(problem))])
      }
      problems[calendar.name] = problem
      files[calendar.place] = world.files(in: calendar.place)
    }
    self.hasFileNews = false
    sequence = try session.store.changes.last()
    restEnd = Timestamp(microseconds: now.microseconds + Self.rest.microseconds)
    if isTime || isChangedHere {
      next =
        calendars.isEmpty
        ? nil : Timestamp(microseconds: now.microseconds + Self.pause.microseconds)
    }
    return next
  }

  /// Whether it is time for a calendar; a server is asked less often.
  private func isDue(_ calendar: CalendarStore.Calendar, _ now: Timestamp) -> Bool {
    guard calendar.isRemote, let synced = calendar.synced else { return true }
    return now.microseconds - synced.microseconds >= Self.serverPause.microseconds
  }

  /// Whether events or tasks have changed since the last sync.
  private func isChangedHere(_ changes: ChangeLog) throws -> Bool {
    let last = try changes.last()
    if last > sequence, try changes.mayConcern(["Event", "Task"], after: sequence) { return true }
    sequence = last
    return false
  }
}
