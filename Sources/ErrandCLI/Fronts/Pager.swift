import Engine
import ErrandKit
import Glibc
import POSIX
import Source
import System

/// Shows what does not fit the terminal page by page, in the program that the person likes.
struct Pager {
  private let console: Console
  /// The command that shows pages; nil where there is to be none.
  private let command: () -> String?

  init(_ console: Console, command: @escaping () -> String?) {
    self.console = console
    self.command = command
  }

  /// Whether somebody is there who can turn pages.
  private var isUsable: Bool {
    console.stdinIsTerminal && console.stdoutIsTerminal
      && LineEditor.fits(ProcessEnvironment.value("TERM"))
  }

  /// Writes lines that come chunk by chunk: those that fit the terminal as they are, more through the
  /// pager, which shows the first screen as soon as it has it.
  func write(_ chunks: some Sequence<[TerminalText]>) {
    var rest = chunks.makeIterator()
    var held: [TerminalText] = []
    let room = isUsable ? console.height - 1 : Int.max
    while held.count <= room, let chunk = rest.next() { held += chunk }
    guard held.count > room, let command = command(), let (process, pipe) = start(command) else {
      console.out(Self.text(held))
      while let chunk = rest.next() { console.out(Self.text(chunk)) }
      return
    }
    // Ctrl-C is the pager's as long as it is there.
    let usual = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, usual) }
    var isOpen = WholeWrite.write(Array(Self.text(held).text.utf8), to: pipe.writing) == 0
    // A person who has seen enough leaves, and nothing more is made.
    while isOpen, let chunk = rest.next() {
      isOpen = WholeWrite.write(Array(Self.text(chunk).text.utf8), to: pipe.writing) == 0
    }
    pipe.closeWriting()
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    // 127: the shell found no such program.
    if status >> 8 & 0xFF == 127 {
      console.out(Self.text(held))
      while let chunk = rest.next() { console.out(Self.text(chunk)) }
    }
  }

  /// Writes a text of lines.
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

  /// Starts the pager on the terminal; nil where that is impossible.
  private func start(_ command: String) -> (process: pid_t, input: Pipe)? {
    console.flush()
    // Without options of the person's own: leave when all fits, keep colours and the screen.
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
