import CLinux
import ErrandKit
import Glibc
import POSIX
import Program
import Source
import Synchronization

/// Where the process writes, and what is known of the terminal it may be on; one a process.
final class Console: Sendable {
  /// Which of the two links of the program this process is.
  let link: ProgramLink

  /// The secrets that are known, which nothing that is written may hold.
  let secrets = KnownSecrets()
  /// Whether standard input is a terminal.
  let stdinIsTerminal: Bool
  /// Whether standard output is a terminal.
  let stdoutIsTerminal: Bool
  /// Whether standard error is a terminal.
  let stderrIsTerminal: Bool
  private let colorMode = Mutex<Style.Mode?>(nil)
  private let usualColor = Mutex<@Sendable () -> String>({ "auto" })
  private let pending = Mutex<[UInt8]>([])
  /// Why standard output could not be written; 0 while it can.
  private let lostOutput = Atomic<Int32>(0)
  private let onlyReads = Atomic<Bool>(false)

  /// How many bytes are held before they are written to a file or a pipe.
  private static let bufferSize = 1 << 16

  /// A console on the streams of the process; a closed pipe becomes an error of `write`.
  init(_ link: ProgramLink = ProgramLink()) {
    self.link = link
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow becomes an error of `write`, too.
    signal(SIGXFSZ, SIG_IGN)
    Interruption.install()
    stdinIsTerminal = isatty(0) == 1
    stdoutIsTerminal = isatty(1) == 1
    stderrIsTerminal = isatty(2) == 1
  }

  /// Takes the word of `--color`: auto, always or never; nil changes nothing.
  func setColor(_ word: String?) throws(UsageError) {
    guard let word else { return }
    guard let mode = Style.Mode(rawValue: word) else {
      throw UsageError("--color: must be auto, always or never")
    }
    colorMode.withLock { $0 = mode }
  }

  /// Takes the word of the settings, which is asked for when the first text is set off.
  func setUsualColor(_ word: @escaping @Sendable () -> String) {
    usualColor.withLock { $0 = word }
  }

  /// How text on standard output may be set off.
  var style: Style { style(isTerminal: stdoutIsTerminal) }

  /// How text on standard error may be set off.
  var errorStyle: Style { style(isTerminal: stderrIsTerminal) }

  private func style(isTerminal: Bool) -> Style {
    let given = colorMode.withLock { $0 }
    // What is set counts on a terminal; a pipe asks for colour with the flag.
    let mode = given ?? (isTerminal ? Style.Mode(rawValue: usualColor.withLock { $0() }) : nil)
    return Style(
      mode: mode ?? .auto, isTerminal: isTerminal, environment: ProcessEnvironment.value)
  }

  // MARK: Writing

  /// Writes a text of the dialog to standard output.
  func out(_ text: TerminalText) { hold(Array(text.text.utf8)) }

  /// Writes a result to standard output: as it is for a program, harmless on a terminal.
  func result(_ text: String) {
    hold(Array((stdoutIsTerminal ? text.harmless(keepsLines: true) : text).utf8))
  }

  /// Writes a result to standard output: as it is for a program, harmless on a terminal.
  func out(bytes: [UInt8]) {
    if stdoutIsTerminal { result(String(decoding: bytes, as: UTF8.self)) } else { hold(bytes) }
  }

  /// Holds bytes for standard output until there are many, until something is asked and until the
  /// end; on a terminal a person sees them at once.
  private func hold(_ bytes: [UInt8]) {
    let bytes = secrets.isUsed ? secrets.masked(bytes) : bytes
    let isFull = pending.withLock { pending in
      pending += bytes
      return stdoutIsTerminal || pending.count >= Self.bufferSize
    }
    if isFull { flush() }
  }

  /// Writes a text to standard error, after what was written to standard output before.
  func err(_ text: TerminalText) {
    if stdoutIsTerminal { flush() }
    // With standard error gone there is nobody left to tell.
    _ = WholeWrite.write(secrets.masked(Array(text.text.utf8)), to: 2)
  }

  /// Writes what is held of standard output.
  ///
  /// When nobody reads it any more, a command that only reads has nothing left to do and ends. Any
  /// other goes on without output, since its status says whether its work is done.
  func flush() {
    let (bytes, isLost) = pending.withLock { pending in
      let bytes = pending
      pending.removeAll(keepingCapacity: true)
      return (bytes, lostOutput.load(ordering: .relaxed))
    }
    guard !bytes.isEmpty, isLost == 0 else { return }
    let code = WholeWrite.write(bytes, to: 1)
    if code == 0 { return }
    lostOutput.store(code, ordering: .relaxed)
    if code != EPIPE {
      err("errand: can't write to standard output: \(String(cString: strerror(code)))\n")
    }
    if onlyReads.load(ordering: .relaxed) { _exit(status(ExitStatus.done)) }
  }

  /// Says that the command changes nothing, so that it may end once nobody reads its output.
  func noteThatItOnlyReads() { onlyReads.store(true, ordering: .relaxed) }

  /// The status to end with when that of the command is `status`: output that could not be written
  /// for another reason than that nobody wants it is a failure.
  func status(_ status: Int32) -> Int32 {
    let code = lostOutput.load(ordering: .relaxed)
    return status == ExitStatus.done && code != 0 && code != EPIPE ? ExitStatus.failed : status
  }

  // MARK: The terminal

  /// How many columns the terminal has; what `COLUMNS` says, else 80, when there is none.
  var width: Int {
    Int(windowSize?.ws_col ?? 0).positive
      ?? ProcessEnvironment.value("COLUMNS").flatMap { Int($0) }?.positive ?? 80
  }

  /// How many lines the terminal has; 24 when there is none.
  var height: Int { Int(windowSize?.ws_row ?? 0).positive ?? 24 }

  private var windowSize: winsize? {
    for (descriptor, isTerminal) in [(1, stdoutIsTerminal), (2, stderrIsTerminal)]
    where isTerminal {
      var size = winsize()
      if ioctl(Int32(descriptor), UInt(TIOCGWINSZ), &size) == 0 { return size }
    }
    return nil
  }

  /// How diagnostics look on standard error.
  var diagnosticStyle: DiagnosticStyle { errorStyle.isColoured ? .coloured : .plain }
}

extension Int {
  fileprivate var positive: Int? { self > 0 ? self : nil }
}
