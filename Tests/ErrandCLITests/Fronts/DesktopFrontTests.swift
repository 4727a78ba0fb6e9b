import Testing

/// Questions in windows and sentences as notifications, with programs that stand for a desktop.
@Suite struct DesktopFrontTests {
  private func sandbox(_ dialog: String) throws -> Sandbox {
    let sandbox = try Sandbox([
      "ask.yaml": """
      shortcut: ask-all
      steps:
        - ask: Your <name>?
          as: name
        - choose: {from: [red, green, blue], prompt: 'Which one?'}
          as: colour
        - confirm: {prompt: 'Really?', optional: true}
          as: really
        - say: '{{ name }}, {{ colour }}, {{ really }}'

      """
    ])
    sandbox.environment["DISPLAY"] = ":77"
    sandbox.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere"
    sandbox.environment["PATH"] = sandbox.path + "/bin:/usr/bin:/bin"
    try sandbox.write(
      "#!/bin/sh\nprintf '%s\\n' \"$@\" >> \"$HOME/notified\"\n", to: "bin/notify-send",
      isProgram: true)
    try sandbox.write("#!/bin/sh\n" + dialog, to: "bin/zenity", isProgram: true)
    return sandbox
  }

  @Test func aRunWithoutATerminalAsksInWindows() throws {
    let sandbox = try sandbox(
      """
      printf '%s\\n' "$@" >> "$HOME/asked"
      case "$1" in
        --entry) echo Ada ;;
        --list) echo 1 ;;
        --question) exit 1 ;;
      esac

      """)
    let run = try sandbox.run("run", "./ask.yaml")
    #expect(run.status == 0, "\(run)")
    #expect(run.err == "")
    #expect(sandbox.read("notified")?.contains("Ada, green, false") == true)
    #expect(sandbox.read("asked")?.contains("Your &lt;name&gt;?") == true)
  }

  @Test func aClosedWindowIsAPersonWhoLeaves() throws {
    let sandbox = try sandbox("exit 1\n")
    let run = try sandbox.run("run", "./ask.yaml", "--front", "desktop")
    #expect(run.status == 4)
    #expect(run.err.contains("[cancelled]"))
  }

  @Test func theTerminalIsChosenByName() throws {
    let sandbox = try sandbox("echo never\n")
    #expect(try sandbox.run("run", "./ask.yaml", "--front", "terminal").status == 3)
    #expect(try sandbox.run("run", "./ask.yaml", "--front", "paper").status == 2)
  }
}
