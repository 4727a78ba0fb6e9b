package import ErrandKit
import Glibc
import POSIX

/// The HTTP API: admits requests, dispatches them to workers, and supervises runs.
///
/// The target owns the API without its sockets: requests in, replies out. Everything except the
/// work of `WorkerPool` is confined to the serving thread.
package final class APIService {
  /// The parameters of a server.
  package struct Options {
    /// The locations of the person's files.
    package var places: Places
    /// The options of each worker's Errand.
    package var errand: Errand.Options
    /// The port on the loopback address; nil for a socket.
    package var port: Int?
    /// The URL at which a proxy serves the API; nil for none.
    package var proxy: String?
    /// The time a question waits for its answer.
    package var patience: Duration = .seconds(600)
    /// The version of the program.
    package var version = "0"
    /// Sends notifications to browsers; nil without the network.
    package var webPush: (@Sendable (Errand) -> WebPush?) = { _ in nil }
    /// Returns the time in seconds since 1970.
    package var now: () -> Int64

    package init(places: Places, errand: Errand.Options, now: @escaping () -> Int64) {
      self.places = places
      self.errand = errand
      self.now = now
    }

    /// The folder of the server's own files.
    package var folder: String { places.state + "/serve" }

    /// The codes with which browsers sign in.
    package var signInCodes: SignInCodes { SignInCodes(folder: folder + "/codes") }

    /// The invitations of devices.
    package var pairings: Pairings { Pairings(folder: folder + "/devices") }

    /// The address at which devices sign in: that of a proxy with https.
    var deviceAddress: String? { proxy.flatMap { $0.hasPrefix("https://") ? $0 : nil } }
  }

  private let options: Options
  private var authorizer: Authorizer
  private let pool: WorkerPool
  let runs: RunRegistry
  private let cursors: CursorSigner
  private let shareKeys: ShareKeys
  private let pageHandler: PageHandler
  let assistants: Assistants
  let live: LiveChanges
  private let worker: ServedWorker
  private let hidden: HiddenFolders
  /// The name of the page in browsers.
  package let site: Site
  private let began = MonotonicClock.nanoseconds
  private var requests = 0
  private var refused = 0

  /// Creates the API; makes the folder of its files.
  ///
  /// - Throws: `unwritable` if the folder cannot be created.
  package init(_ options: Options) throws {
    self.options = options
    try PrivateFolder(path: options.folder).make()
    site = try Site(file: options.folder + "/site")
    pageHandler = PageHandler(options.signInCodes)
    authorizer = Authorizer(
      port: options.port, proxy: options.proxy, site: site, tokens: TokenFile(options.places),
      browsers: BrowserSessions(path: options.folder + "/browsers"), now: options.now)
    let store = try? Errand.open(options.errand).storePath()
    worker = ServedWorker(options.errand, settings: options.places.settings)
    live = LiveChanges(store: store, state: options.places.state)
    let places = options.places
    hidden = HiddenFolders([
      options.errand.environment["HOME"] ?? ProcessEnvironment.value("HOME"), places.config,
      places.data, places.state, store.map { Folder.parent(of: $0) },
    ])
    assistants = Assistants(
      options.errand, version: options.version, patience: options.patience, hiding: hidden)
    pool = WorkerPool(options.errand)
    runs = RunRegistry(
      pool, RunOwners(path: options.folder + "/runs"), patience: options.patience)
    cursors = try CursorSigner(keyFile: options.folder + "/key")
    shareKeys = ShareKeys(folder: options.folder + "/keys")
  }

  /// The folder of large bodies.
  package var spoolFolder: String { options.folder }

  // MARK: Requests

  /// Admits a request before its body is read; nil stands for a head that is not valid.
  ///
  /// - Throws: The problem to answer with.
  package func admit(_ head: RequestHead?) throws(Problem) -> AdmittedRequest {
    do {
      return try authorizer.admit(head)
    } catch {
      refused += 1
      throw error
    }
  }

  /// The response to a refused request: a page for browsers, otherwise JSON.
  package func response(to problem: Problem, of head: RequestHead?) -> Response {
    guard let head, authorizer.isPage(head) else { return problem.response }
    return PageHandler.page(of: problem)
  }

  /// Answers an admitted request; `reply` is called once, now or later.
  package func answer(
    _ request: AdmittedRequest, _ body: Body, reply: @escaping (Reply) -> Void
  ) {
    requests += 1
    let hidden = hidden
    let reply: (Reply) -> Void = { reply(hidden.hiding($0)) }
    if case .open(let answer) = request.endpoint.handler {
      return reply(.response(answer(self, request, body)))
    }
    guard let token = request.token else {
      return reply(.response(Problem(401, "denied", "a token is needed").response))
    }
    let resources = Resources(
      request: request, token: token, body: body, cursors: cursors, shareKeys: shareKeys,
      folder: options.folder)
    switch request.endpoint.handler {
    case .open: break
    case .service(let answer): answer(self, resources, reply)
    case .worker(let answer): pool.answer(reply) { try answer(resources, $0) }
    }
  }

  /// Signs a browser in.
  func signIn(_ body: Body) -> Response {
    pageHandler.signIn(body, &authorizer.browsers, at: options.now())
  }

  /// Answers a device that signs in; only by https.
  func forDevices(_ head: RequestHead, _ body: (Pairings) -> Response) -> Response {
    guard let address = options.deviceAddress,
      head.header("host")?.lowercased() == String(address.dropFirst("https://".count))
    else { return PageHandler.page(of: Problem(404, "not-found", "devices sign in by https only")) }
    return body(options.pairings)
  }

  /// Answers a device that waits for the person, and signs it in.
  func pair(_ head: RequestHead) -> Response {
    forDevices(head) {
      PageHandler.pair(head, $0, &authorizer.browsers, at: options.now())
    }
  }

  /// Answers a request for a page.
  func showPage(_ resources: Resources, reply: @escaping (Reply) -> Void) {
    guard let session = resources.request.session else {
      return reply(.response(Problem(404, "not-found", "the page is for browsers").response))
    }
    let head = resources.head
    let request = BrowserRequest(
      head: head, body: resources.body, session: session, token: resources.token,
      folder: options.folder, webPush: options.webPush, pairings: options.pairings,
      deviceAddress: options.deviceAddress, now: options.now())
    if BrowserRuns.holds(head.path, method: head.method) {
      return BrowserRuns(runs: runs, pool: pool, request: request, reply: reply).answer()
    }
    pool.answer(reply) { PageHandler.page(for: request, in: $0) }
  }

  /// Answers a sentence: describes the call it was understood as, or starts that call.
  func speak(_ resources: Resources, reply: @escaping (Reply) -> Void) {
    if (try? resources.body.object()["run"]) == .bool(true) {
      runs.call(resources.call(nil), reply: reply)
    } else {
      pool.answer(reply) { try resources.understand($0) }
    }
  }

  /// Counters in the text format of Prometheus.
  func metrics() -> Response {
    let counts = runs.counts
    let rows: [(name: String, type: String, value: Int)] = [
      ("errand_requests_total", "counter", requests),
      ("errand_requests_refused_total", "counter", refused),
      ("errand_requests_waiting", "gauge", pool.count),
      ("errand_runs_total", "counter", runs.total),
      ("errand_runs_running", "gauge", counts.running),
      ("errand_runs_asking", "gauge", counts.asking),
      ("errand_runs_waiting", "gauge", counts.waiting),
      ("errand_uptime_seconds", "gauge", Int((MonotonicClock.nanoseconds - began) / 1_000_000_000)),
    ]
    let text = rows.map { "# TYPE \($0.name) \($0.type)\n\($0.name) \($0.value)\n" }.joined()
    return Response(200, [("Content-Type", "text/plain; version=0.0.4")], body: Array(text.utf8))
  }

  // MARK: The loop

  /// Descriptors that are readable when ``work()`` has something to do.
  package var descriptors: [Int32] { [pool.descriptor, assistants.descriptor] + runs.descriptors }

  /// The time of the monotonic clock at which ``work()`` has something to do.
  package var due: Int64? {
    [runs.due, assistants.due, live.due, worker.due(isWatched: live.due != nil)].compactMap(\.self)
      .min()
  }

  /// Delivers the results of workers and runs since the last call.
  package func work() {
    pool.deliver()
    runs.work()
    assistants.work()
    live.work()
    worker.work()
  }

  /// Suspends durable runs and ends all other runs.
  package func end() {
    runs.end()
    assistants.end()
    live.end()
    worker.end()
  }

  /// Whether no run, no request and no worker is in progress.
  package var isIdle: Bool { runs.isIdle && pool.count == 0 && !worker.isRunning }

  /// Ends the remaining runs.
  package func abandon() { runs.abandon() }
}
