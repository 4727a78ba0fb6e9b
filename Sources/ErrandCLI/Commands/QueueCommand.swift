import CEL
import Engine
import ErrandKit
import Items
import Source
import Store
import Worker

/// `errand queue`: lists, retries, cancels and drains jobs.
enum QueueCommand {
  private static let defaultLimit = 50

  static let command: Command = .init(
    "queue", "list, retry or cancel queued jobs",
    usage: "[list [JOB…] | retry [JOB…] | cancel [JOB…] | drain [JOB…]]",
    discussion: """
      `retry` runs dead, cancelled and suspended jobs again, and waiting ones at once; `cancel` ends \
      waiting and running jobs; `drain` runs due jobs in this process.
      """,
    flags: [
      Flag("state", .value("STATE"), "only jobs that are waiting, running, done, dead, …"),
      Flag("of", .value("NAME"), "only jobs of an intent, a shortcut or an automation"),
      Flag("all", .toggle, "all matching jobs, for `retry` and `cancel` without numbers"),
      Flag("hub", .toggle, "the jobs of all machines that share the library"),
      Flag("foreground", .toggle, "show the dialog of drained jobs here instead of logging it"),
      Flag("limit", short: "n", .value("N"), "maximum number of jobs [default \(defaultLimit)]"),
      Flag.allow,
    ], serves: [.json, .format, .events]
  ) { invocation, arguments in
    var words = arguments.words
    let action = words.isEmpty ? "list" : words.removeFirst()
    var selection = try meantJobs(words, arguments)
    if arguments.isOn("hub") {
      return try ofHub(action, selection, in: invocation, arguments: arguments)
    }
    switch action {
    case "list":
      if arguments.last("limit") == nil { selection.limit = defaultLimit }
      try list(selection, invocation)
    case "retry":
      try change(
        selection, invocation, as: "retry", from: [.dead, .suspended],
        said: ("is waiting again", "are waiting again"), by: { try $0.jobs.retry($1) }
      ) { job in
        job.state == .running || job.state == .done
          ? "job \(job.number) is \(job.state.rawValue)"
          : "another job with the key of job \(job.number) is already waiting"
      }
    case "cancel":
      try change(
        selection, invocation, as: "cancel", from: [.waiting, .running, .suspended],
        said: ("is cancelled", "are cancelled"), by: { try $0.jobs.cancelAtOnce($1) }
      ) { job in "job \(job.number) has already ended: it is \(job.state.rawValue)" }
    case "drain": try drain(selection, invocation)
    default: throw command.misuse(arguments.words)
    }
  }

  private static func ofHub(
    _ action: String, _ selection: JobSelection, in invocation: Invocation, arguments: Arguments
  ) throws {
    try Reexec.goOnWithRecordedRun(invocation)
    let hub = HubCommand(invocation: invocation, arguments: arguments)
    var selection = selection
    switch action {
    case "list":
      if arguments.last("limit") == nil { selection.limit = defaultLimit }
      try hub.listJobs(selection)
    case "retry", "cancel":
      try hub.changeJobs(selection.numbers, isRetry: action == "retry")
    default: throw UsageError("--hub belongs to `queue list`, `queue retry` and `queue cancel`")
    }
  }

  private static func meantJobs(
    _ words: [String], _ arguments: Arguments
  ) throws(UsageError) -> JobSelection {
    var selection = JobSelection()
    if !words.isEmpty {
      var numbers: [Int64] = []
      for word in words {
        let number = try Int64(word).expected(
          "“\(word)” is not the number of a job",
          help: word == "all" ? "write --all" : "`errand queue` lists them")
        numbers.append(number)
      }
      selection.numbers = numbers
    }
    if let text = arguments.last("state") {
      var states: [Job.State] = []
      for word in text.split(separator: ",") {
        guard let state = Job.State(rawValue: String(word)) else {
          let names = Job.State.allCases.map(\.rawValue)
          throw UsageError(
            "--state must be one of \(names.joined(separator: ", ")), not “\(word)”",
            help: Suggestion.help(for: String(word), in: names))
        }
        states.append(state)
      }
      selection.states = states
    }
    selection.handler = arguments.last("of")
    if let text = arguments.last("limit") {
      guard let limit = Int(text), limit >= 0 else {
        throw UsageError("--limit must be a whole number, 0 or more, not “\(text)”")
      }
      selection.limit = limit
    }
    return selection
  }

  /// Jobs on one line: several that wait for the same thing, or one.
  private struct Line {
    let jobs: [Job]
    let next: String
  }

  private static func list(_ selection: JobSelection, _ invocation: Invocation) throws {
    let jobs = try invocation.storeIfMade()?.jobs.all(selection) ?? []
    if jobs.isEmpty { try invocation.expectKnown(selection.handler) }
    let times = try TimeText(invocation)
    let now = try invocation.openRun().host.now()
    let report = Report<Line>(
      columns: [
        "job": { line in
          line.jobs.count == 1 ? String(line.jobs[0].number) : "\(line.jobs.count) jobs"
        },
        "name": \.jobs[0].handler, "state": \.jobs[0].state.rawValue,
        "queued at": { times.text($0.jobs[0].created) }, "from": \.jobs[0].origin,
        "next": \.next,
      ], value: \.jobs[0].value, empty: "The queue is empty.")
    var lines: [Line] = []
    for job in jobs {
      let next = next(job, times, at: now)
      // Programs need each one.
      if invocation.console.stdoutIsTerminal, invocation.mode.isPlain, job.state == .waiting,
        let same = lines.firstIndex(where: {
          $0.jobs[0].handler == job.handler && $0.jobs[0].state == .waiting && $0.next == next
        })
      {
        lines[same] = Line(jobs: lines[same].jobs + [job], next: next)
      } else {
        lines.append(Line(jobs: [job], next: next))
      }
    }
    try report.write(lines, to: invocation)
  }

  private static func next(_ job: Job, _ times: TimeText, at now: Timestamp) -> String {
    switch job.state {
    case .waiting:
      var parts: [String] = []
      if job.due > now { parts.append("again \(times.text(job.due))") }
      if !job.requires.isEmpty {
        parts.append("needs " + job.requires.map(\.rawValue).joined(separator: ", "))
      }
      if !job.error.isEmpty { parts.append(job.error.inOneLine) }
      return parts.joined(separator: "; ")
    case .running: return job.process.map { "in process \($0)" } ?? ""
    case .suspended: return "errand queue retry \(job.number)"
    case .done: return job.run.map { "run \($0)" } ?? ""
    case .dead where job.failures > 1: return "\(job.error.inOneLine) (×\(job.failures))"
    case .dead, .cancelled: return job.error.inOneLine
    }
  }

  /// Changes the selected jobs and reports the result.
  ///
  /// - Parameters:
  ///   - states: States of the jobs changed if neither numbers nor states are given.
  ///   - refusal: Returns the reason why a job with a given number was not changed.
  private static func change(
    _ selection: JobSelection, _ invocation: Invocation, as verb: String, from states: [Job.State],
    said: (one: String, many: String), by change: (Database, JobSelection) throws -> [Job],
    refusal: (Job) -> String
  ) throws {
    let numbers = selection.numbers
    guard
      numbers != nil || invocation.arguments.isOn("all") || selection.states != nil
        || selection.handler != nil
    else {
      throw UsageError(
        "`queue \(verb)` needs the numbers of jobs",
        help: "`errand queue` lists them; or give --all")
    }
    var meant = selection
    if numbers == nil, meant.states == nil { meant.states = states }
    let store = try invocation.storeIfMade()
    let known = try store?.jobs.all(meant) ?? []
    if let missing = numbers?.first(where: { number in !known.contains { $0.number == number } }) {
      throw RunError(.notFound, "there is no job \(missing)", help: "`errand queue` lists them")
    }
    let jobs = try store.map { try change($0, meant) } ?? []
    if numbers != nil, let left = known.first(where: { !jobs.map(\.number).contains($0.number) }) {
      throw RunError(.conflict, refusal(left))
    }
    if !invocation.mode.isPlain {
      try invocation.resultWriter.write(.list(jobs.map(\.value)))
    } else if jobs.count == 1, let job = jobs.first {
      invocation.say("Job \(String(job.number)) \(said.one).")
    } else {
      invocation.say("\(String(jobs.count)) jobs \(said.many).")
    }
  }

  private static func drain(_ selection: JobSelection, _ invocation: Invocation) throws {
    guard try invocation.storeIfMade() != nil else { return }
    try Reexec.goOnWithRecordedRun(invocation)
    var options = JobWorker.Options.once(selection)
    options.isForced = selection.numbers != nil
    let isInForeground = invocation.arguments.isOn("foreground")
    let summary = try invocation.work(options, grace: .seconds(20), isInForeground: isInForeground)
    // Pages that no longer exist are reported to a person, but must not make a timer fail.
    let failed = summary.failed + (isInForeground ? summary.doneInPart : 0)
    if failed > 0 { invocation.status = ExitStatus.failed }
  }
}

extension JobWorker.Options {
  /// Options of a worker that runs the due jobs of a selection, then ends.
  static func once(_ selection: JobSelection) -> JobWorker.Options {
    var options = JobWorker.Options()
    options.isOnce = true
    options.hasAutomations = false
    options.selection = selection
    return options
  }
}
