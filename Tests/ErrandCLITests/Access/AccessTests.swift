import TestSupport
import Testing

/// Capabilities of definitions from elsewhere, and a person's decisions about them.
@Suite struct AccessTests {
  /// Creates a sandbox without any grants.
  private func sandbox(_ files: [String: String]) throws -> Sandbox {
    let sandbox = try Sandbox(files)
    sandbox.environment["ERRAND_ALLOW"] = nil
    return sandbox
  }

  private let writes = """
    shortcut: writes
    output: '{{ null }}'
    steps:
      - exec: [echo, hi]
      - write-file: {path: out/a.txt, text: x}
      - say: Done.

    """

  // MARK: The list

  @Test(arguments: [
    ("exec: [git, status]", "exec  git"),
    ("exec: {command: [git, '{{ 1 + 1 }}']}", "exec  git"),
    ("exec: ['{{ \"git\" }}', status]", "exec  *  (a program is named when the step runs)"),
    ("exec: {shell: 'echo hi'}", "exec  *  (a shell command)"),
    ("exec: [bash, -c, x]", "exec  *  (bash can start others)"),
    ("exec: [/usr/bin/python3.11, a.py]", "exec  *  (/usr/bin/python3.11 can start others)"),
    ("exec: [env, git]", "exec  *  (env can start others)"),
    ("exec: [find, ., -name, x]", "exec  find"),
    ("exec: [find, ., -exec, rm]", "exec  *  (find can start others)"),
    ("exec: {command: [git], env: {PATH: /x}}", "exec  *  (git with the variable PATH)"),
    ("exec: {command: [git], env: {LD_PRELOAD: x}}", "exec  *  (git with the variable LD_PRELOAD)"),
    ("exec: {command: [./tool], dir: sub}", "exec  sub/./tool"),
    ("http: 'https://API.example.com:8443/x?y'", "http  api.example.com"),
    ("http: 'https://example.com/{{ 1 + 1 }}'", "http  example.com"),
    (
      "http: 'https://example.com{{ \".evil\" }}'",
      "http  *  (an address is made when the step runs)"
    ),
    ("http: 'https://{{ \"x\" }}/'", "http  *  (an address is made when the step runs)"),
    ("http: {url: 'https://a.example/', save: d/x}", "http   a.example\nwrite  d/x"),
    ("http: {url: 'https://a.example/', file: f}", "http  a.example\nread  f"),
    (
      "http: {url: 'https://a.example/', multipart: {a: x, b: {file: f}}}",
      "http  a.example\nread  f"
    ),
    ("read-file: notes.txt", "read  notes.txt"),
    ("read-file: 'notes/{{ \"x\" }}.txt'", "read  notes"),
    ("read-file: '{{ \"x\" }}'", "read  *  (a path is made when the step runs)"),
    ("find-files: {in: ~/Pictures}", "read  ~/Pictures"),
    ("write-file: {path: a, text: b}", "write  a"),
    ("move-file: {from: a, to: b/}", "write  a\nwrite  b/"),
    ("copy-file: {from: a, to: b/}", "read   a\nwrite  b/"),
    ("trash-file: a", "write  a"),
    ("copy: x", "clipboard"), ("paste: ", "clipboard"), ("open-url: 'https://a.example'", "open"),
    (
      "run: '{{ now() > timestamp(\"2000-01-01T00:00:00Z\") ? \"tasks\" : \"\" }}'",
      "run  *  (what it runs is named when the step runs)"
    ),
    ("run: '{{ \"tasks\" }}'", "run  tasks"),
    ("say: hello", ""), ("create: {entity: Note, set: {text: x}}", ""), ("wait: 1s", ""),
    (
      "if: 1 < 2\n    then: [{try: [{exec: [git]}], finally: [{exec: [ls]}]}]",
      "exec  git\nexec  ls"
    ),
  ])
  func eachVerbSaysWhatItTouches(_ step: String, _ list: String) throws {
    let sandbox = try sandbox(["a.yaml": "shortcut: a\nsteps:\n  - \(step)\n"])
    let run = try sandbox.run("show", "a.yaml", "--access")
    #expect(run == ProgramRun(out: list.isEmpty ? "" : list + "\n"))
  }

  @Test func permissionsIncludeCallees() throws {
    let sandbox = try sandbox([
      ".config/errand/inner.yaml": "shortcut: inner\nsteps: [{exec: [git]}]\n",
      "a.yaml": "shortcut: a\nsteps: [{inner: }, {copy: x}]\n",
    ])
    #expect(
      try sandbox.run("show", "a.yaml", "--access", "--json")
        == ProgramRun(
          out: """
            [{"kind":"exec","target":"git","reason":null},{"kind":"clipboard","target":null,"reason":null}]

            """))
    #expect(try sandbox.run("show", "inner", "--access").out == "exec  git\n")
  }

  // MARK: Deciding

  @Test func withNobodyToAnswerItIsNotAllowed() throws {
    let sandbox = try sandbox(["a.yaml": writes])
    #expect(
      try sandbox.run("run", "a.yaml")
        == ProgramRun(
          err: """
            errand: error: a.yaml is not allowed to run echo, write out/a.txt [not-allowed]
              help: allow it with --allow exec:echo,write:out/a.txt

            """, status: 1))
    #expect(sandbox.read("out/a.txt") == nil)
    // Agreeing to questions does not grant capabilities.
    #expect(try sandbox.run("run", "a.yaml", "--yes").status == 1)
  }

  @Test(arguments: [
    ["exec:echo,write:out/a.txt"], ["exec:echo,write:./out"], ["exec", "write"], ["exec:*,write:*"],
    ["all"], ["exec:echo", "write:out/../out"],
  ])
  func aFlagAllowsIt(_ grants: [String]) throws {
    let sandbox = try sandbox(["a.yaml": writes])
    _ = try sandbox.shell("mkdir out")
    let flags = grants.flatMap { ["--allow", $0] }
    #expect(try sandbox.run(["run", "a.yaml"] + flags) == ProgramRun(err: "Done.\n"))
    #expect(sandbox.read("out/a.txt") == "x")
  }

  @Test func aFlagThatIsNotEnoughSaysWhatIsMissing() throws {
    let sandbox = try sandbox(["a.yaml": writes])
    let run = try sandbox.run("run", "a.yaml", "--allow", "exec:echo,write:elsewhere")
    #expect(run.err.contains("a.yaml is not allowed to write out/a.txt"), "\(run)")
    #expect(try sandbox.run("run", "a.yaml", "--allow", "exce:git").status == 2)
  }

  @Test(arguments: [
    ("{shell: 'echo hi'}", "a `shell` line can start anything"),
    ("[sh, -c, 'echo hi']", "`sh` can start anything"),
  ])
  func aShellIsNotAllowedByItsName(_ step: String, _ message: String) throws {
    let sandbox = try sandbox(["a.yaml": "shortcut: a\nsteps: [{exec: \(step)}]\n"])
    let run = try sandbox.run("run", "a.yaml", "--allow", "exec:sh")
    #expect(run.status == 1)
    #expect(
      run.err.contains("\(message), and this file is not allowed to run arbitrary programs"),
      "\(run)")
    #expect(run.err.contains("\n  help: allow it with --allow 'exec:*'\n"), "\(run)")
    #expect(try sandbox.run("run", "a.yaml", "--allow", "exec:*").out == "hi\n")
  }

  @Test func itIsAskedOnce() throws {
    let sandbox = try sandbox(["a.yaml": writes])
    _ = try sandbox.shell("mkdir out")
    let refused = try sandbox.terminal("run", "a.yaml")
    try refused.expect("a.yaml wants to")
    try refused.expect("run echo")
    try refused.expect("write out/a.txt")
    try refused.expect("Allow this from now on?")
    refused.type("n\n")
    #expect(try refused.finish() == 4)
    #expect(sandbox.read("out/a.txt") == nil)
    let agreed = try sandbox.terminal("run", "a.yaml")
    try agreed.expect("Allow this from now on?")
    agreed.type("y\n")
    #expect(try agreed.finish() == 0)
    #expect(try sandbox.run("run", "a.yaml") == ProgramRun(err: "Done.\n"))
    // Changed content makes it another file.
    try sandbox.write(writes + "  - say: More.\n", to: "a.yaml")
    #expect(try sandbox.run("run", "a.yaml").status == 1)
  }

  /// A name computed at run time is checked once it is known.
  @Test func computedTargetsAreCheckedAtRunTime() throws {
    let server = try LoopbackServer { request, peer in
      peer.reply(
        request.target == "/away" ? 302 : 200, ["Location: http://localhost:9/"], body: "x")
    }
    let sandbox = try sandbox([
      "a.yaml": """
      shortcut: a
      input: {type: string, from: [argument]}
      steps: [{http: '{{ input }}'}]

      """,
      "b.yaml": """
      shortcut: b
      input: {type: string, from: [argument]}
      steps: [{write-file: {path: 'out/{{ input }}', text: x}}]

      """,
    ])
    let allowed = ["run", "a.yaml", "--allow", "http:127.0.0.1"]
    #expect(try sandbox.run(allowed + [server.url("/")]).out == "x\n")
    let other = try sandbox.run(allowed + ["http://localhost:\(server.port)/"])
    #expect(other.status == 1)
    #expect(
      other.err.contains("this file is not allowed to reach localhost (in http) [not-allowed]"),
      "\(other)")
    let away = try sandbox.run(allowed + [server.url("/away")])
    #expect(away.err.contains("this file is not allowed to reach localhost"), "\(away)")
    #expect(server.requests.map(\.target) == ["/", "/away"])
    // A path cannot leave the folder by dots or links.
    _ = try sandbox.shell("mkdir out elsewhere && ln -s ../elsewhere out/link")
    let inOut = ["run", "b.yaml", "--allow", "write:out"]
    #expect(try sandbox.run(inOut + ["a"]).status == 0)
    for path in ["../x", "link/x", "a/../../x"] {
      let run = try sandbox.run(inOut + [path])
      #expect(
        run.status == 1 && run.err.contains("this file is not allowed to write out/"), "\(run)")
    }
  }

  @Test func callByAComputedNameIsAskedAboutAtRunTime() throws {
    let sandbox = try sandbox([
      ".config/errand/own.yaml": "shortcut: own\nsteps: [{exec: [echo, own]}]\n",
      "a.yaml":
        "shortcut: a\nsteps: [{run: '{{ now() > timestamp(\"2000-01-01T00:00:00Z\") ? \"b\" : \"\" }}'}]\n---\nshortcut: b\nsteps: [{exec: [echo, b]}]\n",
      "c.yaml": "shortcut: c\nsteps: [{run: '{{ \"own\" }}'}]\n",
    ])
    let first = try sandbox.run("run", "a.yaml#a")
    #expect(
      first.status == 1 && first.err.contains("a.yaml is not allowed to run what it names"),
      "\(first)")
    let run = try sandbox.run("run", "a.yaml#a", "--allow", "run")
    #expect(run.status == 1 && run.err.contains("a.yaml is not allowed to run echo"), "\(run)")
    #expect(try sandbox.run("run", "a.yaml#a", "--allow", "run:b,exec:echo").out == "b\n")
    let unnamed = try sandbox.run("run", "a.yaml#a", "--allow", "run:c,exec:echo")
    #expect(unnamed.err.contains("this file is not allowed to run `b`"), "\(unnamed)")
    // Actions of the person's own definitions count as the file's if it calls them.
    let other = try sandbox.run("run", "c.yaml", "--allow", "run")
    #expect(
      other.status == 1 && other.err.contains("c.yaml is not allowed to run echo"), "\(other)")
    #expect(try sandbox.run("own").out == "own\n")
  }

  @Test func ownDefinitionsNeedNoPermission() throws {
    let sandbox = try sandbox([".config/errand/a.yaml": writes])
    _ = try sandbox.shell("mkdir out")
    #expect(try sandbox.run("writes") == ProgramRun(err: "Done.\n"))
  }

  @Test func aProgramBesideItCounts() throws {
    let sandbox = try sandbox(["a.yaml": "shortcut: a\nsteps: [{exec: [./tool.sh]}]\n"])
    try sandbox.write("#!/bin/sh\necho one\n", to: "tool.sh", isProgram: true)
    let agreed = try sandbox.terminal("trust", "a.yaml")
    try agreed.expect("run ./tool.sh")
    try agreed.expect("Allow this from now on?")
    agreed.type("y\n")
    #expect(try agreed.finish() == 0)
    #expect(try sandbox.run("run", "a.yaml") == ProgramRun(out: "one\n"))
    try sandbox.write("#!/bin/sh\necho two\n", to: "tool.sh", isProgram: true)
    #expect(try sandbox.run("run", "a.yaml").status == 1)
    #expect(try sandbox.run("trust", "--list").out == "access  \(sandbox.path)/a.yaml\n")
  }

  // MARK: Trust

  @Test func trustWithYesPrintsWhatItAllowed() throws {
    let sandbox = try sandbox(["a.yaml": writes, "out/b.txt": ""])
    #expect(
      try sandbox.run("trust", "a.yaml")
        == ProgramRun(
          err: """
            errand: error: cannot ask here whether a.yaml may run echo, write out/a.txt [needs-value]
              help: allow it with `errand trust a.yaml --yes`

            """, status: 3))
    #expect(try sandbox.run("run", "a.yaml").status == 1)
    #expect(
      try sandbox.run("trust", "a.yaml", "--yes")
        == ProgramRun(err: "a.yaml may now\n  run echo\n  write out/a.txt\n"))
    #expect(try sandbox.run("run", "a.yaml").status == 0)
  }

  @Test func aProjectThatReachesOutsideIsAskedAboutAgain() throws {
    let sandbox = try sandbox(["p/.errand/a.yaml": writes])
    let trust = try sandbox.run("trust", "p")
    #expect(
      trust
        == ProgramRun(
          err: """
            Trusted \(sandbox.path)/p/.errand (1 file).
            errand: cannot ask here whether \(sandbox.path)/p/.errand may run echo, write out/a.txt
              allow it with `errand trust \(sandbox.path)/p/.errand --yes`

            """))
    #expect(try sandbox.shell("cd p && errand writes").status == 1)
    let run = try sandbox.terminal("trust", "p")
    try run.expect("Allow this from now on?")
    run.type("y\n")
    #expect(try run.finish() == 0)
    #expect(try sandbox.shell("cd p && mkdir out && errand writes") == ProgramRun(err: "Done.\n"))
  }

  @Test func aFolderOfOnesOwnIsFollowed() throws {
    let sandbox = try sandbox([
      "own/a.yaml": writes, "own/p/.errand/b.yaml": "shortcut: b\nsteps: [{say: B}]\n",
    ])
    #expect(
      try sandbox.run("trust", "own", "--follow")
        == ProgramRun(err: "Trusted \(sandbox.path)/own, including future changes.\n"))
    let run = "cd own && mkdir -p out && errand run a.yaml"
    #expect(try sandbox.shell(run) == ProgramRun(err: "Done.\n"))
    try sandbox.write(writes + "  - exec: [echo, more]\n", to: "own/a.yaml")
    #expect(try sandbox.shell(run).status == 0)
    #expect(try sandbox.shell("cd own/p && errand b") == ProgramRun(err: "B\n"))
    #expect(try sandbox.run("trust", "--list").out == "anything  \(sandbox.path)/own\n")
    #expect(
      try sandbox.run("trust", "own", "--revoke")
        == ProgramRun(err: "\(sandbox.path)/own is no longer trusted.\n"))
    #expect(try sandbox.run("trust", "--list") == ProgramRun())
    #expect(try sandbox.shell(run).status == 1)
    #expect(try sandbox.run("trust", "own", "--revoke").status == 2)
  }

  @Test func trustInAFolderDoesNotExtendToItsCallers() throws {
    let sandbox = try sandbox([
      "own/.errand/aa.yaml": "shortcut: aa\nsteps: [{exec: [echo, aa]}]\n",
      "zz.yaml": "shortcut: zz\nsteps: [{aa: }, {exec: [echo, zz]}]\n",
    ])
    _ = try sandbox.run("trust", "own", "--follow")
    #expect(try sandbox.shell("cd own && errand aa") == ProgramRun(out: "aa\n"))
    let run = try sandbox.shell("cd own && errand run ../zz.yaml")
    #expect(run.status == 1 && run.err.contains("is not allowed to run echo"), "\(run)")
  }

  @Test func folderWritableByOthersIsNotFollowed() throws {
    let sandbox = try sandbox(["own/a.yaml": writes])
    let run = try sandbox.shell("chmod o+w own && errand trust own --follow")
    #expect(run.status == 2 && run.err.contains("can be written by others"), "\(run)")
  }

  /// A built-in definition that names the services it sends to asks like one from elsewhere.
  @Test func builtInDefinitionsAskBeforeTheySendToServices() throws {
    let sandbox = try sandbox([:])
    let refused = try sandbox.run("find-place", "Rathaus")
    #expect(refused.status != 0)
    #expect(
      refused.err.contains(
        "`find-place` is not allowed to reach nominatim.openstreetmap.org, reach overpass-api.de"
      ), "\(refused)")
    // What touches nothing outside needs no answer, and a permission is taken back by the name.
    #expect(try sandbox.run("add-note", "Hello").status == 0)
    #expect(try sandbox.run("trust", "--revoke", "find-place").err.contains("is not trusted"))
  }
}
