package import CEL
import Catalog
import Items
import Links
import POSIX
package import Program

/// `http`: sends an HTTP request, and returns the reply.
enum HTTPVerb: Verb {
  static let word = "http"
  static let url = Argument<Value>(
    "url", at: 0, .value(.any), required: true, takesSecrets: true,
    trial: ArgumentTrials.value { try HTTPMessage.expectAddress($0.text, shown: $0.text) })
  static let method = Argument<String>(
    "method", at: 1, .value(.string),
    trial: ArgumentTrials.value { _ = try HTTPMessage.token($0.text, "method") })
  static let query = Argument<Value>("query", at: 2, .value(.map(.any)), takesSecrets: true)
  static let headers = Argument<Value>(
    "headers", at: 3, .value(.map(.any)), takesSecrets: true,
    trial: ArgumentTrials.keys(HTTPMessage.expectHeader))
  static let json = Argument<Value>(
    "json", at: 4, .value(.any), takesSecrets: true, role: .sentJSON(text: "body"))
  static let form = Argument<Value>("form", at: 5, .value(.map(.any)), takesSecrets: true)
  static let multipart = Argument<Value>(
    "multipart", at: 6, .value(.map(.any)), takesSecrets: true,
    trial: ArgumentTrials.value(HTTPMessage.expectParts))
  static let body = Argument<Value>(
    "body", at: 7, .value(.any), takesSecrets: true, role: .sentText(structured: json.name))
  static let file = Argument<String>("file", at: 8, .value(.file))
  static let save = Argument<String>("save", at: 9, .value(.file))
  static let parse = Argument<ArgumentName>("parse", at: 10, .choice(["text", "lines", "json"]))
  static let auth = Argument<Value>(
    "auth", at: 11, .value(.map(.any)), takesSecrets: true, trial: HTTPMessage.authProblem)
  static let redirects = Argument<Int64>("redirects", at: 12, .value(.int), range: 0...50)
  static let maxSize = Argument<Value>(
    "maxSize", at: 13, .value(.any), trial: ArgumentTrials.value { _ = try HTTPMessage.size($0) })
  static let full = Argument<Bool>("full", at: 14, .value(.bool))
  static let check = Argument<Value>(
    "check", at: 15, .value(.any),
    trial: ArgumentTrials.value { _ = try HTTPExchange.wellStatuses($0) })
  static let local = Argument<Value>(
    "local", at: 16, .value(.any),
    trial: ArgumentTrials.value { _ = try HTTPMessage.localHosts($0) })
  static let keep = Argument<Bool>("keep", at: 17, .value(.bool))
  static let parents = Argument<Bool>("parents", at: 18, .value(.bool))
  static let pace = Argument<Value>("pace", at: 19, .value(.duration))

  static let signature = VerbSignature(
    word,
    [
      url.declaration, method.declaration, query.declaration, headers.declaration,
      json.declaration, form.declaration, multipart.declaration, body.declaration,
      file.declaration, save.declaration, parse.declaration, auth.declaration,
      redirects.declaration, maxSize.declaration, full.declaration, check.declaration,
      local.declaration, keep.declaration, parents.declaration, pace.declaration,
    ], effect: .outside, traits: .setsIt, repeats: mayRepeat, capabilities: capabilities,
    onResume: onResume, conflict: conflict,
    resultType: ResultType { call in
      switch (flag(call[full]), flag(call[check])) {
      case (true?, _): .record(answer)
      case (nil, false?) where call[full] == nil: .record(answer)
      default:
        call[full] == nil && call[check] == nil && (call[save] != nil || flag(call[keep]) == true)
          ? .string : nil
      }
    })

  /// The full reply.
  private static let answer = RecordType(
    "the result of `http`",
    [
      .init("status", .int), .init("headers", .map(.string, .dyn)),
      .init("links", .map(.string, .dyn)), .init("url", .string), .init("body", .dyn),
    ])

  /// A Boolean argument; nil when unknown before the run.
  private static func flag(_ argument: CompiledArgument?) -> Bool? {
    guard case .value(let value, _, _)? = argument, case .bool(let flag)? = value.known else {
      return nil
    }
    return flag
  }

  /// Default timeout of a request.
  private static let defaultTimeout = Duration.seconds(30)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let runner = arguments.runner
    let run = runner.run
    guard let access = run.host.machine.http else {
      throw RunError(
        .network, "this build of errand has no network support", remedy: .installNetwork)
    }
    let message = try HTTPMessage(arguments)
    let exchange = try HTTPExchange(message, arguments)
    var request = message.request
    request.accepts = exchange.accepts
    request.memory = run.replyMemory
    request.approve = runner.hostGuard
    if let path = request.outputPath {
      try runner.permit(.write, path)
      if try arguments.flag(parents) { try run.makeParents(of: path) }
    }
    for path in request.body.files { try runner.permit(.read, path) }
    let download = Self.download(request, message, run)
    if let download {
      request.progressed = { [noteActivity = run.host.noteActivity] done, total in
        var activity = download
        activity.done = Double(done)
        activity.total = total.map(Double.init)
        noteActivity?(activity)
      }
    }
    var end = Activity.State.failed
    defer {
      if var download {
        download.state = end
        run.host.noteActivity?(download)
      }
    }
    let now = run.host.machine.monotonic
    if let pace = try arguments.value(Self.pace)?.asDuration, let url = try? WebURL(request.url) {
      let wait = run.host.pace(url.host, pace.length)
      if wait > .zero {
        try run.pause(until: now() &+ wait.nanoseconds, runner.task, isPace: true)
      }
    }
    var bounds = run.bounds(of: runner.task)
    // An outer timeout applies as well.
    let own = step.persistence?.timeout == nil ? now() &+ defaultTimeout.nanoseconds : nil
    bounds = WaitBounds(
      deadline: [own, bounds.deadline].compactMap { $0 }.min(), descriptors: bounds.descriptors)
    do {
      // Decode the value while other branches work.
      let answer = try run.outside { () throws -> Result<Value, any Error>? in
        guard case .reply(let reply) = try access(request, bounds) else { return nil }
        return Result { try exchange.value(of: reply, step) }
      }
      if let answer {
        end = .done
        let value = try answer.get()
        return try arguments.flag(keep) ? kept(value, message, run) : value
      }
      try runner.task.check(now)
      throw RunError(.timeout, "\(message.displayURL) did not answer within 30s")
    } catch var error as RunError {
      if !message.isIdempotent { error.mayRepeat = false }
      if error.code == .network, error.data.isNull {
        error.data = .map(MapValue([("url", .string(message.displayURL))]))
      }
      throw error
    }
  }

  /// Stores the body of a value beside the store, and replaces it by its hash.
  private static func kept(_ value: Value, _ message: HTTPMessage, _ run: Run) throws -> Value {
    switch value {
    case .bytes(let bytes): .string(try run.keep(bytes, at: message.displayURL).hash)
    case .map(let map):
      .map(
        MapValue(
          entries: try map.entries.map { name, value in
            (name, name == .string("body") ? try kept(value, message, run) : value)
          }))
    default: value
    }
  }

  /// The activity of a download to a file; nil for other requests, and when activities are not
  /// shown.
  private static func download(
    _ request: HTTPRequest, _ message: HTTPMessage, _ run: Run
  ) -> Activity? {
    guard run.host.noteActivity != nil, let path = request.outputPath else { return nil }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    var activity = Activity(
      .download, key: "download \(run.id) \(path)", title: run.host.secrets.masked(name))
    activity.detail = message.displayURL
    return activity
  }

  /// Reports more than one body.
  private static func conflict(_ call: VerbCall) -> ArgumentConflict? {
    var bodies = [json, form, multipart, body].filter { call[$0] != nil }.map(\.name)
    if call[file] != nil { bodies.append(file.name) }
    guard bodies.count > 1 else { return nil }
    return ArgumentConflict(
      bodies[1], HTTPMessage.tooManyBodies,
      help: "remove `\(bodies[0])` or `\(bodies[1])`")
  }

  /// Whether the request is idempotent (RFC 9110 §9.2.2).
  private static func mayRepeat(_ call: VerbCall) -> Bool {
    guard let known = call.known(method) else {
      return [json, form, multipart, body].allSatisfy { call[$0] == nil } && call[file] == nil
    }
    if case .whole(let method) = known { return HTTPMessage.isIdempotent(method) }
    return false
  }

  /// Retries safe requests after a crash; asks the person about others.
  private static func onResume(_ call: VerbCall) -> ResumePolicy {
    guard let known = call.known(method) else { return mayRepeat(call) ? .retry : .ask }
    if case .whole(let method) = known, ["GET", "HEAD"].contains(method.uppercased()) {
      return .retry
    }
    return .ask
  }

  private static func capabilities(_ call: VerbCall) -> [Capability] {
    var capabilities = call.capabilities(.read, path: file) + call.capabilities(.write, path: save)
    switch call.known(url) {
    case .whole(let text)?:
      let url = try? WebURL(text)
      capabilities.append(url.map { Capability(.http, $0.host) } ?? Capability(any: .http))
    case .beginning(let text)?:
      // Later parts of the URL cannot change the host.
      let url = text.count(where: { $0 == "/" }) > 2 ? try? WebURL(text) : nil
      capabilities.append(
        url.map { Capability(.http, $0.host) }
          ?? Capability(any: .http, because: "an address is made when the step runs"))
    case nil: break
    }
    if let parts = call[multipart] { capabilities += HTTPMessage.capabilities(ofParts: parts) }
    return capabilities
  }
}

extension VerbSignature {
  /// Whether a call with these arguments is a read-only request.
  package func onlyReads(_ arguments: [(name: String, value: Value)]) -> Bool {
    guard name == HTTPVerb.word else { return false }
    let sends = [
      HTTPVerb.json.name, HTTPVerb.form.name, HTTPVerb.multipart.name, HTTPVerb.body.name,
      HTTPVerb.file.name, HTTPVerb.save.name,
    ]
    return arguments.contains { $0.name == HTTPVerb.url.name }
      && arguments.allSatisfy { name, value in
        if name == HTTPVerb.method.name {
          return HTTPRequest.safeMethods.contains(value.text.uppercased())
        }
        return !sends.contains(name)
      }
  }
}
