import CEL
import Engine
import ErrandKit
import Glibc
import Inbox
import Worker

/// Takes shares in for a worker, when something has come into the inbox.
final class ShareFeed {
  private let base: String
  private let inbox: InboxFolder
  /// When the folder was changed last, as it was looked at.
  private var known: timespec?

  /// The shares for the store of a call.
  ///
  /// - Throws: `UsageError` where there is no inbox, `InboxError` when it can't be made.
  init(_ invocation: Invocation) throws {
    base = try invocation.inboxBase()
    inbox = InboxFolder(besideStore: base)
    try inbox.make()
  }

  /// The folder to be watched.
  var folder: String { inbox.waiting }

  /// Lets all that waits be looked at again, since definitions may be others.
  func forget() { known = nil }

  /// After how many seconds files are looked at again that another program was writing.
  private static let patience: Int64 = 5

  /// Takes in what is new; when to look again, whether or not there is news.
  func look(_ session: WorkerSession, _ log: WorkerLog) throws -> Timestamp? {
    var status = stat()
    guard stat(folder, &status) == 0 else { return nil }
    let changed = status.st_mtim
    if let known, known.tv_sec == changed.tv_sec, known.tv_nsec == changed.tv_nsec { return nil }
    do {
      let run = session.makeRun(session.workspace, nil)
      guard let result = try ShareIntake(run, besideStore: base).takeIn() else { return nil }
      if result.taken > 0 { log.note("shares taken in", [("count", .int(Int64(result.taken)))]) }
      let isWritten = result.refused.contains(where: \.refusal.isPassing)
      for refused in result.refused where !refused.refusal.isPassing {
        log.note(
          "share stays in the inbox", level: .warning,
          [("share", .string(refused.name)), ("reason", .string(refused.refusal.reason))])
      }
      // What was taken out has changed it again.
      known = result.taken == 0 && !isWritten ? changed : nil
      return isWritten ? Timestamp(seconds: SystemHost.now().seconds + Self.patience) : nil
    } catch let error as InboxError {
      log.note("shares can't be taken in", level: .error, [("error", .string(error.message))])
      known = changed
      return nil
    }
  }
}
