import CLinux
import ErrandKit
import Glibc
import POSIX
import Program
import Source
import Synchronization

/// The standard streams of the process and its terminal's properties; one per process.
final class Console: Sendable {
  /// The binary this process runs: with or without network access.
  let link: ProgramLink

  /// Known secrets, masked in all output.
  let secrets = KnownSecrets()
  /// Whether standard input is a terminal.
  let stdinIsTerminal: Bool
  /// Whether standard output is a terminal.
  let stdoutIsTerminal: Bool
  /// Whether standard error is a terminal.
  let stderrIsTerminal: Bool
  private let colorMode = Mutex<Style.Mode?>(nil)
  private let defaultColor = Mutex<@Sendable () -> String>({ "auto" })
  private let pending = Mutex<[UInt8]>([])
  /// errno of a failed write to standard output; 0 while it works.
  private let lostOutput = Atomic<Int32>(0)
  private let onlyReads = Atomic<Bool>(false)
  private let endedTranscript = Atomic<Bool>(false)

  /// Whether the last entry of the run's transcript was written.
  var hasEndedTranscript: Bool { endedTranscript.load(ordering: .relaxed) }

  /// Notes that the last entry of the run's transcript was written.
  func endTranscript() { endedTranscript.store(true, ordering: .relaxed) }

  /// Size of the output buffer for files and pipes, in bytes.
  private static let bufferSize = 1 << 16

  /// Creates the console of the process; a closed pipe becomes an error of `write`.
  init(_ link: ProgramLink = ProgramLink()) {
    self.link = link
    signal(SIGPIPE, SIG_IGN)
    // A file size limit becomes an error of `write`, too.
    signal(SIGXFSZ, SIG_IGN)
    Interruption.install()
    stdinIsTerminal = isatty(0) == 1
    stdoutIsTerminal = isatty(1) == 1
    stderrIsTerminal = isatty(2) == 1
  }

  /// Sets the mode of `--color`: auto, always or never; nil changes nothing.
  func setColor(_ word: String?) throws(UsageError) {
    guard let word else { return }
    let mode = try Style.Mode(rawValue: word).expected("--color: must be auto, always or never")
    colorMode.withLock { $0 = mode }
  }

  /// Sets the source of the default mode, read from the settings on first use.
  func setDefaultColor(_ word: @escaping @Sendable () -> String) {
    defaultColor.withLock { $0 = word }
  }

  /// Style of text on standard output.
  var style: Style { style(isTerminal: stdoutIsTerminal) }

  /// Style of text on standard error.
  var errorStyle: Style { style(isTerminal: stderrIsTerminal) }

  private func style(isTerminal: Bool) -> Style {
    let given = colorMode.withLock { $0 }
    // The setting applies to terminals; in a pipe colour needs the flag.
    let mode = given ?? (isTerminal ? Style.Mode(rawValue: defaultColor.withLock { $0() }) : nil)
    return Style(mode: mode ?? .auto, isTerminal: isTerminal, environment: ProcessEnvironment.value)
  }

  // MARK: Output

  /// Writes dialog text to standard output.
  func out(_ text: TerminalText) { hold(Array(text.text.utf8)) }

  /// Writes a result to standard output, with control characters escaped on a terminal.
  func result(_ text: String) {
    hold(Array((stdoutIsTerminal ? text.harmless(keepsLines: true) : text).utf8))
  }

  /// Writes a result to standard output, with control characters escaped on a terminal.
  func out(bytes: [UInt8]) {
    if stdoutIsTerminal { result(String(decoding: bytes, as: UTF8.self)) } else { hold(bytes) }
  }

  /// Buffers bytes for standard output until the buffer is full, a question is asked or the process
  /// ends; a terminal gets them at once.
  private func hold(_ bytes: [UInt8]) {
    let bytes = secrets.isUsed ? secrets.masked(bytes) : bytes
    let isFull = pending.withLock { pending in
      pending += bytes
      return stdoutIsTerminal || pending.count >= Self.bufferSize
    }
    if isFull { flush() }
  }

  /// Writes text to standard error, after flushing standard output.
  func err(_ text: TerminalText) {
    if stdoutIsTerminal { flush() }
    // If standard error fails, too, there is nowhere left to report it.
    _ = WholeWrite.write(secrets.masked(Array(text.text.utf8)), to: 2)
  }

  /// Flushes standard output.
  ///
  /// Once its reader has closed the pipe, a read-only command ends. Any other command continues
  /// without output, since its exit status reports whether its work is done.
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
      err("errand: cannot write to standard output: \(String(cString: strerror(code)))\n")
    }
    if onlyReads.load(ordering: .relaxed) { _exit(status(ExitStatus.done)) }
  }

  /// Marks the command as read-only, so that it may end once its output pipe is closed.
  func noteThatItOnlyReads() { onlyReads.store(true, ordering: .relaxed) }

  /// Returns the exit status for a command's `status`: output lost for any reason but a closed pipe
  /// is a failure.
  func status(_ status: Int32) -> Int32 {
    let code = lostOutput.load(ordering: .relaxed)
    return status == ExitStatus.done && code != 0 && code != EPIPE ? ExitStatus.failed : status
  }

  // MARK: Terminal

  /// Terminal width in columns; without a terminal `COLUMNS`, else 80.
  var width: Int {
    Int(windowSize?.ws_col ?? 0).positive
      ?? ProcessEnvironment.value("COLUMNS").flatMap { Int($0) }?.positive ?? 80
  }

  /// Terminal height in lines; 24 without a terminal.
  var height: Int { Int(windowSize?.ws_row ?? 0).positive ?? 24 }

  private var windowSize: winsize? {
    for (descriptor, isTerminal) in [(1, stdoutIsTerminal), (2, stderrIsTerminal)]
    where isTerminal {
      var size = winsize()
      if ioctl(Int32(descriptor), UInt(TIOCGWINSZ), &size) == 0 { return size }
    }
    return nil
  }

  /// Style of diagnostics on standard error.
  var diagnosticStyle: DiagnosticStyle { errorStyle.isColoured ? .coloured : .plain }
}

extension Int {
  fileprivate var positive: Int? { self > 0 ? self : nil }
}
