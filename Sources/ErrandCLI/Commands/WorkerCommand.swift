import CEL
import Engine
import ErrandKit
import Glibc
import Program
import Source
import Store
import Worker

/// `errand worker`: does the jobs of the queue, and looks after automations.
enum WorkerCommand {
  private static let usualGrace: Int64 = 20

  static let command = Command(
    "worker", "run queued jobs and automations", usage: "[install|remove]",
    discussion: """
      Runs until stopped and logs one line per event, with --json as JSON; any number of workers \
      may run. `install` makes it a service of your systemd.
      """,
    flags: [
      Flag("once", .toggle, "run what is due now, then end"),
      Flag("status", .toggle, "show the jobs, the workers and the last failures"),
      Flag(
        "grace", .value("TIME"),
        "how long a job may run on once the worker is to end [default \(usualGrace)s]"),
      Flag.allow,
    ], serves: [.json]
  ) { invocation, arguments in
    switch arguments.words.first {
    case nil: break
    case "install": return try install(invocation)
    case "remove": return try remove(invocation)
    case let word?:
      throw UsageError(
        "unknown subcommand “\(word)”", help: "choose install or remove")
    }
    if arguments.isOn("status") {
      try QueueText(invocation).write()
      return ExitStatus.done
    }
    let grace = try givenGrace(arguments)
    try Handover.goOnWithRecordedRun(invocation)
    var options = Worker.Options()
    options.isOnce = arguments.isOn("once")
    let summary = try invocation.work(options, grace: grace)
    return summary.failed > 0 && options.isOnce ? ExitStatus.failed : ExitStatus.done
  }

  private static func givenGrace(_ arguments: ParsedArguments) throws -> Int64 {
    guard let text = arguments.last("grace") else { return usualGrace }
    guard let length = DurationReader.duration(text), length.seconds >= 0 else {
      throw UsageError("--grace is a length of time such as 20s, and “\(text)” is not")
    }
    return length.seconds
  }

  // MARK: systemd

  private static func unit() throws -> WorkerUnit {
    guard let unit = WorkerUnit(environment: ProcessEnvironment.value) else {
      throw RunError(.io, "there is no place for a unit: HOME is not set")
    }
    return unit
  }

  private static func install(_ invocation: Invocation) throws -> Int32 {
    let unit = try unit()
    guard let program = realpath("/proc/self/exe", nil) else {
      throw RunError(.io, "the path of errand is not known")
    }
    defer { free(program) }
    var store = invocation.arguments.last("store") ?? ProcessEnvironment.value("ERRAND_STORE")
    if let path = store, !path.hasPrefix("/") {
      store = (invocation.places?.workingFolder ?? "") + "/" + path
    }
    try unit.install(WorkerUnit.text(program: String(cString: program), store: store))
    invocation.say("Wrote \(unit.path).")
    guard WorkerUnit.hasManager(environment: ProcessEnvironment.value) else {
      invocation.say(
        "No systemd of yours runs here, so nothing was started: `errand worker` works in a terminal."
      )
      return ExitStatus.done
    }
    invocation.say(
      "Begin with: systemctl --user daemon-reload && systemctl --user enable --now errand-worker")
    return ExitStatus.done
  }

  private static func remove(_ invocation: Invocation) throws -> Int32 {
    let unit = try unit()
    if WorkerUnit.hasManager(environment: ProcessEnvironment.value), unit.isInstalled {
      invocation.say("End it with: systemctl --user disable --now errand-worker")
    }
    invocation.say(try unit.remove() ? "Removed \(unit.path)." : "No worker was installed.")
    return ExitStatus.done
  }
}
