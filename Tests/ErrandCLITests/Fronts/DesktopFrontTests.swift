import Glibc
import TestSupport
import Testing

/// Questions in windows and messages as notifications, with stand-ins for desktop programs.
@Suite struct DesktopFrontTests {
  private func sandbox(_ dialog: String, program: String = "zenity") throws -> Sandbox {
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
    try sandbox.write("#!/bin/sh\n" + dialog, to: "bin/\(program)", isProgram: true)
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

  @Test func notificationsShowMarkupAsText() throws {
    let sandbox = try sandbox("exit 1\n")
    let steps = "[{notify: '<b>R&D</b> <a href=\"https://a.example\">here</a>'}]"
    let run = try sandbox.run(
      "run", "-", "--allow", "all", input: "shortcut: tell\nsteps: \(steps)\noutput: none\n")
    #expect(run.status == 0, "\(run)")
    let told = try #require(sandbox.read("notified"))
    #expect(
      told.contains(
        "&lt;b&gt;R&amp;D&lt;/b&gt; &lt;a href=\"https://a.example\"&gt;here&lt;/a&gt;"),
      "\(told)")
  }

  @Test func kdialogAsksInWindows() throws {
    let sandbox = try sandbox(
      """
      printf '%s\\n' "$@" >> "$HOME/asked"
      case "$*" in
        *--inputbox*) echo Ada ;;
        *--menu*) echo 2 ;;
      esac

      """, program: "kdialog")
    let run = try sandbox.run("run", "./ask.yaml")
    #expect(run.status == 0, "\(run)")
    #expect(sandbox.read("notified")?.contains("Ada, blue, true") == true)
    #expect(
      sandbox.read("asked") == """
        --title
        Errand
        --inputbox
        Your <name>?

        --title
        Errand
        --separate-output
        --menu
        Which one?
        0
        red
        1
        green
        2
        blue
        --title
        Errand
        --yesno
        Really?

        """)
  }

  @Test func rofiAsksInAMenu() throws {
    let sandbox = try sandbox(
      """
      printf '%s\\n' "$@" >> "$HOME/asked"
      cat >> "$HOME/read"
      case "$*" in
        *-format*) echo 0 ;;
        *Really*) echo Yes ;;
        *) echo Ada ;;
      esac

      """, program: "rofi")
    let run = try sandbox.run("run", "./ask.yaml")
    #expect(run.status == 0, "\(run)")
    #expect(sandbox.read("notified")?.contains("Ada, red, true") == true)
    #expect(sandbox.read("read") == "red\ngreen\nblue\nYes\nNo\n")
  }

  /// A shortcut that shows a table and has a short or long result.
  private static let showing = """
    shortcut: showing
    steps:
      - show: {value: [{host: ada, state: up}, {host: bob, state: down}], as: table}
      - value: '{{ [1, 2, 3, 4, 5].map(n, "line " + string(n)).join("\\n") }}'

    """

  @Test(arguments: [("zenity", "--text-info"), ("kdialog", "--msgbox"), ("rofi", "-e")])
  func desktopShowsValuesAndTheResult(_ program: String, _ flag: String) throws {
    let sandbox = try sandbox(
      "printf '%s\\n' \"$@\" >> \"$HOME/asked\"\ncat >> \"$HOME/asked\"\necho >> \"$HOME/asked\"\n",
      program: program)
    try sandbox.write(Self.showing, to: "show.yaml")
    let run = try sandbox.run("run", "./show.yaml")
    #expect(run.status == 0, "\(run)")
    #expect(run.out == "line 1\nline 2\nline 3\nline 4\nline 5\n")
    let asked = sandbox.read("asked") ?? ""
    #expect(asked.split(separator: "\n").count { $0 == flag } == 2, "\(asked)")
    #expect(asked.contains("host  state\nada   up\nbob   down"))
    #expect(asked.contains("line 1\nline 2\nline 3\nline 4\nline 5"))
  }

  @Test func aShortResultIsANotification() throws {
    let sandbox = try sandbox("touch \"$HOME/asked\"\n")
    try sandbox.write("shortcut: t\nsteps: [{value: All is well.}]\n", to: "t.yaml")
    #expect(try sandbox.run("run", "./t.yaml") == ProgramRun(out: "All is well.\n"))
    #expect(sandbox.read("notified")?.contains("All is well.") == true)
    #expect(sandbox.read("asked") == nil)
    // A program that reads the result shows it itself.
    unlink(sandbox.path + "/notified")
    #expect(
      try sandbox.shell("\(Sandbox.products)/errand run ./t.yaml | cat").out == "All is well.\n")
    #expect(try sandbox.run("run", "./t.yaml", "--json").out == "\"All is well.\"\n")
    #expect(sandbox.read("notified") == nil)
  }

  @Test func closedWindowCancels() throws {
    let sandbox = try sandbox("exit 1\n")
    let run = try sandbox.run("run", "./ask.yaml", "--front", "desktop")
    #expect(run.status == 4)
    #expect(run.err == "Cancelled.\n")
  }

  @Test func theTerminalIsChosenByName() throws {
    let sandbox = try sandbox("echo never\n")
    #expect(try sandbox.run("run", "./ask.yaml", "--front", "terminal").status == 3)
    #expect(try sandbox.run("run", "./ask.yaml", "--front", "paper").status == 2)
  }
}
