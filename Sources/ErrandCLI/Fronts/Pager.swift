import Engine
import ErrandKit
import Glibc
import POSIX
import Platform
import Source

/// Shows long output page by page in the person's pager.
struct Pager {
  private let console: Console
  /// Returns the pager command; nil for none.
  private let command: () -> String?

  init(_ console: Console, command: @escaping () -> String?) {
    self.console = console
    self.command = command
  }

  /// Whether both ends are a terminal, so that a pager is of use.
  private var isUsable: Bool {
    console.stdinIsTerminal && console.stdoutIsTerminal
      && LineEditor.fits(ProcessEnvironment.value("TERM"))
  }

  /// Writes lines that arrive in chunks: directly if they fit the terminal, otherwise through the
  /// pager, which shows the first screen as soon as it is complete.
  func write(_ chunks: some Sequence<[TerminalText]>) {
    var rest = chunks.makeIterator()
    var head: [TerminalText] = []
    let room = isUsable ? console.height - 1 : Int.max
    while head.count <= room, let chunk = rest.next() { head += chunk }
    func writeAll() {
      console.out(Self.text(head))
      while let chunk = rest.next() { console.out(Self.text(chunk)) }
    }
    guard head.count > room, let command = command(), let (process, pipe) = start(command) else {
      return writeAll()
    }
    // Ctrl-C belongs to the pager while it runs.
    let previous = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, previous) }
    var isOpen = WholeWrite.write(Array(Self.text(head).text.utf8), to: pipe.writing) == 0
    // Stops producing chunks once the pager is closed.
    while isOpen, let chunk = rest.next() {
      isOpen = WholeWrite.write(Array(Self.text(chunk).text.utf8), to: pipe.writing) == 0
    }
    pipe.closeWriting()
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    // Status 127: command not found.
    if status >> 8 & 0xFF == 127 { writeAll() }
  }

  /// Writes text.
  func write(_ text: TerminalText) {
    let lines = text.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
    guard isUsable, lines > console.height - 1 else { return console.out(text) }
    write([text.lines])
  }

  private static func text(_ lines: [TerminalText]) -> TerminalText {
    var text: TerminalText = ""
    for line in lines { text += line + "\n" }
    return text
  }

  /// Starts the pager on the terminal; nil on failure.
  private func start(_ command: String) -> (process: pid_t, input: Pipe)? {
    console.flush()
    // Default options: quit if it fits, keep colours and the screen.
    let script = "LESS=\"${LESS-FRX}\" LV=\"${LV--c}\"; export LESS LV; " + command
    var request = ProcessRequest(["sh", "-c", script])
    request.hasTerminal = true
    guard let pipe = try? Pipe(),
      let process = try? ChildLaunch(request).start(input: pipe.reading)
    else { return nil }
    pipe.closeReading()
    return (process, pipe)
  }
}
