import CEL
package import Catalog
package import Engine
import Links
import Program
import Synchronization
import YAML

/// The world of one test: nothing of it is outside of the process, and all that is reached is kept.
package final class TestWorld: Sendable {
  struct State {
    var random: UInt64 = 0x9E37_79B9_7F4A_7C15
    var clipboard: String?
    /// Texts that come to the clipboard, one at each look; the last stays.
    var clipboards: [String] = []
    var opened: [Value] = []
    var log: [Value] = []
    var commands: [Value] = []
    var requests: [Value] = []
    var notifications: [Value] = []
    /// The actions that are taken on notifications; the last repeats.
    var actions: [String?] = []
    var programs: FakeRules
    var servers: FakeRules
    var files: FakeFiles
    var unfaked: [Unfaked] = []
  }

  let state: Mutex<State>
  let clock: SimulatedClock
  private let secrets = KnownSecrets()
  private let fakes: TestFakes

  /// When a test begins that does not say it.
  static let usualStart = Timestamp(seconds: 1_767_258_000)  // 2026-01-01T09:00:00Z
  /// The home folder of all tests.
  static let home = "/home/test"

  /// The world as the fakes of a test say it is.
  ///
  /// - Throws: `invalid-value` when a text of it can't be read.
  package init(_ fakes: TestFakes) throws {
    self.fakes = fakes
    var start = Self.usualStart
    if let text = fakes.now {
      let reader = DateReader(now: start, clock: .utc)
      guard let moment = reader.timestamp(text.text) else {
        throw RunError(
          .invalidValue, "“\(text.text)” is no moment",
          help: "write it as one of: \(DateReader.examples)", at: text.span)
      }
      start = moment
    }
    clock = SimulatedClock(at: start)
    let files = try FakeFiles(fakes.files, home: Self.home)
    state = Mutex(
      State(
        clipboards: (fakes.clipboard ?? []).map(\.text),
        actions: (fakes.notifications ?? []).map { $0.isNull ? nil : $0.text },
        programs: FakeRules(fakes.exec ?? []), servers: FakeRules(fakes.http ?? []), files: files))
  }

  /// The next 64 bits of chance, the same in every run of the test (SplitMix64).
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
    switch name {
    case "HOME": return Self.home
    case "USER", "LOGNAME": return "test"
    case "TZ": return "UTC"
    default: return nil
    }
  }

  /// Notes that something was reached that nothing stands for, and gives the error of it.
  func reached(_ what: String, remedy: String) -> RunError {
    let unfaked = Unfaked(what: what, remedy: remedy)
    state.withLock { $0.unfaked.append(unfaked) }
    return unfaked.error
  }

  /// The world as a run sees it.
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
      environment: { [self] in environment($0) }, clock: .utc,
      readClipboard: { [self] in state.withLock { $0.readClipboard() } },
      writeClipboard: { [self] text in
        state.withLock { state in
          state.clipboard = text
          state.clipboards = []
        }
        return true
      },
      open: { [self] url in
        state.withLock { $0.opened.append(.string(url)) }
        return fakes.browser
      }, linkBase: "https://errand.localhost", keyPath: nil,
      log: { [self] line in state.withLock { $0.log.append(.string(line)) } }, machine: machine)
    host.secrets = secrets
    host.isOnline = { [fakes] in fakes.online }
    host.readSecret = { [self] (name: String) throws(EvaluationError) -> String in
      if let given = fakes.secrets.first(where: { $0.name.text == name }) { return given.text.text }
      let error = reached("the secret `\(name)`", remedy: "`secrets: {\(name): …}`")
      throw EvaluationError(error.message)
    }
    host.linkKey = LinkKey(bytes: (0..<UInt8(LinkKey.size)).map { $0 })
    return host
  }

  private func notify(_ notification: DesktopNotification) -> NotificationEnd {
    state.withLock { state in
      state.notifications.append(
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
        let bytes = try noting { try $0.files.read(path) }
        guard bytes.count <= limit else { throw RunError(.io, "\(path) is too large") }
        return bytes
      },
      write: { [self] path, bytes, mode in try noting { try $0.files.write(path, bytes, mode) } },
      list: { [self] folder, deep in
        try noting { try $0.files.list(folder, deep, now: clock.now) }
      },
      transfer: { [self] transfer in try noting { try $0.files.transfer(transfer) } },
      trash: { [self] path in try noting { try $0.files.trash(path) } },
      takeBack: { [self] move in try noting { try $0.files.takeBack(move) } },
      status: { [self] path in try noting { try $0.files.status(path, now: clock.now) } })
  }

  /// Does something with the state; an error of something that nothing stands for is kept.
  private func noting<Result: Sendable>(_ body: (inout State) throws -> Result) throws -> Result {
    do {
      return try state.withLock { try body(&$0) }
    } catch let unfaked as Unfaked {
      throw reached(unfaked.what, remedy: unfaked.remedy)
    }
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
