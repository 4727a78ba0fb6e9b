package import CEL
package import Catalog
package import Engine
import Items
import Links
import Program
import Synchronization
import YAML

/// The simulated world of a test, which records all outside effects.
package final class TestWorld: Sendable {
  /// The mutable state of the world.
  struct State {
    var random: UInt64 = 0x9E37_79B9_7F4A_7C15
    var clipboard: String?
    /// The text that the run copied.
    var copied: String?
    /// Successive contents of the clipboard, one per read; the last repeats.
    var clipboards: [String] = []
    /// Recorded effects, by the subject that names them in expectations.
    var reached: [String: [Value]] = [:]
    /// The latest notification of each key.
    var told: [String: String] = [:]
    /// The actions chosen on notifications; the last repeats.
    var actions: [String?] = []
    var programs: FakeRules
    var servers: FakeRules
    var files: FakeFiles
    /// Whether a file was reached.
    var reachesFiles = false
    /// Names of secrets that were read.
    var secrets: Set<String> = []
    /// Errors for effects without a fake.
    var unfaked: [RunError] = []
  }

  let state: Mutex<State>
  let clock: SimulatedClock
  private let secrets = KnownSecrets()
  private let fakes: TestFakes
  private let holidays: Holidays?

  /// The default start of a test.
  package static let defaultStart = Timestamp(seconds: 1_767_258_000)  // 2026-01-01T09:00:00Z
  /// The home folder in all tests.
  static let home = "/home/test"

  /// The world defined by the fakes of a test.
  ///
  /// - Throws: `invalid-value` when a value cannot be parsed.
  package init(_ fakes: TestFakes) throws {
    self.fakes = fakes
    var start = Self.defaultStart
    if let text = fakes.now {
      let reader = DateReader(now: start, clock: fakes.clock)
      guard let moment = reader.timestamp(text.text) else {
        throw RunError(
          .invalidValue, "“\(text.text)” is not a moment",
          help: "write it as one of: \(DateReader.examples)", at: text.span)
      }
      start = moment
    }
    clock = SimulatedClock(at: start)
    holidays = try fakes.holidays.map { days in
      Holidays(
        try days.map { day in
          guard let date = CivilDate(iso8601: day.text) else {
            throw RunError(
              .invalidValue, "“\(day.text)” is not a day", help: "write it as 2026-12-25",
              at: day.span)
          }
          return date
        })
    }
    let files = try FakeFiles(
      fakes.files, home: Self.home, DateReader(now: start, clock: fakes.clock))
    state = Mutex(
      State(
        clipboards: (fakes.clipboard ?? []).map(\.text),
        actions: (fakes.notifications ?? []).map { $0.isNull ? nil : $0.text },
        programs: FakeRules(fakes.exec ?? []), servers: FakeRules(fakes.http ?? []), files: files))
  }

  /// The next 64 pseudorandom bits from a fixed seed (SplitMix64).
  private static func next(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  private func randomBytes(_ count: Int) -> [UInt8] {
    state.withLock { state in
      (0..<count).map { _ in UInt8(truncatingIfNeeded: Self.next(&state.random)) }
    }
  }

  private func environment(_ name: String) -> String? {
    if let given = fakes.env.first(where: { $0.name.text == name }) { return given.text.text }
    return ["HOME": Self.home, "USER": "test", "LOGNAME": "test", "TZ": "UTC"][name]
  }

  /// Records an effect without a fake, and returns its error.
  func reached(_ what: String, remedy: String) -> RunError {
    let error = RunError.notFaked(what, remedy: remedy)
    state.withLock { $0.unfaked.append(error) }
    return error
  }

  /// The host for a run.
  package var host: Host {
    var machine = Machine(
      monotonic: { [clock] in clock.monotonic },
      pause: { [clock] until, _ in until.map(clock.advance) },
      exec: { [self] request, bounds in try run(request, bounds) }, files: files,
      notify: { [self] notification, _ in notify(notification) })
    machine.simulation = clock
    machine.http = { [self] request, bounds in try answer(request, bounds) }
    var host = Host(
      now: { [clock] in clock.now }, randomBytes: { [self] in randomBytes($0) },
      environment: { [self] in environment($0) }, clock: fakes.clock,
      readClipboard: { [self] in state.withLock { $0.readClipboard() } },
      writeClipboard: { [self] text in
        state.withLock { state in
          (state.clipboard, state.copied) = (text, text)
          state.clipboards = []
        }
        return true
      },
      open: { [self] url in
        state.withLock { $0.reached["opened", default: []].append(.string(url)) }
        return fakes.browser
      }, linkBase: "https://errand.localhost", keyPath: nil,
      log: { [self] line in state.withLock { $0.reached["log", default: []].append(.string(line)) }
      },
      machine: machine)
    host.secrets = secrets
    host.isNews = { [self] key, text in
      state.withLock { $0.told.updateValue(text, forKey: key) != text }
    }
    host.pace = { [clock] in clock.takeTurn(at: $0, pace: $1) }
    host.isOnline = { [fakes] in fakes.online }
    host.holidays = { [holidays] in holidays }
    host.readSecret = { [self] (name: String) throws(EvaluationError) -> String in
      state.withLock { _ = $0.secrets.insert(name) }
      if let given = fakes.secrets.first(where: { $0.name.text == name }) { return given.text.text }
      let error = reached("the secret `\(name)`", remedy: "`secrets: {\(name): …}`")
      throw EvaluationError(error.message)
    }
    host.linkKey = LinkKey(bytes: (0..<UInt8(LinkKey.size)).map { $0 })
    return host
  }

  /// The fakes that nothing used, such as `exec: git`.
  var unusedFakes: [String] {
    state.withLock { state in
      let files = state.reachesFiles ? [] : fakes.files?.map(\.pattern.text) ?? []
      let secrets = fakes.secrets.map(\.name.text).filter { !state.secrets.contains($0) }
      return [
        ("exec", state.programs.unused), ("http", state.servers.unused), ("files", files),
        ("secrets", secrets),
      ].flatMap { subject, names in names.map { "\(subject): \($0)" } }
    }
  }

  private func notify(_ notification: DesktopNotification) -> NotificationEnd {
    state.withLock { state in
      state.reached["notifications", default: []].append(
        .object(
          Record(
            "notification", line: notification.text,
            [
              ("title", .string(notification.title)), ("text", .string(notification.text)),
              ("urgency", .string(notification.urgency.rawValue)),
              ("actions", .list(notification.actions.map(Value.string))),
              ("via", .list(notification.via.map { .string($0.rawValue) })),
            ])))
      guard !notification.actions.isEmpty, let action = state.actions.first else {
        return .shown(action: nil)
      }
      if state.actions.count > 1 { state.actions.removeFirst() }
      return .shown(action: action.flatMap(notification.actions.firstIndex))
    }
  }

  private var files: FileAccess {
    FileAccess(
      read: { [self] path, limit in
        let bytes = try reach { try $0.files.read(path) }
        guard bytes.count <= limit else { throw RunError(.io, "\(path) is too large") }
        return bytes
      },
      write: { [self] path, bytes, mode in try reach { try $0.files.write(path, bytes, mode) } },
      list: { [self] folder, deep in
        try reach { try $0.files.list(folder, deep, now: clock.now) }
      },
      transfer: { [self] transfer in try reach { try $0.files.transfer(transfer) } },
      makeFolder: { [self] path in
        try reach { try $0.files.makeFolder(path) }
        return []
      },
      trash: { [self] path in try reach { try $0.files.trash(path) } },
      takeBack: { [self] move in try reach { try $0.files.takeBack(move) } },
      status: { [self] path in try reach { try $0.files.status(path, now: clock.now) } },
      // A file that is not faked is taken as absent, as by a write that replaces it.
      ending: { [self] path in state.withLock { $0.files.content(path).flatMap { FileEnding($0) } }
      })
  }

  /// Runs a body with the state, and records its error if a fake is missing.
  private func reach<Result: Sendable>(_ body: (inout State) throws -> Result) throws -> Result {
    try state.withLock { state in
      state.reachesFiles = true
      do { return try body(&state) } catch let error as RunError where error.code == .notFaked {
        state.unfaked.append(error)
        throw error
      }
    }
  }
}

extension TestFakes {
  /// The clock in the zone of the variable `TZ`, else in UTC.
  fileprivate var clock: LocalClock {
    let zone = env.last { $0.name.text == "TZ" }.flatMap { TimeZoneRules.named($0.text.text) }
    return zone.map { zone in LocalClock { zone } } ?? .utc
  }
}

extension TestWorld.State {
  fileprivate mutating func readClipboard() -> String? {
    guard let text = clipboards.first else { return clipboard }
    if clipboards.count > 1 { clipboards.removeFirst() }
    clipboard = text
    return text
  }
}

extension TestWorld {
  /// Spends the delay of a reply; false when the wait is interrupted first.
  private func spend(_ delay: Duration, _ bounds: WaitBounds) -> Bool {
    let left =
      bounds.deadline.map { min(delay, .nanoseconds(max($0 - clock.monotonic, 0))) } ?? delay
    clock.spend(left)
    return left == delay
  }

  /// Runs a faked program, which ends after its delay.
  func run(_ request: ProcessRequest, _ bounds: WaitBounds) throws -> ProcessEnd {
    let line = request.command.joined(separator: " ")
    let program = request.command.first ?? ""
    let name = program.split(separator: "/").last.map(String.init) ?? program
    let reply = state.withLock { state in
      state.reached["exec", default: []].append(.object(Self.record(of: request, line)))
      return state.programs.take([line, program, name])
    }
    guard let reply else {
      throw reached("the program `\(line.shortened)`", remedy: "`exec: {\(name): {stdout: …}}`")
    }
    if !spend(reply.delay, bounds) { return ProcessEnd(reason: .interrupted) }
    try reply.throwFailure(of: "`\(name)`")
    let output = try reply.bytes("stdout")
    let errors = Array((reply["stderr"]?.scalar?.text ?? "").utf8)
    let reason =
      reply.number("signal").map { ProcessEnd.Reason.signalled(Int32(clamping: $0)) }
      ?? .exited(Int32(clamping: reply.number("status") ?? 0))
    guard let path = request.outputPath, reason == .exited(0) else {
      return ProcessEnd(reason: reason, output: output, errors: errors)
    }
    try state.withLock { try $0.files.write(path, output, .replace) }
    return ProcessEnd(reason: reason, errors: errors)
  }

  private static func record(of request: ProcessRequest, _ line: String) -> Record {
    Record(
      "program", line: line,
      [
        ("command", .list(request.command.map(Value.string))),
        ("stdin", .string(String(decoding: request.input, as: UTF8.self))),
        ("env", .map(MapValue(request.environment.map { ($0.name, .string($0.value)) }))),
        ("dir", request.folder.map(Value.string) ?? .null),
        ("save", request.outputPath.map(Value.string) ?? .null),
      ])
  }
}

extension TestWorld {
  /// Answers a request to a faked server after its delay.
  func answer(_ request: HTTPRequest, _ bounds: WaitBounds) throws -> HTTPEnd {
    let line = "\(request.method) \(request.url)"
    let reply = state.withLock { state in
      state.reached["http", default: []].append(.object(Self.record(of: request, line)))
      return fakes.online ? state.servers.take([line, request.url]) : nil
    }
    if !fakes.online {
      throw RunError(.network, "`\(line.shortened)` cannot be reached: the network is down")
    }
    guard let reply else {
      throw reached(
        "the address `\(line.shortened)`", remedy: "`http: {'\(line.shortened)': {json: …}}`")
    }
    for path in request.body.files { try state.withLock { _ = try $0.files.read(path) } }
    if !spend(reply.delay, bounds) { return .interrupted }
    try reply.throwFailure(of: "`\(line.shortened)`")
    let status = reply.number("status") ?? 200
    var headers = (reply["headers"]?.mapping?.entries ?? []).map { entry in
      (name: entry.key.text.lowercased(), value: entry.value.scalar?.text ?? "")
    }
    if reply["json"] != nil, !headers.contains(where: { $0.name == "content-type" }) {
      headers.append(("content-type", "application/json"))
    }
    let body = try reply.bytes("text")
    let saved = request.outputPath.flatMap { request.accepts(status) ? $0 : nil }
    if let saved { try state.withLock { try $0.files.write(saved, body, .replace) } }
    return .reply(
      HTTPReply(
        status: status, headers: headers, url: request.url, body: saved == nil ? body : [],
        isSaved: saved != nil))
  }

  private static func record(of request: HTTPRequest, _ line: String) -> Record {
    let body: Value =
      switch request.body {
      case .none: .null
      case .bytes(let bytes): .string(String(decoding: bytes, as: UTF8.self))
      case .file(let path): .map(MapValue([("file", .string(path))]))
      case .parts(let parts):
        .map(
          MapValue(
            parts.map { part in
              switch part.content {
              case .bytes(let bytes): (part.name, .string(String(decoding: bytes, as: UTF8.self)))
              case .file(let path): (part.name, .string(path))
              }
            }))
      }
    let headers = request.headers.map { header in
      // Secrets are fakes here, and so can be expected; what is shown of a failure is masked.
      (header.name.lowercased(), Value.string(header.value))
    }
    return Record(
      "request", line: line,
      [
        ("method", .string(request.method)), ("url", .string(request.url)),
        ("headers", .map(MapValue(headers))), ("body", body),
        ("save", request.outputPath.map(Value.string) ?? .null),
      ])
  }
}

/// A recorded effect; expectations may name any of its fields.
final class Record: ObjectValue {
  let typeName: String
  /// The text that a textual expectation matches.
  let line: String
  private let fields: MapValue

  init(_ typeName: String, line: String, _ fields: [(String, Value)]) {
    self.typeName = typeName
    self.line = line
    self.fields = MapValue(fields)
  }

  /// The words of a command line are also one text.
  func text(of field: String) -> String? {
    typeName == "program" && field == "command" ? line : nil
  }

  var fieldNames: [String] { fields.entries.map(\.key.text) }

  func field(_ name: String) -> Value? { fields[name] }

  func hasField(_ name: String) -> Bool { !(fields[name] ?? .null).isNull }

  func isEqual(to other: any ObjectValue) -> Bool {
    (other as? Record).map { $0.fields == fields } ?? false
  }
}

extension RunError.Code {
  /// An effect without a fake.
  fileprivate static var notFaked: Self { Self("not-faked") }
}

extension RunError {
  /// The fatal error for an effect, such as “the program `git fetch`”, without a fake.
  ///
  /// - Parameter remedy: the entry to add under `fake:`.
  static func notFaked(_ what: String, remedy: String) -> RunError {
    RunError(
      .notFaked, "\(what) was used but is not faked",
      help: "add under `fake:` \(remedy)"
    ).with(\.isFatal, true).with(\.mayRepeat, false)
  }
}
