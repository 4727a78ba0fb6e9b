package import CEL
package import Engine
package import Inbox
import Items
import JSON
import Store

/// The shares that are not done yet: those in the folder, and those that wait in the queue.
package struct InboxListing {
  private let inbox: InboxFolder
  private let session: Run
  /// Why shares stay in the folder, by their names.
  private let refusals: [String: ShareRefusal]

  package init(_ inbox: InboxFolder, _ session: Run, refused: [ShareIntake.Refused] = []) {
    self.inbox = inbox
    self.session = session
    refusals = Dictionary(
      refused.map { ($0.name, $0.refusal) }, uniquingKeysWith: { first, _ in first })
  }

  /// All of them, the oldest first.
  package func entries() throws -> [InboxEntry] {
    let waiting = try inbox.names().map(folderEntry)
    let jobs = try session.store().jobs.all(
      JobSelection(
        states: [.waiting, .running, .dead, .suspended], originPrefix: ShareIntake.origin))
    return jobs.reversed().map(entry) + waiting
  }

  /// Those whose name begins with a word.
  package func entries(matching word: String) throws -> [InboxEntry] {
    try entries().filter { ShareName.matches(word, $0.name) }
  }

  /// What a share holds: each thing that was shared.
  package func values(of entry: InboxEntry) throws -> [Value] {
    if let number = entry.job { return try session.store().jobs.job(number).map(Self.values) ?? [] }
    return try inbox.reader(of: entry.name)?.share.values ?? []
  }

  /// Gives a share up.
  package func discard(_ entry: InboxEntry) throws {
    if let number = entry.job {
      _ = try session.store().jobs.cancel(JobSelection(numbers: [number]))
    } else {
      try inbox.remove(entry.name)
      try inbox.syncRemovals()
    }
  }

  /// Lets a job be done again at once, by another intent or shortcut where one is named.
  ///
  /// - Throws: `invalid-value` where that does not take it.
  package func offer(job number: Int64, to handler: String?) throws {
    let store = try session.store()
    guard let handler, let job = try store.jobs.job(number), job.handler != handler else {
      _ = try store.jobs.retry(JobSelection(numbers: [number]))
      return
    }
    var new = NewJob(handler: handler, origin: job.origin)
    new.permissions = job.permissions
    new.input = try ShareIntake.input(Self.values(of: job), for: handler, in: session)
    try store.database.transaction {
      _ = try store.jobs.cancel(JobSelection(numbers: [number]))
      _ = try store.jobs.enqueue(new)
    }
  }

  private func folderEntry(_ name: String) -> InboxEntry {
    var entry = InboxEntry(name: name, state: .waiting)
    do {
      guard let share = try inbox.reader(of: name)?.share else { return entry }
      entry.summary = share.summary
      entry.from = share.from
      entry.handler = share.to
      entry.time = share.time
    } catch {
      entry.state = .refused
      entry.reason = error.message
    }
    if let refusal = refusals[name] {
      entry.state = refusal.isPassing ? .waiting : .refused
      entry.reason = refusal.reason
    }
    return entry
  }

  private func entry(_ job: Job) -> InboxEntry {
    let values = Self.values(of: job)
    func text(_ name: String) -> String? {
      for value in values {
        if case .map(let map) = value, case .string(let text)? = map[name] { return text }
      }
      return nil
    }
    let summary =
      text("url") ?? text("text")?.inOneLine ?? text("name") ?? text("mediaType") ?? ""
    let state: InboxEntry.State =
      switch job.state {
      case .running: .running
      case .dead: .failed
      case .suspended: .suspended
      case .waiting, .done, .cancelled: .queued
      }
    return InboxEntry(
      name: String(job.origin.dropFirst(ShareIntake.origin.count)), state: state,
      summary: values.count > 1 ? "\(summary) and \(values.count - 1) more" : summary,
      from: text("from"), handler: job.handler, reason: job.error.isEmpty ? nil : job.error,
      time: job.created, job: job.number)
  }

  /// What a job is given: one thing that was shared, or several.
  private static func values(of job: Job) -> [Value] {
    let input = (try? JSONParser().parse(job.input)) ?? .null
    if case .list(let values) = input { return values }
    return [input]
  }
}
