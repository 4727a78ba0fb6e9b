import CEL
import Engine
import ErrandKit
import POSIX
import Store
import Worker

/// The calendars that a worker keeps in step with the library.
final class CalendarFeed {
  private var next: Timestamp?
  /// The problem of each calendar, which is told once.
  private var problems: [String: String] = [:]

  /// The pause between two syncs.
  private static let pause = Duration.seconds(60)

  /// Syncs all calendars if it is time; returns the time of the next sync, nil without calendars.
  func look(_ session: WorkerSession, _ log: WorkerLog) throws -> Timestamp? {
    let now = SystemHost.now()
    if let next, now < next { return next }
    let calendars = try session.store.calendars.all()
    for calendar in calendars {
      var problem: String?
      do {
        var sync = try CalendarSync(calendar, session.makeRun(session.workspace, nil)) { _, _, _ in
          false
        }
        let outcome = try sync.sync()
        if outcome.heldBack > 0 { problem = "more than a tenth of its entries would be deleted" }
      } catch let error as RunError { problem = error.message } catch let error as StoreError {
        problem = error.message
      }
      if let problem, problem != problems[calendar.name] {
        log.note(
          "calendar not synced",
          [("calendar", .string(calendar.name)), ("reason", .string(problem))])
      }
      problems[calendar.name] = problem
    }
    next =
      calendars.isEmpty
      ? nil : Timestamp(microseconds: now.microseconds + Self.pause.microseconds)
    return next
  }
}
