import CEL
import CLinux
import Engine
import ErrandKit
import Glibc
import Inbox
import Source
import Store
import Worker

/// `errand inbox`: takes shares in, and shows those that are not done.
enum InboxCommand {
  static let command = Command(
    "inbox", "take in what was shared, and list what is not done",
    usage: "[drain|show|discard|retry] [SHARE…]",
    discussion: """
      Without a word it takes in what waits and lists what is not done yet. `drain` also does what \
      the queue has of shares, and says how much; its status is 1 where anything is left; `show SHARE` shows what a share holds, `discard \
      SHARE…` gives it up, and `retry SHARE…` offers it again to what takes it, or with --to to \
      another intent or shortcut. A SHARE is the beginning of what the list calls it.
      """,
    flags: [Flag("to", .value("NAME"), "with retry: the intent or shortcut that is to take it")],
    serves: [.json, .format, .events, .answers]
  ) { invocation, arguments in
    var words = arguments.words
    let verb = words.isEmpty ? "" : words.removeFirst()
    if arguments.last("to") != nil, verb != "retry" {
      throw UsageError("--to is for `inbox retry`")
    }
    switch verb {
    case "" where words.isEmpty: try list(invocation)
    case "drain" where words.isEmpty: return try drain(invocation)
    case "show" where words.count == 1: try show(words[0], invocation)
    case "discard" where !words.isEmpty: try discard(words, invocation)
    case "retry" where !words.isEmpty: try retry(words, arguments.last("to"), invocation)
    case "show", "discard", "retry":
      throw UsageError(
        "`inbox \(verb)` needs \(verb == "show" ? "one share" : "a share")",
        help: "`errand inbox` lists them")
    case "drain":
      throw UsageError(
        "`inbox drain` takes in all that waits, and no “\(words[0])” alone",
        help: "errand inbox drain")
    default:
      throw UsageError(
        "unknown subcommand “\(verb)”",
        help: Suggestion.help(for: verb, in: subcommands))
    }
    return ExitStatus.done
  }

  private static let subcommands = ["drain", "show", "discard", "retry"]

  /// Takes in what waits, and gives what stays with the reason.
  private static func takeIn(
    _ invocation: Invocation
  ) throws -> (session: Run, result: ShareIntake.Result) {
    let base = try invocation.inboxBase()
    let session = try invocation.session()
    let result = try Interruption.holding {
      try ShareIntake(session, besideStore: base).takeIn()
    }
    if result == nil {
      invocation.console.err("errand: another process is taking shares in; try again in a moment\n")
    }
    return (session, result ?? ShareIntake.Result())
  }

  private static func list(_ invocation: Invocation) throws {
    let (session, result) = try takeIn(invocation)
    let entries = try InboxListing(
      invocation.inbox(), session, refused: result.refused
    ).entries()
    let report = Report<InboxEntry>(
      columns: [
        "share": { ShareName.short($0.name) }, "state": \.state.rawValue, "what": \.summary,
        "from": { $0.from ?? "" }, "for": { $0.handler ?? "" }, "why": { $0.reason ?? "" },
      ], value: \.value, empty: "The inbox is empty.")
    try report.write(entries, to: invocation)
  }

  private static func drain(_ invocation: Invocation) throws -> Int32 {
    // What does the jobs may want the network.
    if try invocation.inbox().isThere { try Handover.goOnWithRecordedRun(invocation) }
    var (session, result) = try takeIn(invocation)
    if result.refused.contains(where: \.refusal.isPassing), waitForWriters() {
      let taken = result.taken
      (session, result) = try takeIn(invocation)
      result.taken += taken
    }
    var done: Set<String> = []
    let failedJobs = try invocation.work(
      .once(JobSelection(originPrefix: ShareIntake.origin)), grace: 20, isLogged: false,
      didDo: { done.insert($0.origin) }
    ).failed
    for refused in result.refused {
      let what = refused.summary.isEmpty ? "" : " “\(refused.summary)”"
      invocation.console.err(
        "errand: \(ShareName.short(refused.name))\(what) stays in the inbox: "
          + "\(refused.refusal.reason)\n")
    }
    let entries = try InboxListing(
      invocation.inbox(), session, refused: result.refused
    ).entries()
    // What others are doing is not left, and neither is what was given up before.
    let left = entries.filter { $0.state != .running && $0.state != .failed }
    for entry in entries where entry.job != nil && (entry.state != .failed || failedJobs > 0) {
      guard let reason = entry.reason else { continue }
      invocation.console.err(
        "errand: \(ShareName.short(entry.name)) “\(entry.summary)” was not taken by "
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
    return left.isEmpty && failedJobs == 0 ? ExitStatus.done : ExitStatus.failed
  }

  /// Waits until a file that another program has just written may be taken; false when the person
  /// ended it.
  private static func waitForWriters() -> Bool {
    var polled = pollfd(fd: Interruption.run.pollDescriptor, events: Int16(POLLIN), revents: 0)
    poll(&polled, 1, Int32(ShareReader.settlingTime / 1000) + 100)
    return !Interruption.run.isSet
  }

  /// The shares that a word means: one in the folder, or its jobs.
  ///
  /// - Throws: `not-found`, `ambiguous`.
  private static func entries(
    of word: String, in listing: InboxListing
  ) throws -> [InboxEntry] {
    let found = try listing.entries(matching: word)
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

  private static func show(_ word: String, _ invocation: Invocation) throws {
    let listing = try InboxListing(invocation.inbox(), invocation.session())
    let values = try entries(of: word, in: listing).flatMap(listing.values)
    try invocation.resultWriter.write(.list(values))
  }

  private static func discard(_ words: [String], _ invocation: Invocation) throws {
    let listing = try InboxListing(invocation.inbox(), invocation.session())
    for entry in try words.flatMap({ try entries(of: $0, in: listing) }) {
      try listing.discard(entry)
      invocation.say("Gave up \(ShareName.short(entry.name)).")
    }
  }

  private static func retry(
    _ words: [String], _ handler: String?, _ invocation: Invocation
  ) throws {
    let (session, result) = try takeIn(invocation)
    let listing = try InboxListing(invocation.inbox(), session, refused: result.refused)
    for entry in try words.flatMap({ try entries(of: $0, in: listing) }) {
      if let number = entry.job {
        try listing.offer(job: number, to: handler)
      } else if let handler {
        try ShareIntake(session, besideStore: invocation.inboxBase()).take(entry.name, to: handler)
      } else if let reason = entry.reason {
        throw RunError(
          .invalidValue, "\(ShareName.short(entry.name)) stays in the inbox: \(reason)",
          remedy: result.refused.first { $0.name == entry.name }?.refusal.remedy
            ?? .advice("name what is to take it with --to NAME"))
      }
      invocation.say("Offered \(ShareName.short(entry.name)) again.")
    }
  }
}
