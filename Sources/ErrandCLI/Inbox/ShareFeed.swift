import CEL
import Engine
import ErrandKit
import Glibc
import Inbox
import POSIX
import Worker

/// Imports shares for a worker as they arrive in the inbox.
final class ShareFeed {
  private let base: String
  private let inbox: InboxFolder
  /// Modification time of the folder at the last look.
  private var known: timespec?

  /// Creates the feed of a call's store.
  ///
  /// - Throws: `UsageError` if there is no inbox, `InboxError` if it cannot be created.
  init(_ invocation: Invocation) throws {
    base = try invocation.inboxBase()
    inbox = try invocation.inbox()
    try inbox.make()
  }

  /// The folder to watch.
  var folder: String { inbox.waiting }

  /// Makes the next look examine all shares, since definitions may have changed.
  func forget() { known = nil }

  /// Delay before files still being written are examined again.
  private static let patience = Duration.seconds(5)

  /// Imports new shares and returns when to look again even without an event.
  func look(_ session: WorkerSession, _ log: WorkerLog) throws -> Timestamp? {
    guard let changed = stat.at(folder)?.st_mtim else { return nil }
    if let known, known.tv_sec == changed.tv_sec, known.tv_nsec == changed.tv_nsec { return nil }
    do {
      let run = session.makeRun(session.workspace, nil)
      guard let result = try ShareIntake(run, inbox, besideStore: base).takeIn() else { return nil }
      if result.taken > 0 { log.note("shares taken in", [("count", .int(Int64(result.taken)))]) }
      let isWritten = result.refused.contains(where: \.refusal.isPassing)
      for refused in result.refused where !refused.refusal.isPassing {
        log.note(
          "share stays in the inbox", level: .warning,
          [("share", .string(refused.name)), ("reason", .string(refused.refusal.reason))])
      }
      // Removing shares has changed the folder again.
      known = result.taken == 0 && !isWritten ? changed : nil
      return isWritten
        ? Timestamp(seconds: SystemHost.now().seconds + Self.patience.wholeSeconds) : nil
    } catch let error as InboxError {
      log.note("shares cannot be taken in", level: .error, [("error", .string(error.message))])
      known = changed
      return nil
    }
  }
}
