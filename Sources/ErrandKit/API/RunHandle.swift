import CEL
import CLinux
import Engine
import Glibc
import JSON
import POSIX
import Platform
import Synchronization

/// A run in a separate process, with events and questions to answer.
///
/// Pull events with ``next(within:)`` until it returns nil, or call ``result(_:)``. ``state``,
/// ``question`` and ``id`` reflect the events pulled so far: a run whose events are not pulled
/// stays ``State/running``, and blocks when its pipe is full.
///
/// All methods are thread-safe. When the handle is released or its process ends, the run is asked
/// to end as by ``suspend()``.
public final class RunHandle: Sendable {
  /// The state of a run.
  public enum State: String, Sendable {
    /// Running, or its events have not been pulled.
    case running
    /// Waiting for an answer to ``RunHandle/question``.
    case waiting
    /// Finished with a result.
    case done
    /// Finished with an error.
    case failed
    /// Ended by ``RunHandle/cancel()``, a question left unanswered, or a signal.
    case cancelled
    /// Stopped, durably; ``Errand/resume(_:options:)`` continues it.
    case suspended
  }

  /// An event of a run; docs/events.md lists the kinds and their fields.
  public struct Event: Hashable, Sendable {
    /// The kind, such as `say`, `ask`, `progress`, `result` or `error`.
    public let name: String
    /// All fields.
    public let fields: JSONValue

    /// The value of a field; nil if there is none.
    public subscript(name: String) -> JSONValue? { fields[name] }
  }

  /// The state derived from the events pulled so far.
  private struct Progress {
    var state = State.running
    var id: String?
    var question: Event?
    /// Bytes read so far of an incomplete line.
    var bytes: [UInt8] = []
    /// Whether the run has closed its output.
    var isAtEnd = false
    /// The exit status as in a shell; nil while the process runs.
    var status: Int32?
    /// The result or error, once its event was pulled.
    var outcome: Result<JSONValue, ErrandError>?
  }

  /// The process id.
  public let process: Int32
  /// A descriptor for `poll(2)`: readable when an event or the end can be pulled.
  ///
  /// Call `next(within: .zero)` until it returns nil before polling again.
  public let descriptor: Int32
  /// Our end of a socket; writing to a pipe without a reader would raise SIGPIPE.
  private let input: Int32
  private let progress = Mutex(Progress())

  /// Starts a program and passes it the call on a descriptor.
  init(
    _ program: String, _ call: HandedCall, folder: String?, environment: [String: String]
  ) throws {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw RunError(.io, "cannot start a run: \(String(cString: strerror(errno)))")
    }
    let answers = ends
    defer { close(answers[1]) }
    do {
      guard errand_pipe(&ends) == 0 else {
        throw RunError(.io, "cannot start a run: \(String(cString: strerror(errno)))")
      }
      let events = ends
      defer { close(events[1]) }
      do {
        let handed = try call.sealed()
        defer { close(handed) }
        var request = ProcessRequest([program])
        request.folder = folder
        request.environment =
          environment.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
          + [HandedCall.environment]
        process = try ChildLaunch(request).start(
          input: answers[1], output: events[1], handed: handed)
      } catch {
        close(events[0])
        throw error
      }
      descriptor = events[0]
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    } catch {
      close(answers[0])
      throw error
    }
    input = answers[0]
  }

  deinit {
    close(input)
    close(descriptor)
    guard progress.withLock({ $0.status }) == nil else { return }
    kill(process, SIGTERM)
    var status: Int32 = 0
    guard waitpid(process, &status, WNOHANG) == 0 else { return }
    // Nobody waits for its `finally` steps; a thread reaps it, or it would stay a zombie.
    var thread = pthread_t()
    let started = pthread_create(
      &thread, nil,
      { process in
        var status: Int32 = 0
        while waitpid(Int32(Int(bitPattern: process)), &status, 0) < 0, errno == EINTR {}
        return nil
      }, UnsafeMutableRawPointer(bitPattern: Int(process)))
    if started == 0 { pthread_detach(thread) }
  }

  // MARK: State

  /// The run's id in `errand log` and the change log; nil before its `begin` event.
  public var id: String? { progress.withLock { $0.id } }

  /// The state of the run.
  public var state: State { progress.withLock { $0.state } }

  /// The open `ask`, `choose` or `confirm` event; nil if none is open.
  public var question: Event? { progress.withLock { $0.question } }

  /// Whether the process has exited and all of its events were pulled.
  public var hasEnded: Bool { progress.withLock { $0.status != nil && $0.bytes.isEmpty } }

  // MARK: Events

  /// Returns the next event; nil once the run has ended, or after the timeout.
  ///
  /// - Parameter time: The timeout; nil to wait indefinitely.
  /// - Throws: `internal` for a line that is not an event.
  public func next(within time: Duration? = nil) throws(ErrandError) -> Event? {
    let start = MonotonicClock.nanoseconds
    while true {
      let (event, isOver) = try ErrandError.translating { try progress.withLock { try pull(&$0) } }
      if event != nil || isOver { return event }
      var wait: Int32 = -1
      if let time {
        let passed = Duration.nanoseconds(MonotonicClock.nanoseconds - start)
        let left = (time - passed).components
        guard left.seconds >= 0, left.attoseconds >= 0, time > passed else { return nil }
        wait = Int32(clamping: left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1)
      }
      // A process that closes its output is about to exit.
      let isAtEnd = progress.withLock { $0.isAtEnd }
      var polled = pollfd(fd: isAtEnd ? -1 : descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&polled, 1, isAtEnd ? 1 : wait)
    }
  }

  /// Waits for the end of the run and returns its result.
  ///
  /// Without `body` there is no one to answer: a question that no preset answer covers ends the run
  /// as by ``suspend()``.
  ///
  /// - Parameter body: Called with each event, including questions, in order.
  /// - Throws: The run's error with its code; `cancelled` if it was ended, `suspended` if it is
  ///   durable and can be resumed, `needs-value` for an unanswered question. Rethrows errors of
  ///   `body`, after which the run continues.
  public func result(_ body: ((Event) throws -> Void)? = nil) throws -> JSONValue {
    var unanswered: Event?
    while let event = try next() {
      if let body {
        try body(event)
      } else if unanswered == nil, event.name != "entry", let question {
        unanswered = question
        suspend()
      }
    }
    let (outcome, state, status) = progress.withLock { ($0.outcome, $0.state, $0.status ?? 0) }
    if let unanswered, state == .cancelled {
      throw ErrandError(
        code: "needs-value",
        message: "nobody is there to answer “\(unanswered["prompt"]?.string ?? "")”")
    }
    if let outcome { return try outcome.get() }
    throw state == .cancelled
      ? ErrandError(code: "cancelled", message: "the run was ended before it had a result")
      : ErrandError(
        code: "internal", message: "the run ended with status \(status) and without a result")
  }

  /// Returns the event of the next complete line, after reading more if necessary.
  private func pull(_ progress: inout Progress) throws -> (event: Event?, isOver: Bool) {
    while true {
      if let end = progress.bytes.firstIndex(of: UInt8(ascii: "\n")) {
        let line = progress.bytes[..<end]
        let fields = (try? JSONParser().parse(Array(line))).map { JSONValue($0) }
        progress.bytes.removeSubrange(...end)
        guard let fields, let name = fields["event"]?.string else {
          throw ErrandError(code: "internal", message: "the run wrote a line that is not an event")
        }
        let event = Event(name: name, fields: fields)
        Self.apply(event, &progress)
        return (event, false)
      }
      if progress.isAtEnd { return (nil, reap(&progress)) }
      var chunk = [UInt8](repeating: 0, count: 16 << 10)
      let count = read(descriptor, &chunk, chunk.count)
      if count > 0 {
        progress.bytes += chunk[..<count]
      } else if count == 0 {
        progress.isAtEnd = true
      } else if errno != EINTR {
        return (nil, false)
      }
    }
  }

  private static func apply(_ event: Event, _ progress: inout Progress) {
    if event.name == "entry" { return }
    progress.question = nil
    switch event.name {
    case "begin": progress.id = event["run"]?.string
    case "ask", "choose", "confirm":
      progress.question = event
      progress.state = .waiting
      return
    case "result":
      progress.state = .done
      progress.outcome = .success(event["value"] ?? .null)
    case "error":
      let error = event["error"]
      let code = error?["code"]?.string ?? "failed"
      progress.state = code == "cancelled" ? .cancelled : code == "suspended" ? .suspended : .failed
      progress.outcome = .failure(
        ErrandError(
          code: code, message: error?["message"]?.string ?? "", help: error?["help"]?.string))
    default: progress.state = .running
    }
  }

  /// Reaps the process after it closed its output; false while it has not exited.
  private func reap(_ progress: inout Progress) -> Bool {
    guard progress.status == nil else { return true }
    var code: Int32 = 0
    if waitpid(process, &code, WNOHANG) == 0 { return false }
    let signal = code & 0x7F
    progress.status = signal == 0 ? (code >> 8) & 0xFF : 128 + signal
    progress.question = nil
    if progress.state == .running || progress.state == .waiting {
      progress.state = [SIGINT, SIGTERM, SIGHUP].contains(signal) ? .cancelled : .failed
    }
    return true
  }

  // MARK: Answers

  /// Answers the open question.
  ///
  /// A string or number answers `ask`; an index from 1, a title or a reference answers `choose` (an
  /// array if several may be chosen); a Boolean answers `confirm`; null selects the default. An
  /// answer that is not valid repeats the question with a `problem`.
  ///
  /// - Parameter number: The question's `number`; nil for the open question.
  /// - Throws: `conflict` if this question is not open.
  public func answer(_ value: JSONValue, to number: Int64? = nil) throws(ErrandError) {
    try reply(["answer": value.normalized], to: number)
  }

  /// Dismisses the open question, which ends the run as `cancelled` unless a step catches that.
  ///
  /// - Throws: `conflict` if no question is open.
  public func leave() throws(ErrandError) { try reply(["cancel": true], to: nil) }

  private func reply(
    _ members: [String: JSONValue], to number: Int64?
  ) throws(ErrandError) {
    let open = progress.withLock { progress -> Int64? in
      guard let open = progress.question?["number"]?.int, number ?? open == open else { return nil }
      progress.question = nil
      progress.state = .running
      return open
    }
    guard let open else {
      throw ErrandError(
        code: "conflict",
        message: number.map { "question \($0) is not open" } ?? "the run has no open question")
    }
    let line = JSONValue.object(members.merging(["number": .int(open)]) { $1 })
    var bytes = Array((try line.text() + "\n").utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      // The run has ended; its events say so.
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  // MARK: Ending

  /// Asks the run to end: its `finally` steps run, and events continue until then.
  public func cancel() { signal(SIGINT) }

  /// Asks a durable run to stop, also at an open question, so that ``Errand/resume(_:options:)``
  /// can continue it; any other run ends as by ``cancel()``.
  public func suspend() { signal(SIGTERM) }

  private func signal(_ number: Int32) {
    // Under the lock: until the process is reaped, its id cannot be reused.
    progress.withLock { progress in
      if progress.status == nil { kill(process, number) }
    }
  }
}
