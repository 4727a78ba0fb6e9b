package import CEL
package import Engine
package import Inbox
import Items
import JSON
import Store

/// The unfinished shares: those in the folder and those in the queue.
package struct InboxListing {
  private let inbox: InboxFolder
  private let run: Run
  /// The reasons shares stay in the folder, by name.
  private let refusals: [String: ShareRefusal]

  package init(_ inbox: InboxFolder, _ run: Run, refused: [ShareIntake.Refused] = []) {
    self.inbox = inbox
    self.run = run
    refusals = Dictionary(
      refused.map { ($0.name, $0.refusal) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns all unfinished shares, oldest first.
  package func entries() throws -> [InboxEntry] {
    let sealed = try inbox.sealedCount()
    var waiting = try inbox.names().filter { sealed == 0 || !inbox.isSealed($0) }.map(folderEntry)
    // Sealed shares are only counted.
    if sealed > 0 {
      var entry = InboxEntry(name: "sealed", state: .sealed)
      entry.summary = "\(sealed) sealed share\(sealed == 1 ? "" : "s")"
      entry.reason = "the vault is locked: errand vault unlock"
      waiting.append(entry)
    }
    let jobs = try run.store().jobs.all(
      JobSelection(
        states: [.waiting, .running, .dead, .suspended], originPrefix: ShareIntake.origin))
    return jobs.reversed().map(entry) + waiting
  }

  /// Returns the shares whose name begins with `word`.
  package func entries(matching word: String) throws -> [InboxEntry] {
    try entries().filter { ShareName.matches(word, $0.name) }
  }

  /// Returns the shared items of an entry.
  package func values(of entry: InboxEntry) throws -> [Value] {
    if let number = entry.job { return try run.store().jobs.job(number).map(Self.values) ?? [] }
    return try inbox.reader(of: entry.name)?.share.values ?? []
  }

  /// Discards a share.
  ///
  /// - Throws: `invalid-value` for sealed shares.
  package func discard(_ entry: InboxEntry) throws {
    guard entry.state != .sealed else {
      throw RunError(
        .invalidValue, "sealed shares cannot be discarded one by one", help: "errand vault unlock")
    }
    if let number = entry.job {
      _ = try run.store().jobs.cancel(JobSelection(numbers: [number]))
    } else {
      try inbox.remove(entry.name)
      try inbox.syncRemovals()
    }
  }

  /// Retries a job now, optionally with another handler.
  ///
  /// - Throws: `invalid-value` if that handler does not accept the share.
  package func offer(job number: Int64, to handler: String?) throws {
    let store = try run.store()
    guard let handler, let job = try store.jobs.job(number), job.handler != handler else {
      _ = try store.jobs.retry(JobSelection(numbers: [number]))
      return
    }
    var new = NewJob(handler: handler, origin: job.origin)
    new.permissions = job.permissions
    new.input = try ShareIntake.input(Self.values(of: job), for: handler, in: run)
    try store.transaction {
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

  /// The input of a job: one or several shared items.
  private static func values(of job: Job) -> [Value] {
    let input = (try? JSONParser().parse(job.input)) ?? .null
    if case .list(let values) = input { return values }
    return [input]
  }
}
