import CEL
import Engine
import Inbox
import Items
import JSON
import Store

/// The shares that are not done yet: those in the folder, and those that wait in the queue.
struct InboxListing {
  private let inbox: InboxFolder
  private let session: Run
  /// Why shares stay in the folder, by their names.
  private let refusals: [String: ShareRefusal]

  init(_ inbox: InboxFolder, _ session: Run, refused: [ShareIntake.Refused] = []) {
    self.inbox = inbox
    self.session = session
    refusals = Dictionary(
      refused.map { ($0.name, $0.refusal) }, uniquingKeysWith: { first, _ in first })
  }

  /// All of them, the oldest first.
  func entries() throws -> [InboxEntry] {
    let waiting = try inbox.names().map(folderEntry)
    let jobs = try session.store().jobs(
      JobSelection(
        states: [.waiting, .running, .dead, .suspended], originPrefix: ShareIntake.origin))
    return jobs.reversed().map(entry) + waiting
  }

  /// The one that a word means.
  ///
  /// - Throws: `not-found`, `ambiguous`.
  func entries(of word: String) throws -> [InboxEntry] {
    let found = try entries().filter { ShareName.matches(word, $0.name) }
    guard let first = found.first else {
      throw RunError(
        .notFound, "there is no share “\(word)” in the inbox", help: "`errand inbox` lists them")
    }
    guard found.allSatisfy({ $0.name == first.name }) else {
      throw RunError(
        .ambiguous,
        "“\(word)” may be one of "
          + found.map { ShareName.short($0.name) }.joined(separator: ", "),
        help: "write more of it")
    }
    return found
  }

  private func folderEntry(_ name: String) -> InboxEntry {
    var entry = InboxEntry(
      name: name, state: .waiting, summary: "", from: nil, handler: nil, reason: nil, time: nil,
      job: nil)
    do {
      guard let reader = try inbox.reader(of: name) else { return entry }
      let share = reader.share
      entry = InboxEntry(
        name: name, state: .waiting, summary: share.summary, from: share.from, handler: share.to,
        reason: nil, time: share.time, job: nil)
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
      text("url") ?? text("text").map(RunListing.short) ?? text("name") ?? text("mediaType") ?? ""
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
  static func values(of job: Job) -> [Value] {
    let input = (try? JSONParser().parse(job.input)) ?? .null
    if case .list(let values) = input { return values }
    return [input]
  }
}
