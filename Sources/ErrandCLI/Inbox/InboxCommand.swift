import CEL
import CLinux
import Engine
import ErrandKit
import Glibc
import Inbox
import POSIX
import Source
import Store
import Worker

/// `errand inbox`: imports shares and lists those that are not done.
enum InboxCommand {
  static let command: Command = .init(
    "inbox", "process shared items and list what is left",
    usage: "[drain | show SHARE | discard SHARE… | retry SHARE…]",
    discussion: """
      Without a subcommand, imports waiting shares and lists those that are not done. `drain` also \
      runs their jobs, and exits with status 1 if any remain; `show SHARE` prints a share, \
      `discard SHARE…` removes shares, and `retry SHARE…` tries them again, with --to using another \
      intent or shortcut. A SHARE is the beginning of its name in the list.
      """,
    flags: [Flag("to", .value("NAME"), "with retry: the intent or shortcut to pass it to")],
    serves: [.json, .format, .events, .answers]
  ) { invocation, arguments in
    var words = arguments.words
    let verb = words.isEmpty ? "" : words.removeFirst()
    if arguments.last("to") != nil, verb != "retry" {
      throw UsageError("--to is for `inbox retry`")
    }
    switch verb {
    case "" where words.isEmpty: try list(invocation)
    case "drain" where words.isEmpty: try drain(invocation)
    case "show" where words.count == 1: try show(words[0], invocation)
    case "discard" where !words.isEmpty: try discard(words, invocation)
    case "retry" where !words.isEmpty: try retry(words, arguments.last("to"), invocation)
    default: throw command.misuse(arguments.words)
    }
  }

  /// Imports waiting shares and reports the ones left, with reasons.
  private static func takeIn(
    _ invocation: Invocation
  ) throws -> (run: Run, result: ShareIntake.Result) {
    let base = try invocation.inboxBase()
    let run = try invocation.openRun()
    let result = try Interruption.holding {
      try ShareIntake(run, invocation.inbox(), besideStore: base).takeIn()
    }
    if result == nil {
      invocation.console.err("errand: another process is importing shares; try again in a moment\n")
    }
    return (run, result ?? ShareIntake.Result())
  }

  private static func list(_ invocation: Invocation) throws {
    let (run, result) = try takeIn(invocation)
    let entries = try InboxListing(invocation.inbox(), run, refused: result.refused).entries()
    let report = Report<InboxEntry>(
      columns: [
        "share": { ShareName.short($0.name) }, "state": \.state.rawValue, "what": \.summary,
        "from": { $0.from ?? "" }, "for": { $0.handler ?? "" }, "why": { $0.reason ?? "" },
      ], value: \.value, empty: "The inbox is empty.")
    try report.write(entries, to: invocation)
  }

  private static func drain(_ invocation: Invocation) throws {
    // Their jobs may need the network.
    if try invocation.inbox().isThere { try Reexec.goOnWithRecordedRun(invocation) }
    var (run, result) = try takeIn(invocation)
    if result.refused.contains(where: \.refusal.isPassing), waitForWriters() {
      let taken = result.taken
      (run, result) = try takeIn(invocation)
      result.taken += taken
    }
    var done: Set<String> = []
    let failedJobs = try invocation.work(
      .once(JobSelection(originPrefix: ShareIntake.origin)), grace: .seconds(20), isLogged: false,
      didDo: { done.insert($0.origin) }
    ).failed
    for refused in result.refused {
      let what = refused.summary.isEmpty ? "" : " “\(refused.summary)”"
      invocation.console.err(
        "errand: \(ShareName.short(refused.name))\(what) stays in the inbox: "
          + "\(refused.refusal.reason)\n")
    }
    let entries = try InboxListing(invocation.inbox(), run, refused: result.refused).entries()
    // Shares that other processes are handling, or that failed before, are not reported as left.
    let left = entries.filter { $0.state != .running && $0.state != .failed }
    for entry in entries where entry.job != nil && (entry.state != .failed || failedJobs > 0) {
      guard let reason = entry.reason else { continue }
      invocation.console.err(
        "errand: \(ShareName.short(entry.name)) “\(entry.summary)” was not accepted by "
          + "\(entry.handler ?? ""): \(reason)\n")
    }
    if invocation.mode.isPlain {
      let isIdle = done.count + failedJobs + result.taken + left.count == 0
      let failed = failedJobs == 0 ? "" : ", \(failedJobs) failed"
      invocation.say(
        isIdle ? "The inbox is empty." : "Processed \(done.count.counted("share"))\(failed).")
      let unnamed = left.count { $0.reason == nil }
      if unnamed > 0 {
        invocation.console.err(
          "errand: \(unnamed == 1 ? "1 share is" : "\(unnamed) shares are") left; "
            + "`errand inbox` lists what is not done\n")
      }
    } else {
      try invocation.resultWriter.write(
        .record([
          "taken": result.taken, "done": done.count, "failed": failedJobs,
          "refused": result.refused.count, "left": left.count,
        ]))
    }
    if !left.isEmpty || failedJobs > 0 { invocation.status = ExitStatus.failed }
  }

  /// Waits until files another program is writing may be imported; false if interrupted.
  private static func waitForWriters() -> Bool {
    _ = Interruption.run.poll(-1, for: ShareReader.settlingTime + .milliseconds(100))
    return !Interruption.run.isSet
  }

  /// Finds the shares that a word means: one in the folder, or its jobs.
  ///
  /// - Throws: `not-found`, `ambiguous`.
  private static func entries(
    of word: String, in listing: InboxListing
  ) throws -> [InboxEntry] {
    let found = try listing.entries(matching: word)
    guard let first = found.first else {
      throw RunError(
        .notFound, "there is no share “\(word)” in the inbox",
        help: "`errand inbox` lists them; name each by the beginning of its name")
    }
    guard found.allSatisfy({ $0.name == first.name }) else {
      throw RunError(
        .ambiguous,
        "“\(word)” may be one of "
          + found.map { ShareName.short($0.name) }.joined(separator: ", "),
        help: "type more of it")
    }
    return found
  }

  private static func show(_ word: String, _ invocation: Invocation) throws {
    let listing = try InboxListing(invocation.inbox(), invocation.openRun())
    let values = try entries(of: word, in: listing).flatMap(listing.values)
    try invocation.resultWriter.write(.list(values))
  }

  private static func discard(_ words: [String], _ invocation: Invocation) throws {
    let listing = try InboxListing(invocation.inbox(), invocation.openRun())
    for entry in try words.flatMap({ try entries(of: $0, in: listing) }) {
      try listing.discard(entry)
      invocation.say("Discarded \(ShareName.short(entry.name)).")
    }
  }

  private static func retry(
    _ words: [String], _ handler: String?, _ invocation: Invocation
  ) throws {
    let (run, result) = try takeIn(invocation)
    let listing = try InboxListing(invocation.inbox(), run, refused: result.refused)
    for entry in try words.flatMap({ try entries(of: $0, in: listing) }) {
      if let number = entry.job {
        try listing.offer(job: number, to: handler)
      } else if let handler {
        try ShareIntake(run, invocation.inbox(), besideStore: invocation.inboxBase())
          .take(entry.name, to: handler)
      } else if let reason = entry.reason {
        throw RunError(
          .invalidValue, "\(ShareName.short(entry.name)) stays in the inbox: \(reason)",
          remedy: result.refused.first { $0.name == entry.name }?.refusal.remedy
            ?? .advice("choose an intent or shortcut with --to NAME"))
      }
      invocation.say("Retrying \(ShareName.short(entry.name)).")
    }
  }
}
