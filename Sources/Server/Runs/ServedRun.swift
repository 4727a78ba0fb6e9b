import ErrandKit
import POSIX

/// A run started by a request, with its latest events; confined to the serving thread.
final class ServedRun {
  /// The id; nil before its first event.
  private(set) var id: String?
  let token: Token
  let action: String
  let isDurable: Bool
  /// The process; nil once it has exited.
  var handle: RunHandle?
  /// The files sent with the call and with answers, which exist until the run ends.
  private var uploads: [MultipartForm]
  private(set) var state = RunHandle.State.running
  private(set) var question: JSONValue?
  /// The last question that was answered or abandoned, until the run continues.
  private var closed: JSONValue?
  /// The time of the monotonic clock at which the question is given up.
  private(set) var deadline: Int64?
  /// The time of the monotonic clock at which the process exited.
  private(set) var ended: Int64?
  /// Requests that wait for a question or the end, some with a deadline.
  private var waiters: [(until: Int64?, reply: (Reply) -> Void)] = []
  /// Whether the process was asked to suspend the run.
  private(set) var isSuspending = false
  /// Called once the process has exited.
  private var enders: [() -> Void] = []
  private var streams: [EventStream] = []
  /// The values it was started with; nil if they are not known.
  let parameters: JSONValue?
  private(set) var transcript = ServedTranscript()
  private var events: [(number: Int, text: String)] = []
  private var lastEvent = 0
  private var bytes = 0
  private var dialog: [JSONValue] = []
  private var cards: [JSONValue] = []
  private var result: JSONValue = .null
  private var error: ErrandError?
  /// The difference between the numbers of questions that the client knows and those of the
  /// process, which counts from one again after a suspension.
  private let offset: Int64
  /// The question already answered by the client, and the answer, after a suspension.
  private var early: (question: JSONValue, answer: JSONValue)?
  private let patience: Duration

  /// The maximum number of events kept, and of their bytes.
  private static let eventLimit = 1_000
  private static let byteLimit = 4 << 20
  /// The maximum number of texts or cards in a response.
  private static let dialogLimit = 1_000

  init(
    _ started: StartedRun, _ token: Token, patience: Duration,
    answering early: (question: JSONValue, answer: JSONValue)? = nil
  ) {
    handle = started.handle
    action = started.action
    isDurable = started.isDurable
    parameters = started.parameters
    uploads = [started.uploads].compactMap(\.self)
    self.token = token
    self.patience = patience
    self.early = early
    offset = (early?.question["number"]?.int ?? 1) - 1
  }

  /// The question that a continued run asks again; nil if there is none.
  var pendingQuestion: JSONValue? {
    handle != nil || state == .suspended ? question ?? closed ?? early?.question : nil
  }

  /// Whether the run has neither ended nor waits for an answer.
  var isRunning: Bool { state == .running && handle != nil }

  // MARK: Events

  /// Processes the events so far, up to a number; returns whether the process has exited.
  func pull() -> Bool {
    guard let handle else { return true }
    for _ in 0..<200 {
      do {
        guard let event = try handle.next(within: .zero) else { break }
        take(event)
      } catch {
        // Skip lines that are not events.
        continue
      }
    }
    guard handle.hasEnded else { return false }
    if state == .running || state == .waiting {
      // It was killed, or trapped.
      state = handle.state
      error = ErrandError(
        code: state == .cancelled ? "cancelled" : "internal",
        message: "the run ended before it had a result")
    }
    self.handle = nil
    closed = question ?? closed
    question = nil
    deadline = nil
    ended = MonotonicClock.nanoseconds
    settle()
    for ender in enders { ender() }
    enders = []
    for stream in streams { stream.end() }
    streams = []
    transcript.end(state.rawValue, error)
    return true
  }

  private func take(_ event: RunHandle.Event) {
    if event.name == "entry" { return transcript.put(event["entry"] ?? .null) }
    var fields = event.fields
    if event["error"]?["code"] != "suspended", event.name != "begin" { closed = nil }
    switch event.name {
    case "begin":
      id = event["run"]?.string
    case "say": add(event["text"], to: &dialog)
    case "show": for card in event["cards"]?.array ?? [] { add(card, to: &cards) }
    case "ask", "choose", "confirm":
      fields = numbered(fields)
      if let early, fields["prompt"] == early.question["prompt"],
        fields["key"] == early.question["key"]
      {
        self.early = nil
        question = fields
        return reply(early.answer)
      }
      early = nil
      question = fields
      state = .waiting
      deadline = MonotonicClock.nanoseconds + patience.nanoseconds
    case "result":
      result = event["value"] ?? .null
      state = .done
    case "error":
      let members = event["error"]
      let code = members?["code"]?.string ?? "failed"
      error = ErrandError(
        code: code, message: members?["message"]?.string ?? "", help: members?["help"]?.string)
      state = code == "cancelled" ? .cancelled : code == "suspended" ? .suspended : .failed
    default: break
    }
    record(event.name, fields)
    if state != .running { settle() }
  }

  private func add(_ value: JSONValue?, to list: inout [JSONValue]) {
    if let value, list.count < Self.dialogLimit { list.append(value) }
  }

  private func numbered(_ fields: JSONValue) -> JSONValue {
    guard offset != 0, case .object(var members) = fields, let number = fields["number"]?.int
    else { return fields }
    members["number"] = .int(number + offset)
    return .object(members)
  }

  private func record(_ name: String, _ fields: JSONValue) {
    lastEvent += 1
    let data = (try? fields.text()) ?? "{}"
    let text = "id: \(lastEvent)\nevent: \(name)\ndata: \(data)\n\n"
    events.append((lastEvent, text))
    bytes += text.utf8.count
    while events.count > Self.eventLimit || bytes > Self.byteLimit && events.count > 1 {
      bytes -= events.removeFirst().text.utf8.count
    }
    for stream in streams { stream.send(text) }
  }

  /// Starts a stream of events (HTML Living Standard §9.2).
  ///
  /// - Parameter last: The number of the last event the client has; nil for none.
  func follow(after last: Int?) -> EventStream {
    let stream = EventStream()
    let first = events.first?.number ?? 1
    let known = last.map { max(0, min($0, lastEvent)) } ?? 0
    if known + 1 < first {
      stream.send("event: lost\ndata: {\"from\":\(known + 1),\"to\":\(first - 1)}\n\n")
    }
    for event in events where event.number > known { stream.send(event.text) }
    if handle == nil { stream.end() } else { streams.append(stream) }
    return stream
  }

  /// Sends a comment to each client to detect disconnected clients.
  func beat() {
    streams.removeAll(where: \.isClosed)
    for stream in streams { stream.send(": \n\n") }
    transcript.beat()
  }

  /// Starts a stream of the transcript's entries after a number.
  func followTranscript(after number: Int64) -> EventStream {
    transcript.follow(after: number, isOpen: handle != nil)
  }

  // MARK: Answers

  /// Answers or abandons the open question.
  func reply(_ answer: JSONValue, with files: MultipartForm? = nil) {
    if let files { uploads.append(files) }
    (closed, question) = (question, nil)
    deadline = nil
    state = .running
    (dialog, cards) = ([], [])
    if answer["cancel"] == true {
      try? handle?.leave()
    } else {
      try? handle?.answer(answer["answer"] ?? .null)
    }
  }

  /// Gives up the open question: a durable run is suspended, any other is cancelled.
  func giveUp() {
    deadline = nil
    (closed, question) = (question, nil)
    isSuspending = isDurable
    if isDurable { handle?.suspend() } else { try? handle?.leave() }
  }

  /// Calls `body` once the process has exited.
  func whenEnded(_ body: @escaping () -> Void) { enders.append(body) }

  /// Ends the run permanently; `body` is called once its process has exited.
  func cancel(then body: @escaping () -> Void) {
    enders.append(body)
    handle?.cancel()
  }

  // MARK: Replies

  /// Replies once the run asks or ends, or with its state at a time of the monotonic clock.
  func wait(until time: Int64? = nil, _ reply: @escaping (Reply) -> Void) {
    waiters.append((time, reply))
    if state != .running || handle == nil { settle() }
  }

  /// The earliest deadline of a waiting request; nil for none.
  var waitsUntil: Int64? { id == nil ? nil : waiters.compactMap(\.until).min() }

  /// Replies to requests whose deadline has passed.
  func settle(at now: Int64) {
    guard id != nil else { return }
    let late = waiters.filter { ($0.until ?? .max) <= now }
    waiters.removeAll { ($0.until ?? .max) <= now }
    let response = response
    for waiter in late { waiter.reply(.response(response)) }
  }

  private func settle() {
    let response = response
    for waiter in waiters { waiter.reply(.response(response)) }
    waiters = []
  }

  private var runValue: JSONValue { id.map(JSONValue.string) ?? .null }

  /// The response to a call or an answer.
  private var response: Response {
    var members: [String: JSONValue] = [
      "run": runValue, "dialog": .array(dialog), "cards": .array(cards),
    ]
    if state == .waiting, let question {
      members["question"] = question
      return Response(
        json: .object(members), status: 202, headers: [("Location", "/api/v1/runs/\(id ?? "")")])
    }
    if state == .running, handle != nil {
      return Response(
        json: .object(members), status: 202, headers: [("Location", "/api/v1/runs/\(id ?? "")")])
    }
    if let error {
      var problem = Problem(error)
      problem.run = id
      return problem.response
    }
    members["result"] = result
    return Response(json: .object(members))
  }

  /// The transcript in the form of `GET /runs/ID/transcript`.
  func shownTranscript(from number: Int64) -> JSONValue {
    .object([
      "run": runValue, "name": .string(action), "state": .string(state.rawValue),
      "question": question?["number"] ?? .null, "omitted": .int(transcript.omitted),
      "entries": .array(transcript.entries(from: number)),
    ])
  }

  /// The transcript with the values that the run was started with, for the page.
  var pageTranscript: JSONValue? {
    guard case .object(var members) = shownTranscript(from: 1) else { return nil }
    members["parameters"] = parameters
    return .object(members)
  }

  /// The run in the form of `GET /runs/ID`.
  var json: JSONValue {
    .object([
      "run": runValue, "name": .string(action), "state": .string(state.rawValue),
      "question": question ?? .null, "result": result,
      "error": error.map { ["code": .string($0.code), "message": .string($0.message)] } ?? .null,
    ])
  }
}

extension Duration {
  /// The duration in nanoseconds.
  var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
