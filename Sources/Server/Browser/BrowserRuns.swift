import ErrandKit
import Web

/// Runs of the page: a form starts, answers or stops one, and its address shows its transcript.
struct BrowserRuns {
  let runs: RunRegistry
  let pool: WorkerPool
  let folder: String
  let head: RequestHead
  let session: BrowserSessions.Session
  let token: Token

  /// The time for which a form waits for a question or the end, in nanoseconds; what takes longer
  /// is shown as it goes on.
  private static let patience: Int64 = 400_000_000

  /// Whether a request concerns a run: `/run/NAME/ID`, or a form below `/run`.
  static func holds(_ path: [String], method: String) -> Bool {
    guard path.first == "run" else { return false }
    return path.count == 3 || path.count == 4 || path.count == 2 && method == "POST"
  }

  /// Answers a request.
  func answer(_ path: [String], _ body: Body, reply: @escaping (Reply) -> Void) {
    let isForm = head.method == "POST"
    switch path.count {
    case 2: start(path, body, reply)
    case 3 where isForm:
      read(path, body, .answer, reply) { answer in
        guard let sent = sent(answer), let json else { return }
        runs.answer(
          path[2], head: json, body: sent, token: token, patience: Self.patience,
          reply: show(path, reply))
      }
    case 3: show(path, reply)(.response(Response(json: [:])))
    case 4 where !isForm && path[3] == "live": runs.transcript(path[2], stream, token, reply: reply)
    case 4 where isForm && path[3] == "stop":
      read(path, body, .nothing, reply) { _ in
        runs.cancel(path[2], token, reply: show(path, reply))
      }
    case 4 where isForm && path[3] == "retry":
      read(path, body, .nothing, reply) { _ in
        runs.retry(path[2], token, patience: Self.patience, reply: show(path, reply))
      }
    default: reply(.response(PageHandler.page(of: Problem(404, "not-found", "there is no page"))))
    }
  }

  /// Starts a run with the values of a form.
  private func start(_ path: [String], _ body: Body, _ reply: @escaping (Reply) -> Void) {
    let back = (try? body.text()).flatMap { RequestHead.parameters($0) }?
      .first { $0.name == "back" }?.value
    read(path, body, .parameters, reply) { parameters in
      guard let sent = sent(parameters), let json else { return }
      let call = RunCall(action: path[1], token: token, head: json, body: sent, folder: folder)
      runs.call(call, patience: Self.patience) { answer in
        guard case .response(let response) = answer else { return }
        make(path, body, reply) { website in
          website.started(path[1], try Self.value(response), status: response.status, back: back)
        }
      }
    }
  }

  /// Replies to an answer of the API with the page of the run, or the way there after a form.
  private func show(_ path: [String], _ reply: @escaping (Reply) -> Void) -> (Reply) -> Void {
    { answer in
      guard case .response(let response) = answer else { return }
      let value = try? Self.value(response)
      // An answer to a question that is not open any more leads to the one that is.
      if response.status >= 400, response.status != 409 || path.count == 4, value?["run"] == nil {
        return reply(
          .response(
            PageHandler.page(
              of: Problem(
                response.status, "conflict", value?["detail"]?.string ?? "it is not possible",
                help: value?["help"]?.string))))
      }
      // A run that was retried may be another one.
      let run = value?["run"]?.string ?? path[2]
      let live = runs.liveTranscript(run, token)
      let isForm = head.method == "POST"
      make(path, Body(spooledIn: folder), reply) { website in
        if isForm { return .redirect(Website.path(ofRun: run, path[1])) }
        return try website.run(path[1], run, live)
      }
    }
  }

  /// Has a worker make a page.
  private func make(
    _ path: [String], _ body: Body, _ reply: @escaping (Reply) -> Void,
    _ page: @escaping @Sendable (Website) throws -> Website.Reply
  ) {
    pool.answer(reply) { [head, session, token] context in
      do {
        let website = try PageHandler.website(
          path, head, body, session, token, context, isForm: body.count > 0)
        return PageHandler.response(to: try page(website))
      } catch {
        return PageHandler.page(of: Problem(error))
      }
    }
  }

  /// The content of a form.
  private enum FormContent {
    case nothing, answer, parameters
  }

  /// Has a worker read a form, and goes on with its value.
  private func read(
    _ path: [String], _ body: Body, _ content: FormContent,
    _ reply: @escaping (Reply) -> Void, then goOn: @escaping (JSONValue) -> Void
  ) {
    pool.submit(
      { [head, session, token] context in
        do {
          let website = try PageHandler.website(path, head, body, session, token, context)
          let value: JSONValue =
            switch content {
            case .nothing: .null
            case .answer: try website.answer()
            case .parameters: try website.parameters(of: path[1])
            }
          return .response(Response(200, body: Array(try value.text().utf8)))
        } catch {
          return .response(PageHandler.page(of: Problem(error)))
        }
      },
      then: { outcome in
        guard case .response(let response) = outcome else { return }
        guard response.headers.isEmpty, let value = try? Self.value(response) else {
          return reply(.response(response))
        }
        goOn(value)
      })
  }

  private static func value(_ response: Response) throws -> JSONValue {
    try JSONValue(parsing: String(decoding: response.body, as: UTF8.self))
  }

  /// A value as the body of a request.
  private func sent(_ value: JSONValue) -> Body? {
    let sent = Body(spooledIn: folder)
    guard let text = try? value.text() else { return nil }
    Array(text.utf8).withUnsafeBytes { _ = sent.append($0) }
    return sent
  }

  /// The head of a request of the API with such a body.
  private var json: RequestHead? {
    RequestHead(method: "POST", target: "/", headers: [("content-type", "application/json")])
  }

  /// The head of a request for a stream, from where the page has read.
  private var stream: RequestHead {
    let last = head.header("last-event-id").map { [("last-event-id", $0)] } ?? []
    return RequestHead(
      method: "GET", target: "/?from=\(head.query.first { $0.name == "from" }?.value ?? "1")",
      headers: [("accept", "text/event-stream")] + last) ?? head
  }
}
