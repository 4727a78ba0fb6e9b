import FoundationEssentials
import TestSupport
import Testing

/// Secrets: storage, permitted uses, and masking everywhere else.
@Suite struct SecretTests {
  /// Occurs in no other test text and contains characters that encodings change.
  private static let token = "t0k/en+Zq \"ü9\" x7Yw"

  /// Creates a sandbox with the secret TOKEN.
  private func sandbox(_ files: [String: String] = [:]) throws -> Sandbox {
    let sandbox = try Sandbox(files)
    #expect(
      try sandbox.run("secret", "set", "TOKEN", "-", input: Self.token + "\n")
        == ProgramRun(err: "Saved the secret TOKEN.\n"))
    return sandbox
  }

  private func shortcut(_ steps: String) -> [String: String] {
    ["a.yaml": "shortcut: a\nsteps:\n" + steps + "\n"]
  }

  /// Every form in which the secret could appear in a text.
  private static var forms: [String] {
    let bytes = Array(token.utf8)
    let base64 = (0..<3).map { offset -> String in
      let text = Data([UInt8](repeating: 0x61, count: offset) + bytes).base64EncodedString()
      // Digits at the ends depend on the surrounding bytes.
      return String(text.dropFirst(4).dropLast(4))
    }
    return [token] + percentForms + base64
      + base64.map { $0.replacing("+", with: "-").replacing("/", with: "_") }
  }

  /// The secret percent-encoded, in upper and lower case.
  private static var percentForms: [String] {
    [true, false].map { isUpper in
      Array(token.utf8).map { byte -> String in
        let character = Character(Unicode.Scalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber)
          ? String(character) : "%" + String(byte, radix: 16, uppercase: isUpper)
      }.joined()
    }
  }

  /// Fails if a text contains the secret in any form.
  private func expectNone(in text: String, _ what: String) {
    for form in Self.forms {
      #expect(!text.contains(form), "\(what) holds \(form)")
    }
  }

  /// Fails if anything in the sandbox but the secrets file contains the secret.
  private func expectNone(in sandbox: Sandbox) throws {
    for name in try FileManager.default.subpathsOfDirectory(atPath: sandbox.path)
    where !name.hasSuffix("/secrets") && !name.contains(".streams-") {
      guard let data = try? Data(contentsOf: URL(filePath: sandbox.path + "/" + name)) else {
        continue
      }
      expectNone(in: String(decoding: data, as: UTF8.self), name)
    }
  }

  // MARK: Keeping

  /// Text repeated by a server is ordinary text; only a process that knows the secret can mask it.
  @Test func anEchoIsMaskedWhereTheSecretIsKnown() throws {
    let sandbox = try sandbox(
      shortcut(
        """
          - exec: {command: [cat], stdin: '{{ secret("TOKEN") }}'}
            as: echo
          - create: {entity: Note, set: {text: 'It said {{ echo }}'}}
        """))
    for words in [["--json"], ["--format", "{{ self.text }}"], []] {
      let run = try sandbox.run(["run", "a.yaml"] + words)
      #expect(run.status == 0 && run.out.contains("It said •••"), "\(run)")
      expectNone(in: run.out + run.err, "what is shown")
    }
    let terminal = try sandbox.terminal("run", "a.yaml")
    #expect(try terminal.finish() == 0)
    #expect(terminal.text.contains("It said •••"), "\(terminal.text)")
    // The store keeps the response unchanged, as documented.
    let later = try sandbox.run("get", "note:1", "--format", "{{ self.text }}")
    #expect(later.out == "It said \(Self.token)\n")
  }

  @Test func theyAreKeptWhereNobodyElseReads() throws {
    let sandbox = try sandbox()
    #expect(try sandbox.shell("stat -c %a .config/errand/secrets").out == "600\n")
    _ = try sandbox.run("secret", "set", "OTHER", "-", input: "another")
    #expect(try sandbox.run("secret", "list") == ProgramRun(out: "OTHER\nTOKEN\n"))
    #expect(
      try sandbox.run("secret", "rm", "OTHER") == ProgramRun(err: "Removed the secret OTHER.\n"))
    #expect(try sandbox.run("secret", "list") == ProgramRun(out: "TOKEN\n"))
    #expect(try sandbox.run("secret", "rm", "TOKNE").err.contains("TOKEN"))
    let open = try sandbox.shell(
      "chmod 644 .config/errand/secrets && errand secret list")
    #expect(open.status == 2 && open.err.contains("can be read by others"), "\(open)")
  }

  @Test func oneThatIsMissingSaysHowToKeepIt() throws {
    let sandbox = try Sandbox([
      "a.yaml":
        "shortcut: a\nsteps: [{exec: {command: [echo], env: {A: '{{ secret(\"NTFY\") }}'}}}]\n"
    ])
    let run = try sandbox.run("run", "a.yaml")
    #expect(run.status == 1)
    #expect(run.err.contains("there is no secret “NTFY” (in exec) [no-secret]\n"), "\(run)")
    #expect(run.err.contains("\n  help: errand secret set NTFY\n"), "\(run)")
  }

  @Test(arguments: [
    (["set", "TOKEN", "value"], "a secret cannot be given on the command line"),
    (["set", "a b", "-"], "“a b” is not a valid name of a secret"),
    (["set", "SHORT", "-"], "a secret must have at least 4 characters"),
    (["set", "NOBODY"], "cannot ask for the secret: there is no terminal"),
    (["rm", "NOTHING"], "there is no secret “NOTHING”"), (["what"], "unknown subcommand “what”"),
  ])
  func invalidSecretsAreReported(_ words: [String], _ message: String) throws {
    let run = try Sandbox().run(["secret"] + words, input: Array("abc\n".utf8))
    #expect(run.status == 2, "\(run)")
    #expect(run.err.contains(message), "\(run)")
  }

  @Test func theTerminalShowsNothingOfIt() throws {
    let sandbox = try Sandbox()
    let run = try sandbox.terminal("secret", "set", "TOKEN")
    try run.expect("Secret TOKEN:")
    run.type(Self.token + "\n")
    #expect(try run.finish() == 0)
    expectNone(in: run.transcript, "the terminal")
    let steps =
      "  - exec: {command: [cat], stdin: '{{ secret(\"TOKEN\") }}'}\n  - value: '{{ it == \"x\" ? 1 : it.size() }}'"
    for (name, text) in shortcut(steps) { try sandbox.write(text, to: name) }
    #expect(try sandbox.run("run", "a.yaml").out == "\(Self.token.count)\n")
  }

  @Test func anotherKeeperIsAsked() throws {
    let sandbox = try sandbox(
      shortcut(
        "  - exec: {command: [cat], stdin: '{{ secret(\"DEEP/NAME\") }}'}\n  - value: '{{ it.size() }}'"
      ))
    try sandbox.write(
      "#!/bin/sh\n[ \"$1 $2\" = 'show DEEP/NAME' ] && echo from-the-keeper\n", to: "bin/keeper",
      isProgram: true)
    try sandbox.write(
      "secretCommand: [keeper, show, '{name}']\n", to: ".config/errand/settings.yaml")
    #expect(try sandbox.run("run", "a.yaml").out == "15\n")
    try sandbox.write("secretCommand: [false]\n", to: ".config/errand/settings.yaml")
    let run = try sandbox.run("run", "a.yaml")
    #expect(run.status == 1 && run.err.contains("`false` did not print the secret"), "\(run)")
  }

  // MARK: Where they fit

  @Test func theyGoWhereTheyMay() throws {
    let server = try LoopbackServer { _, peer in peer.reply(200) }
    let url = server.url("")
    let steps = """
        - set: {t: '{{ secret("TOKEN") }}'}
        - http: {url: '\(url)/a', query: {key: '{{ t }}'}, headers: {X-Key: 'v {{ t }}'}, auth: {bearer: '{{ t }}'}, json: {deep: ['{{ t }}']}}
        - http: {url: '\(url)/b', form: {key: '{{ "k" + t }}'}, auth: {basic: {user: ada, password: '{{ t }}'}}}
        - http: {url: '\(url)/c', body: '<{{ t }}>'}
        - exec: {shell: 'printf %s "$T" | wc -c', env: {T: '{{ t }}'}}
          as: inEnv
        - exec: {command: [wc, -c], stdin: '{{ t }}'}
          as: onStdin
        - value: '{{ [inEnv, onStdin].map(x, int(x)) }}'
      """
    let sandbox = try sandbox(shortcut(steps))
    let run = try sandbox.run("run", "a.yaml", "--json")
    let length = Self.token.utf8.count
    #expect(run == ProgramRun(out: "[\(length),\(length)]\n"))
    let got = server.requests
    #expect(got.count == 3)
    #expect(got[0].headers["authorization"] == "Bearer \(Self.token)")
    #expect(got[0].headers["x-key"] == "v \(Self.token)")
    #expect(got[0].body.contains(#"t0k/en+Zq \"ü9\" x7Yw"#))
    #expect(got[0].target.hasPrefix("/a?key=t0k"))
    #expect(got[1].body.hasPrefix("key=kt0k"))
    #expect(got[2].body == "<\(Self.token)>")
    try expectNone(in: sandbox)
  }

  @Test(arguments: [
    "  - exec: [echo, '{{ secret(\"TOKEN\") }}']",
    "  - write-file: {path: out, text: '{{ secret(\"TOKEN\") }}'}",
    "  - create: {entity: Note, set: {text: 'a {{ secret(\"TOKEN\") }}'}}",
    "  - copy: '{{ secret(\"TOKEN\") }}'",
    "  - open-url: 'https://example.com/{{ secret(\"TOKEN\") }}'",
    "  - ask: '{{ secret(\"TOKEN\") }}'",
    "  - notify: '{{ secret(\"TOKEN\") }}'",
    "  - http: {url: 'http://127.0.0.1:9/', save: '{{ secret(\"TOKEN\") }}'}",
    "  - value: '{{ secret(\"TOKEN\").size() }}'",
    "  - value: '{{ string(secret(\"TOKEN\")) }}'",
    "  - value: '{{ secret(\"TOKEN\").base64() }}'",
    "  - value: '{{ [secret(\"TOKEN\")].join(\"\") }}'",
    "  - value: '{{ secret(\"TOKEN\").startsWith(\"t\") }}'",
    "  - value: '{{ secret(\"TOKEN\") == \"guess\" }}'",
    "  - value: '{{ \"guess\" != secret(\"TOKEN\") }}'",
    "  - value: '{{ secret(\"TOKEN\") in [\"guess\"] }}'",
    "  - fail: {message: no, data: '{{ secret(\"TOKEN\") }}'}",
  ])
  func theyFitNowhereElse(_ steps: String) throws {
    let sandbox = try sandbox(shortcut(steps))
    let run = try sandbox.run("run", "a.yaml", "--json", "--answer", "a=b")
    #expect(run.status != 0, "\(run)")
    expectNone(in: run.out + run.err, "the output")
    #expect(sandbox.read("out") == nil)
    try expectNone(in: sandbox)
  }

  @Test func aNameMustBeKnownBeforeTheRun() throws {
    let sandbox = try sandbox(shortcut("  - value: x\n    as: n\n  - say: '{{ secret(n) }}'"))
    let run = try sandbox.run("run", "a.yaml")
    #expect(run.status == 2 && run.err.contains("secret takes a name in quotes"), "\(run)")
    let format = try sandbox.run("recent", "--format", "{{ secret(\"TOKEN\") }}")
    #expect(format.status == 2 && format.err.contains("a secret cannot be used here"), "\(format)")
    #expect(
      try sandbox.run("eval", "secret(\"TOKEN\")").err.contains("a secret cannot be used here"))
    #expect(
      try sandbox.run("show", "a.yaml", "--access").status == 2)
    try sandbox.write(shortcut("  - say: '{{ secret(\"TOKEN\") }}'")["a.yaml"] ?? "", to: "a.yaml")
    #expect(try sandbox.run("show", "a.yaml", "--access").out == "secret  TOKEN\n")
  }

  // MARK: Where they show

  /// Starts a server that returns its input in every encoding.
  private func echo() throws -> LoopbackServer {
    try LoopbackServer { request, peer in
      let bytes = Array(Self.token.utf8)
      let body =
        (["", "a", "ab"].map { Data(Array($0.utf8) + bytes).base64EncodedString() }
        + [Self.token] + Self.percentForms + [request.target, request.body]).joined(separator: "\n")
      peer.reply(
        request.target.hasPrefix("/bad") ? 418 : 200,
        ["Content-Type: text/plain", "X-Echo: \(request.headers["authorization"] ?? "")"],
        body: body)
    }
  }

  @Test func nothingThatIsShownHoldsThem() throws {
    let server = try echo()
    let url = server.url("")
    let steps = """
        - set: {t: '{{ secret("TOKEN") }}'}
        - say: 'It is {{ t }} and {{ [t] }}.'
        - show: '{{ t }}'
        - show: {value: '{{ [{"a": t}] }}', as: table}
        - log: '{{ t }}'
        - http: {url: '\(url)/good', query: {k: '{{ t }}'}, auth: {bearer: '{{ t }}'}, full: true}
          as: answer
        - say: '{{ answer.body }} {{ answer.headers["x-echo"] }} {{ answer.url }}'
        - log: '{{ answer.body }}'
        - notify: '{{ answer.body }}'
        - progress: {done: 1, total: 2, label: '{{ answer.body }}'}
        - ask: 'Is it {{ answer.body }}?'
          as: reply
        - try:
            - http: {url: '\(url)/bad', auth: {basic: {user: ada, password: '{{ t }}'}}, body: '{{ t }}'}
          catch:
            - as: problem
              do:
                - say: '{{ problem }}'
                - fail: {message: 'No: {{ problem.data.body }}', data: '{{ problem.data }}'}
      """
    for flags in [[], ["--json"], ["--events"], ["--explain"], ["--quiet"]] {
      let sandbox = try sandbox(shortcut(steps))
      let input = flags == ["--events"] ? "{\"text\": \"yes\"}\n" : nil
      let run = try sandbox.run(
        ["run", "a.yaml", "--answer", "reply=yes"] + flags, input: input.map { Array($0.utf8) })
      #expect(run.status == 1, "\(run)")
      #expect((run.out + run.err).contains("•••"), "\(run)")
      expectNone(in: run.out + run.err, "the output with \(flags)")
      try expectNone(in: sandbox)
    }
    let sandbox = try sandbox(shortcut(steps))
    let run = try sandbox.terminal("run", "a.yaml", "--answer", "reply=yes", columns: 40)
    #expect(try run.finish() == 1)
    expectNone(in: run.transcript.replacing("\r\n", with: ""), "the terminal")
  }

  @Test func resultsShowAMark() throws {
    let sandbox = try sandbox(
      shortcut("  - value: {value: {a: '{{ secret(\"TOKEN\") }}', b: [1]}}"))
    #expect(
      try sandbox.run("run", "a.yaml", "--json") == ProgramRun(out: "{\"a\":\"•••\",\"b\":[1]}\n"))
    #expect(try sandbox.run("run", "a.yaml") == ProgramRun(out: "a: •••, b: 1\n"))
    try sandbox.write(
      shortcut("  - value: '{{ toJson([secret(\"TOKEN\")]) }}'")["a.yaml"] ?? "", to: "a.yaml")
    #expect(try sandbox.run("run", "a.yaml") == ProgramRun(out: "[\"•••\"]\n"))
  }

  @Test func aTestThatFailsShowsAMark() throws {
    let sandbox = try Sandbox([
      "a.yaml": """
      shortcut: a
      steps:
        - exec: {command: [printf, x], env: {T: '{{ secret("T") }}'}}
        - fail: 'no: {{ it }}'
      tests:
        - name: one
          fake: {secrets: {T: 'open sesame'}, exec: {printf *: 'open sesame'}}
          expect: {output: other, error: null}
        - name: two
          fake: {secrets: {T: 'open sesame'}, exec: {printf *: 'open sesame'}}
          expect: {error: {message: another}}
      """
    ])
    let run = try sandbox.run("test", "a.yaml")
    #expect(run.status == 1)
    #expect((run.out + run.err).contains("•••"), "\(run)")
    #expect(!(run.out + run.err).contains("open sesame"), "\(run)")
  }

  @Test func aRunThatGoesOnReadsThemAnew() throws {
    let sandbox = try sandbox([
      "a.yaml": """
      shortcut: a
      durable: true
      steps:
        - set: {t: 'Bearer {{ secret("TOKEN") }}!'}
        - exec: {shell: 'test -e go || { kill -9 $PPID; sleep 9; }'}
          onResume: retry
        - exec: {command: [sh, -c, 'printf %s "$T" >out'], env: {T: '{{ t }}'}}
      output: null
      """
    ])
    #expect(try sandbox.run("run", "a.yaml").status != 0)
    try expectNone(in: sandbox)
    try sandbox.write("", to: "go")
    #expect(try sandbox.run("resume", "1") == ProgramRun())
    #expect(sandbox.read("out") == "Bearer \(Self.token)!")
    try FileManager.default.removeItem(atPath: sandbox.path + "/out")
    try expectNone(in: sandbox)
  }

  @Test func asSecretMakesASecret() throws {
    let sandbox = try Sandbox(
      shortcut(
        "  - exec: [printf, 'sesame-%s', open]\n  - set: {t: '{{ asSecret(it) }}'}\n  - say: '{{ t }} {{ it }}'"
      ))
    #expect(try sandbox.run("run", "a.yaml", "--quiet").err == "")
    // A text made from a secret is a secret, too.
    #expect(try sandbox.run("run", "a.yaml").err == "•••\n")
  }

  /// A process that knows a secret leaves no core file and cannot be traced.
  @Test func noCoreFileHoldsThem() throws {
    let sandbox = try sandbox(
      shortcut(
        "  - set: {t: '{{ secret(\"TOKEN\") }}'}\n  - exec: {shell: 'kill -SEGV $PPID; sleep 5', check: false}"
      ))
    let run = try sandbox.shell("ulimit -c unlimited; errand run a.yaml; ls -a")
    #expect(run.out.contains("a.yaml"), "\(run)")
    try expectNone(in: sandbox)
  }
}
