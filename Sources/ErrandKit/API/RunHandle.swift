import CEL
import CLinux
import Engine
import Glibc
import JSON
import POSIX
import Synchronization
import System

/// A run in a process of its own, which tells what it does and can be answered.
///
/// Pull events with ``next(within:)`` until it returns nil, or with ``result(_:)``. The state, the
/// open question and the id are those of the events pulled so far, so a run whose events nobody pulls
/// stays ``State/running`` and stops once its pipe is full.
///
/// All methods may be called from any thread. The run ends with its handle, and with the process that
/// has it: it is asked to end as by ``suspend()``.
public final class RunHandle: Sendable {
  /// The progress of a run.
  public enum State: String, Sendable {
    /// It is at work, or its events have not been pulled.
    case running
    /// It waits for an answer to ``RunHandle/question``.
    case waiting
    /// It came to its result.
    case done
    /// It ended with an error.
    case failed
    /// It was ended by ``RunHandle/cancel()``, a person who left a question, or a signal.
    case cancelled
    /// It is durable and stopped; ``Errand/resume(_:)`` continues it.
    case suspended
  }

  /// Something that a run tells while it goes on; docs/events.md lists the kinds and their fields.
  public struct Event: Hashable, Sendable {
    /// The kind, such as `say`, `ask`, `progress`, `result` or `error`.
    public let name: String
    /// All fields.
    public let fields: JSONValue

    /// The value of a field; nil where there is none of that name.
    public subscript(name: String) -> JSONValue? { fields[name] }
  }

  private struct Progress {
    var state = State.running
    var id: String?
    var question: Event?
    /// The bytes that are no whole line yet.
    var bytes: [UInt8] = []
    /// Whether the run has closed its end.
    var isAtEnd = false
    /// The status with which the process ended, as a shell tells it; nil while it goes on.
    var status: Int32?
    /// The result or the error, once one was told.
    var outcome: Result<JSONValue, ErrandError>?
  }

  /// The id of the process.
  public let process: Int32
  /// A descriptor that becomes readable when an event or the end can be pulled, for `poll(2)`.
  ///
  /// Pull with `next(within: .zero)` until it returns nil before polling again.
  public let descriptor: Int32
  /// Our end of a socket; a pipe whose reader is gone would end us by SIGPIPE.
  private let input: Int32
  private let progress = Mutex(Progress())

  /// Starts a program with a call that stands in no list of processes.
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
    // Nobody waits for what its `finally` steps do; the process must not stay a zombie.
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

  // MARK: What is known

  /// The id of the run in `errand log` and the log of changes; nil before its event `begin`.
  public var id: String? { progress.withLock { $0.id } }

  /// The progress of the run.
  public var state: State { progress.withLock { $0.state } }

  /// The event `ask`, `choose` or `confirm` that waits for an answer; nil while none does.
  public var question: Event? { progress.withLock { $0.question } }

  // MARK: Events

  /// The next event; nil once the run is over, or when none came in time.
  ///
  /// - Parameter time: The longest wait; nil to wait for the next event however long it takes.
  /// - Throws: `internal` for a line that is not an event.
  public func next(within time: Swift.Duration? = nil) throws(ErrandError) -> Event? {
    let start = MonotonicClock.nanoseconds
    while true {
      let (event, isOver) = try ErrandError.translating { try progress.withLock { try pull(&$0) } }
      if event != nil || isOver { return event }
      var wait: Int32 = -1
      if let time {
        let passed = Swift.Duration.nanoseconds(MonotonicClock.nanoseconds - start)
        let left = (time - passed).components
        guard left.seconds >= 0, left.attoseconds >= 0, time > passed else { return nil }
        wait = Int32(clamping: left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1)
      }
      // A process that has closed its output is about to end.
      let isAtEnd = progress.withLock { $0.isAtEnd }
      var polled = pollfd(fd: isAtEnd ? -1 : descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&polled, 1, isAtEnd ? 1 : wait)
    }
  }

  /// Waits for the end, and gives the run's result.
  ///
  /// - Parameter hear: Is given each event, questions among them, in the order in which they come.
  /// - Throws: The error with which the run ended, by its code; `cancelled` for one that was ended,
  ///   `suspended` for a durable one that can be resumed; and what `hear` throws, after which the run
  ///   goes on.
  public func result(_ hear: (Event) throws -> Void = { _ in }) throws -> JSONValue {
    while let event = try next() { try hear(event) }
    let (outcome, state, status) = progress.withLock { ($0.outcome, $0.state, $0.status ?? 0) }
    if let outcome { return try outcome.get() }
    throw state == .cancelled
      ? ErrandError(code: "cancelled", message: "the run was ended before it had a result")
      : ErrandError(
        code: "internal", message: "the run ended with status \(status) and without a result")
  }

  /// Takes the next whole line, and reads more where there is none.
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
        Self.note(event, &progress)
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

  private static func note(_ event: Event, _ progress: inout Progress) {
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

  /// Takes leave of the process, which has closed its output; false while it has not ended.
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
  /// A text or a number answers `ask`, a number from 1, a title or a reference `choose` (an array of
  /// them where several may be chosen), a Boolean `confirm`; null takes the default. Where the answer
  /// does not fit, the question comes again with its `problem`.
  ///
  /// - Parameter number: The question's `number`; nil for whichever is open.
  /// - Throws: `conflict` when no question is open, or another one.
  public func answer(_ value: JSONValue, to number: Int64? = nil) throws(ErrandError) {
    try reply(["answer": value], to: number)
  }

  /// Leaves the open question without an answer, which ends the run as `cancelled` unless a step
  /// catches that.
  ///
  /// - Throws: `conflict` when no question is open.
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
        message: number.map { "question \($0) is not open" } ?? "the run asks nothing now")
    }
    let line = JSONValue.object(members.merging(["number": .int(open)]) { $1 })
    let text = try ErrandError.translating { try JSONWriter().text(of: line.value) }
    var bytes = Array((text + "\n").utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      // The run has ended, which its events tell.
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  // MARK: Ending

  /// Asks the run to end for good: its `finally` steps run, and its events go on until then.
  public func cancel() { signal(SIGINT) }

  /// Asks a durable run to stop, so that ``Errand/resume(_:)`` continues it later, also from an open
  /// question; another run ends as by ``cancel()``.
  public func suspend() { signal(SIGTERM) }

  private func signal(_ number: Int32) {
    // Under the lock, so that the process is ours as long as it has not been waited for.
    progress.withLock { progress in
      if progress.status == nil { kill(process, number) }
    }
  }
}
