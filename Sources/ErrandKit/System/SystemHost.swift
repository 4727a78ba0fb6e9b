package import CEL
package import Engine
import Glibc
import Items
import JSON
import Platform
package import Program
package import Source

/// The host of a real process, with its clock, environment and desktop.
package enum SystemHost {
  /// Makes the host of a run.
  ///
  /// - Parameters:
  ///   - board: Publishes activities to other programs; nil to publish nothing.
  ///   - doesJobsNow: Whether jobs run immediately, which includes built-in ones that are turned
  ///     off.
  ///   - note: Reports failures to the person.
  package static func make(
    places: Places?, settings: Settings, secrets: KnownSecrets, interrupt: Interrupt,
    environment: @escaping @Sendable (String) -> String? = ProcessEnvironment.value,
    http: HTTPAccess?, pushCipher: PushCipher? = nil, board: ActivityBoard? = nil,
    doesJobsNow: Bool = false,
    note: @escaping @Sendable (TerminalText) -> Void
  ) -> Host {
    // Everything is lazy: most runs need neither time zone nor clipboard.
    var host = Host(
      now: now, randomBytes: randomBytes, environment: environment,
      clock: LocalClock(isMonthFirst: LocaleName.isMonthFirst(in: environment)) { .system() },
      readClipboard: { Clipboard(note: note).read() },
      writeClipboard: { Clipboard(note: note).write($0) },
      open: { URLOpener().open($0) }, linkBase: settings.value(of: .linkBase),
      keyPath: environment("ERRAND_KEY") ?? places?.key,
      log: { log($0, secrets, note) },
      machine: .system(environment: environment, http: http))
    host.machine.pushCipher = pushCipher
    host.secrets = secrets
    let source = SecretSource(places, host.machine, interrupt: interrupt)
    host.readSecret = { (name: String) throws(EvaluationError) -> String in
      try source.text(name)
    }
    // The sender must capture the machine before `notify` is replaced: the original notifies the desktop.
    let sender = NotificationSender(host.machine, places, settings, host.secrets) {
      (name: String) throws(EvaluationError) -> String in try source.text(name)
    }
    host.machine.notify = { try sender.send($0, $1) }
    if let places {
      let log = NotificationLog(in: places.state)
      host.keepNotification = { log.keep($0, $1, at: now()) }
      let told = ToldNotifications(in: places.state)
      host.isNews = { told.isNews($0, $1) }
      let turns = RequestTurns(in: places.state)
      host.pace = { turns.take(at: $0, pace: $1, now: now()) }
    }
    host.home = { Coordinates(settings.value(of: .location)) }
    let holidays = HolidaySource(settings, host.clock, environment: environment, note: note)
    host.holidays = { holidays.days }
    host.savesCleanURLs = { settings.value(of: .cleanURLs) == "on" }
    host.allowsJob = { name in
      name == "enrich"
        ? doesJobsNow || settings.value(of: .enrich) != "off"
        : name != "shelve" || settings.value(of: .shelf) != "off"
    }
    board?.follow(&host)
    return host
  }

  /// The size in bytes at which the log is rotated.
  private static let logLimit = 1 << 20

  /// Appends a line to the person's log, or writes it to standard error if that fails.
  private static func log(
    _ text: String, _ secrets: KnownSecrets, _ note: (TerminalText) -> Void
  ) {
    let line = "\(now().jsonText) \(secrets.masked(text).harmless())\n"
    if let places = Places(environment: ProcessEnvironment.value, workingFolder: "/"),
      PrivateFile(path: places.state + "/errand.log").append(line, limit: logLimit)
    {
      return
    }
    note("errand: log: \(String(line.dropLast()))\n")
  }

  /// The current time.
  @Sendable
  package static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  /// Random bytes from the system.
  @Sendable
  package static func randomBytes(_ count: Int) -> [UInt8] {
    Array(unsafeUninitializedCapacity: count) { buffer, filled in
      if let start = buffer.baseAddress { arc4random_buf(start, count) }
      filled = count
    }
  }
}
