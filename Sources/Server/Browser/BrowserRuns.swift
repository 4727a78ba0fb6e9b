import ErrandKit
import Web

/// Runs of the page: a form starts, answers or stops one, and its address shows its transcript.
struct BrowserRuns {
  let runs: RunRegistry
  let pool: WorkerPool
  let request: BrowserRequest
  let reply: (Reply) -> Void

  /// The time that a form waits for a question or the end of its run, in nanoseconds; a longer run
  /// is shown in progress.
  private static let patience: Int64 = 400_000_000

  /// Whether a request concerns a run: `/run/NAME/ID`, or a form below `/run`.
  static func holds(_ path: [String], method: String) -> Bool {
    guard path.first == "run" else { return false }
    return path.count == 3 || path.count == 4 || path.count == 2 && method == "POST"
  }

  private var path: [String] { request.head.path }
  private var token: Token { request.token }

  /// Answers the request.
  func answer() {
    let isForm = request.head.method == "POST"
    switch path.count {
    case 2: start()
    case 3 where isForm:
      read(RunPage.answer) { answer in
        guard let (head, body) = sent(answer) else { return }
        do {
          let answer = try RunAnswer(head, body, uploads: request.files, in: request.folder)
          runs.answer(path[2], answer, token: token, patience: Self.patience, reply: show)
        } catch { show(.response(Problem(error).response)) }
      }
    case 3: show(.response(Response(json: [:])))
    case 4 where !isForm && path[3] == "live": runs.transcript(path[2], stream, token, reply: reply)
    case 4 where isForm && path[3] == "stop": read { _ in runs.cancel(path[2], token, reply: show) }
    case 4 where isForm && path[3] == "retry": retry()
    case 4 where isForm && path[3] == "allow": retry(after: RunPage.allow)
    case 4 where isForm && path[3] == "secret": retry(after: RunPage.saveSecret)
    default: reply(.response(PageHandler.page(of: Problem(404, "not-found", "there is no page"))))
    }
  }

  /// Tries a run again, at the failed step if it is durable, once a worker has done its remedy.
  private func retry(after remedy: (@Sendable (RunPage) -> () throws -> JSONValue)? = nil) {
    read(remedy) { _ in
      runs.retry(path[2], token, patience: Self.patience) { answer in
        // A run that is not recorded, since it changed nothing, starts from its form.
        if remedy != nil, case .response(let response) = answer, response.status >= 400 {
          return make { .redirect($0.formPath) }
        }
        show(answer)
      }
    }
  }

  /// Starts a run with the values of a form.
  private func start() {
    read(RunPage.parameters) { parameters in
      guard let (head, body) = sent(parameters) else { return }
      let call = RunCall(
        action: path[1], token: token, head: head, body: body, folder: request.folder,
        uploads: request.files)
      runs.call(call, patience: Self.patience) { answer in
        guard case .response(let response) = answer else { return }
        make(readsForm: true) { page in
          page.started(try Self.value(response), status: response.status)
        }
      }
    }
  }

  /// Replies to an answer of the API with the page of the run, or with a redirect after a form.
  private func show(_ answer: Reply) {
    guard case .response(let response) = answer else { return }
    let value = try? Self.value(response)
    // A late answer to a question that is closed by now leads to the open one.
    if response.status >= 400, response.status != 409 || path.count == 4, value?["run"] == nil {
      let problem = Problem(
        response.status, "conflict", value?["detail"]?.string ?? "it is not possible",
        help: value?["help"]?.string)
      return reply(.response(PageHandler.page(of: problem)))
    }
    // A retry may start another run.
    let run = value?["run"]?.string ?? path[2]
    let live = runs.liveTranscript(run, token)
    let isForm = request.head.method == "POST"
    make { page in try isForm ? .redirect(page.path(ofRun: run)) : page.render(live: live) }
  }

  /// Replies with a page that a worker makes.
  private func make(
    readsForm: Bool = false, _ page: @escaping @Sendable (RunPage) throws -> PageContext.Reply
  ) {
    pool.answer(reply) { [request] worker in
      do {
        let context = try request.context(in: worker, readsForm: readsForm)
        return PageHandler.response(to: try page(RunPage(context: context)))
      } catch {
        return PageHandler.page(of: Problem(error))
      }
    }
  }

  /// Calls a function with the value that a worker reads from the form.
  ///
  /// - Parameter value: The reading method; nil if only the form's token is checked.
  private func read(
    _ value: (@Sendable (RunPage) -> () throws -> JSONValue)? = nil,
    then goOn: @escaping (JSONValue) -> Void
  ) {
    pool.submit(
      { [request] worker in
        do {
          let page = RunPage(context: try request.context(in: worker))
          let value = try value?(page)() ?? .null
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

  /// A value as a request of the API.
  private func sent(_ value: JSONValue) -> (head: RequestHead, body: Body)? {
    let headers = [("content-type", "application/json")]
    let body = Body(spooledIn: request.folder)
    guard let head = RequestHead(method: "POST", target: "/", headers: headers),
      let text = try? value.text()
    else { return nil }
    Array(text.utf8).withUnsafeBytes { _ = body.append($0) }
    return (head, body)
  }

  /// The head of a request for a stream, from where the page has read.
  private var stream: RequestHead {
    let last = request.head.header("last-event-id").map { [("last-event-id", $0)] } ?? []
    return RequestHead(
      method: "GET",
      target: "/?from=\(request.head.query.first { $0.name == "from" }?.value ?? "1")",
      headers: [("accept", "text/event-stream")] + last) ?? request.head
  }
}
