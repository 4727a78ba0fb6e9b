import TestSupport
import Testing

@Suite struct EditTests {
  private func sandbox(editor: String) throws -> Sandbox {
    let sandbox = try Sandbox([
      ".config/errand/two.yaml": "shortcut: a\nsteps: [say: A]\n---\nshortcut: b\nsteps: [say: B]\n"
    ])
    sandbox.environment["EDITOR"] = editor
    return sandbox
  }

  @Test func opensAndChecks() throws {
    let sandbox = try sandbox(editor: "sed -i s/B/C/")
    let run = try sandbox.run("edit", "b")
    #expect(run == ProgramRun())
    #expect(sandbox.read(".config/errand/two.yaml")?.contains("say: C") == true)
  }

  @Test func showsMistakes() throws {
    let sandbox = try sandbox(editor: "sed -i /B/s/say/sya/")
    let run = try sandbox.run("edit", "b")
    #expect(run.status == 2)
    #expect(run.out.contains("two.yaml:5:9: error: unknown step `sya`"))
  }

  @Test func opensAtTheLineOfTheName() throws {
    let sandbox = try sandbox(editor: "./vi")
    try sandbox.write("#!/bin/sh\necho \"$1\"\n", to: "vi")
    #expect(try sandbox.shell("chmod +x vi; errand edit b").out == "+4\n")
    #expect(try sandbox.shell("VISUAL='echo  -n' errand edit a").out.hasSuffix("two.yaml"))
  }

  @Test func opensAgainAtTheFirstMistake() throws {
    let sandbox = try sandbox(editor: "./editor")
    try sandbox.write(
      "#!/bin/sh\necho x >>count; [ $(wc -l <count) = 1 ] && sed -i /B/s/say/sya/ \"$1\" || sed -i s/sya/say/ \"$1\"\n",
      to: "editor")
    _ = try sandbox.shell("chmod +x editor")
    let terminal = try sandbox.terminal("edit", "b")
    try terminal.expect("Open it again at the first mistake?")
    terminal.type("\r")
    #expect(try terminal.finish() == 0)
    #expect(sandbox.read("count") == "x\nx\n")
  }

  @Test func saysWhatItCannotOpen() throws {
    let sandbox = try sandbox(editor: "false")
    #expect(
      try sandbox.run("edit", "save").err == """
        errand: error: `save` is built in [usage]
          help: errand new intent save --from save makes a copy of your own in its place

        """)
    #expect(try sandbox.run("edit", "sav").err.contains("did you mean"))
    #expect(try sandbox.run("edit", "a").err.contains("the editor failed: false"))
  }
}
