import CEL
import Catalog
import Engine
import ErrandKit
import Glibc
import JSON
import POSIX
import Program
import Server
import Source

/// `errand serve`: the HTTP API and the page, and tokens.
enum ServeCommand {
  private static let defaultPort = 7717

  static let command: Command = .init(
    "serve", "serve a page for your browser, and an HTTP API to programs",
    usage: "[token create TOKEN | token list | token revoke TOKEN | install | remove]",
    discussion: """
      Listens on 127.0.0.1 until stopped. --open opens the page of your library, signed in; \
      docs/api.md describes the requests of programs. `install` lets systemd
      listen, and start the server with the first request. Each program needs a
      token, which is shown once. The scope `read` may read, `share` may share, `run` may call the
      intents and shortcuts in --only, `hook` is the address of the webhook in --only, `calendar` \
      is for the address /calendar/TOKEN.ics to which calendars subscribe, `all` may do everything \
      else.
      """,
    flags: [
      Flag("port", .value("N"), "the port [default \(defaultPort)]; 0 takes a free one"),
      Flag("socket", .value("PATH"), "listen at a path instead, for you only"),
      Flag("behind-proxy", .value("URL"), "the address at which a proxy serves it"),
      Flag("open", .toggle, "open the page in your browser; serve it unless it is served already"),
      Flag(
        "scope", .value("SCOPE"), "what a new token may do: read, share, run, hook, calendar or all"
      ),
      Flag(
        "only", .value("NAMES"), "what a new token of the scope run or hook may call", isList: true),
      Flag("expires", .value("TIME"), "how long a new token is valid, such as 90d"),
    ], serves: [.json, .answers]
  ) { invocation, arguments in
    let words = arguments.words
    switch (words.first, words.count) {
    case (nil, _): try serve(invocation, arguments)
    case ("token", 3) where words[1] == "create": try create(words[2], invocation, arguments)
    case ("token", 2) where words[1] == "list": try list(invocation)
    case ("token", 3) where words[1] == "revoke": try revoke(words[2], invocation)
    case ("install", 1): try install(invocation, arguments)
    case ("remove", 1): try remove(invocation)
    default: throw command.misuse(words)
    }
  }

  static func places(_ invocation: Invocation) throws -> Places {
    try invocation.places.expected("cannot serve: HOME is not set")
  }

  // MARK: Serving

  private static func serve(_ invocation: Invocation, _ arguments: Arguments) throws {
    for flag in ["scope", "only", "expires"] where !arguments.all(flag).isEmpty {
      throw UsageError("--\(flag) belongs to `errand serve token create`")
    }
    let port = try port(arguments)
    let proxy = try proxy(arguments)
    let opens = arguments.isOn("open")
    if opens, try openPage(places(invocation).state + "/serve", invocation) { return }
    try Reexec.goOnWithRecordedRun(invocation)
    guard let serve = invocation.console.link.serve else {
      throw RunError(
        .network, "`errand serve` needs errand-net, which is not installed beside errand",
        help: "install both: make && sudo make install")
    }
    let places = try places(invocation)
    var errand = Errand.Options()
    errand.store = arguments.last("store")
    // Definitions of a project belong to its folder, not to a server.
    errand.folder = ProcessEnvironment.value("HOME")
    var options = APIService.Options(places: places, errand: errand) { SystemHost.now().seconds }
    do {
      let socket = try socket(arguments, port)
      options.port = socket.port
      options.proxy = proxy
      options.version = Release.version
      options.patience = invocation.settings.answerTime
      options.webPush = { [machine = invocation.makeHost().machine] in $0.webPush(machine) }
      let service = try APIService(options)
      let file = PrivateFile(path: options.folder + "/port")
      if let port = socket.port { _ = file.write("\(port)\n") }
      let address = socket.port.map { "http://127.0.0.1:\($0)" } ?? arguments.last("socket") ?? ""
      invocation.say("Serving the page and the API at \(address). Ctrl-C ends it.")
      invocation.console.flush()
      if opens { openPageLater() }
      Interruption.hold()
      let interrupt = Interruption.run
      try serve(service, socket.descriptor, interrupt.pollDescriptor) { interrupt.isSet }
      if socket.port != nil { unlink(file.path) }
      if let path = arguments.last("socket") { unlink(path) }
    } catch let error as ErrandError {
      throw RunError(.init(error.code), error.message, help: error.help)
    } catch let problem as Server.Problem {
      throw RunError(.init(problem.code), problem.detail, help: problem.help)
    }
  }

  private static func socket(
    _ arguments: Arguments, _ port: Int
  ) throws(ErrandError) -> ListenSocket {
    if let path = arguments.last("socket") { return try ListenSocket(path: path) }
    if let socket = ListenSocket(environment: ProcessEnvironment.value) { return socket }
    return try ListenSocket(port: port)
  }

  private static func port(_ arguments: Arguments) throws -> Int {
    guard let text = arguments.last("port") else { return defaultPort }
    guard let port = Int(text), (0...65_535).contains(port) else {
      throw UsageError(
        "--port must be a number from 0 to 65535, not “\(text)”",
        help: "write --port 8080, or leave it out")
    }
    if arguments.last("socket") != nil { throw UsageError("choose one of --port and --socket") }
    return port
  }

  private static func proxy(_ arguments: Arguments) throws -> String? {
    guard let text = arguments.last("behind-proxy") else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "https:" || parts[0] == "http:", parts[1].isEmpty,
      !parts[2].isEmpty
    else {
      throw UsageError(
        "--behind-proxy must be an address without a path, not “\(text)”",
        help: "such as https://errand.example")
    }
    return text.lowercased()
  }

  // MARK: systemd

  private static func units() throws -> (socket: UserUnit, service: UserUnit) {
    (try WorkerCommand.unit("errand-serve.socket"), try WorkerCommand.unit("errand-serve.service"))
  }

  private static func install(_ invocation: Invocation, _ arguments: Arguments) throws {
    let units = try units()
    let port = try port(arguments)
    let address = arguments.last("socket").map(invocation.absolute) ?? "127.0.0.1:\(port)"
    let (program, store) = try WorkerCommand.installed(invocation)
    try units.service.install(UserUnit.server(program: program, store: store))
    try units.socket.install(UserUnit.socket(at: address))
    invocation.say("Wrote \(units.socket.path) and \(units.service.path).")
    invocation.say(
      UserUnit.hasManager(environment: ProcessEnvironment.value)
        ? "Start it with: systemctl --user daemon-reload && "
          + "systemctl --user enable --now errand-serve.socket"
        : "systemd is not running for you, so nothing was started; `errand serve` runs in a terminal."
    )
  }

  private static func remove(_ invocation: Invocation) throws {
    let units = try units()
    if UserUnit.hasManager(environment: ProcessEnvironment.value), units.socket.isInstalled {
      invocation.say("Stop it with: systemctl --user disable --now errand-serve.socket")
    }
    let isRemoved = [try units.socket.remove(), try units.service.remove()].contains(true)
    invocation.say(isRemoved ? "Removed \(units.socket.path)." : "No server was installed.")
  }

  // MARK: Tokens

  private static func create(
    _ name: String, _ invocation: Invocation, _ arguments: Arguments
  ) throws {
    guard name.isPlainWord(with: "_-."), !name.isEmpty, name.utf8.count <= 64 else {
      throw UsageError(
        "“\(name)” is not a valid name of a token", help: "use up to 64 letters, digits, _, - and ."
      )
    }
    let scopes = Token.Scope.allCases.map(\.rawValue).joined(separator: ", ")
    guard let scope = arguments.last("scope").flatMap(Token.Scope.init) else {
      throw UsageError(
        arguments.last("scope").map { "unknown scope “\($0)”" } ?? "--scope is missing",
        help: "choose one of \(scopes)")
    }
    let only = arguments.all("only").flatMap { $0.split(separator: ",").map(String.init) }
    try UsageError.expect(
      (scope == .run || scope == .hook) == !only.isEmpty,
      only.isEmpty
        ? "the scope \(scope.rawValue) needs --only" : "--only belongs to the scopes run and hook",
      help: scope == .hook
        ? "name its webhook: --scope hook --only deploy"
        : "name what it may call: --scope run --only save,search")
    let access = scope == .hook ? try access(ofWebhooks: only, invocation) : [:]
    let catalog = try invocation.catalog()
    for name in only where try scope == .run && catalog.action(name) == nil {
      throw UsageError(
        "there is no intent or shortcut `\(name)`",
        help: Suggestion.help(for: name, in: catalog.actionNames))
    }
    let now = SystemHost.now().seconds
    var expires: Int64?
    if let text = arguments.last("expires") {
      guard let length = DurationReader.duration(text), length.seconds > 0 else {
        throw UsageError("--expires must be a duration such as 90d, not “\(text)”")
      }
      expires = now + length.seconds
    }
    let secret = try TokenFile(try places(invocation)).create(
      name, scope, only: only, access: access, at: now, expires: expires)
    guard scope == .hook else {
      invocation.say("Created the token \(name). It is shown only now:")
      return invocation.console.result(secret + "\n")
    }
    invocation.say("Programs send POST requests to this path of the server. It is shown only now:")
    invocation.console.result(only.map { "/hooks/\($0)/\(secret)\n" }.joined())
  }

  /// The permissions of the automations that webhooks trigger, after the person allowed them.
  private static func access(
    ofWebhooks names: [String], _ invocation: Invocation
  ) throws -> [String: String] {
    let run = try invocation.openRun()
    var access: [String: String] = [:]
    var known: Set<String> = []
    for automation in run.catalog.automationNames {
      let hooks = try run.workspace.automation(automation).triggers.compactMap { trigger in
        if case .webhook(let name, _) = trigger.event { name } else { nil }
      }
      known.formUnion(hooks)
      guard hooks.contains(where: names.contains) else { continue }
      access[automation] = try PermissionPrompt.heldAccess(of: automation, run, key: "hook") {
        "Whoever has the address will be able to start `\(automation)`, with any body. It \($0)"
          + " Make the address?"
      }
    }
    for name in names where !known.contains(name) {
      throw UsageError(
        "no automation has `webhook: \(name)`",
        help: Suggestion.help(for: name, in: known.sorted()) ?? "write one, then make its address")
    }
    return access
  }

  private static func list(_ invocation: Invocation) throws {
    let tokens = try TokenFile(try places(invocation)).read()
    let now = SystemHost.now().seconds
    func day(_ seconds: Int64) -> String { String(Timestamp(seconds: seconds).jsonText.prefix(10)) }
    for token in tokens {
      let validity = token.expires.map { expires in
        expires > now ? "until \(day(expires))" : "expired on \(day(expires))"
      }
      let parts =
        [token.name, token.scope.rawValue, token.only.joined(separator: ",")]
        + ["since \(day(token.created))", validity ?? "no end"]
      invocation.console.result(parts.filter { !$0.isEmpty }.joined(separator: "  ") + "\n")
    }
    if tokens.isEmpty {
      invocation.say("No tokens yet; `errand serve token create NAME --scope read` makes one.")
    }
  }

  private static func revoke(_ name: String, _ invocation: Invocation) throws {
    guard try TokenFile(try places(invocation)).revoke(name) else {
      throw UsageError(
        "there is no token “\(name)”", help: "`errand serve token list` shows them")
    }
    invocation.say("Revoked the token \(name).")
  }
}
