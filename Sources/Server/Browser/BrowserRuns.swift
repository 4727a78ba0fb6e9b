import ErrandKit
import Web

/// Runs of the page: a form starts or answers one, and the answer of the API becomes a page.
struct BrowserRuns {
  let runs: RunRegistry
  let pool: WorkerPool
  let folder: String

  /// Whether a path is that of a run's form.
  static func holds(_ path: [String]) -> Bool {
    path.first == "run" && (path.count == 2 || path.count == 3)
  }

  /// Answers a sent form: reads it, has the API act, and shows what came of it.
  func answer(
    _ path: [String], _ head: RequestHead, _ body: Body, _ session: BrowserSessions.Session,
    _ token: Token, reply: @escaping (Reply) -> Void
  ) {
    let (name, run) = (path[1], path.count == 3 ? path[2] : nil)
    let value: @Sendable (WorkerContext) throws -> JSONValue = { desk in
      let website = try PageHandler.website(path, head, body, session, token, desk)
      return try run == nil ? website.parameters(of: name) : website.answer()
    }
    let back = (try? body.text()).flatMap { RequestHead.parameters($0) }?
      .first { $0.name == "back" }?.value
    read(value) { [self] outcome in
      switch outcome {
      case .page(let response): reply(.response(response))
      case .value(let text):
        let sent = Body(spooledIn: folder)
        Array(text.utf8).withUnsafeBytes { _ = sent.append($0) }
        guard
          let json = RequestHead(
            method: "POST", target: "/", headers: [("content-type", "application/json")])
        else { return }
        let show: (Reply) -> Void = { answer in
          guard case .response(let response) = answer else { return }
          self.show(response, name, head, session, back: run == nil ? back : nil, reply)
        }
        if let run {
          runs.answer(run, json, sent, token, reply: show)
        } else {
          runs.call(
            RunCall(action: name, token: token, head: json, body: sent, folder: folder),
            reply: show)
        }
      }
    }
  }

  private enum Outcome {
    case value(String)
    case page(Response)
  }

  /// Has a worker read a form.
  private func read(
    _ value: @escaping @Sendable (WorkerContext) throws -> JSONValue,
    then: @escaping (Outcome) -> Void
  ) {
    pool.submit(
      { desk in
        do {
          return .response(Response(200, body: Array(try value(desk).text().utf8)))
        } catch {
          return .response(PageHandler.page(of: Problem(error)))
        }
      },
      then: { outcome in
        guard case .response(let response) = outcome else { return }
        let isValue = response.headers.isEmpty
        then(isValue ? .value(String(decoding: response.body, as: UTF8.self)) : .page(response))
      })
  }

  /// Shows an answer of the API as a page.
  private func show(
    _ answer: Response, _ name: String, _ head: RequestHead, _ session: BrowserSessions.Session,
    back: String?, _ reply: @escaping (Reply) -> Void
  ) {
    let body = Body(spooledIn: folder)
    pool.submit(
      { desk in
        do {
          let value = try JSONValue(parsing: String(decoding: answer.body, as: UTF8.self))
          let website = try PageHandler.website(
            ["run", name], head, body, session, .browser(.read), desk, isForm: false)
          return .response(
            PageHandler.response(
              to: website.conversation(name, value, status: answer.status, back: back)))
        } catch {
          return .response(PageHandler.page(of: Problem(error)))
        }
      }, then: { if case .response(let response) = $0 { reply(.response(response)) } })
  }
}
