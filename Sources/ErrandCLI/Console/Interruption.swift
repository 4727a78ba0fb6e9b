import CLinux
import Engine
import Glibc
import POSIX
import Platform
import Synchronization

/// Signal handling: Ctrl-C, SIGTERM and SIGHUP end the process on a fresh line.
///
/// During a run the first signal lets it execute `finally` blocks and stop its child processes; the
/// second ends the process at once. The process ends by the signal itself, so that a shell loop
/// stops, too, which it would not after status 130.
enum Interruption {
  /// Contents of the terminal's current line; atomic, since signal handlers read it.
  private static let line = Atomic<UInt8>(0)

  /// Contents of the current terminal line.
  enum Line: UInt8 {
    case empty, prompt, progress
  }

  /// Descriptor on which the prompt was written.
  private static let promptDescriptor = Atomic<Int32>(2)
  /// Interrupt of the current run.
  static let run = Interrupt()
  /// Whether the first signal only asks the run to end.
  private static let isHeld = Atomic<Bool>(false)
  /// The signal that asked the run to end.
  private static let wanted = Atomic<Int32>(0)

  /// Records the contents of the current line and the descriptor it was written to.
  static func note(_ content: Line, on descriptor: Int32 = 2) {
    promptDescriptor.store(descriptor, ordering: .relaxed)
    line.store(content.rawValue, ordering: .relaxed)
  }

  /// Installs the signal handlers, except for signals the process inherited as ignored.
  static func install() {
    note(.empty)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let handler: @convention(c) (Int32) -> Void = { Interruption.hear($0) }
      let ignored = unsafeBitCast(SIG_IGN, to: Int.self)
      if let old = signal(number, handler), unsafeBitCast(old, to: Int.self) == ignored {
        signal(number, SIG_IGN)
      }
    }
  }

  /// Runs `body`, during which the first signal only asks to end.
  ///
  /// - Throws: Rethrows errors of `body`; `Cancellation` if it ended on request.
  static func holding<Result>(_ body: () throws -> Result) rethrows -> Result {
    hold()
    defer { release() }
    return try body()
  }

  /// Makes the first signal only ask to end, from here on.
  static func hold() {
    // Created here, since a signal handler must not allocate.
    _ = run.pollDescriptor
    isHeld.store(true, ordering: .sequentiallyConsistent)
  }

  /// Lets each signal end the process again.
  static func release() { isHeld.store(false, ordering: .sequentiallyConsistent) }

  /// Waits until a descriptor is readable.
  ///
  /// - Throws: `Cancellation` if the run is asked to end first.
  static func wait(forInput descriptor: Int32) throws {
    while run.poll(descriptor) < 0, errno == EINTR, !run.isSet {}
    if run.isSet { throw Cancellation(.interrupted) }
  }

  /// Ends the process by the signal that asked for it; by SIGTERM if it lost its reader.
  static func finish() -> Never {
    let number = wanted.load(ordering: .relaxed)
    end(number != 0 ? number : run.isTermination ? SIGTERM : SIGINT)
    exit(130)
  }

  /// Asks the run to end because its events no longer have a reader.
  ///
  /// This does not count as a signal: a front that exits may also send one, before or after, and
  /// a second signal would cut `finally` blocks short.
  static func loseReader() {
    guard isHeld.load(ordering: .sequentiallyConsistent) else {
      kill(getpid(), SIGTERM)
      return
    }
    if wanted.load(ordering: .sequentiallyConsistent) == 0 { run.set(isTermination: true) }
  }

  // MARK: Terminal

  /// Descriptor of the terminal to restore at the end; -1 for none.
  private static let terminal = Atomic<Int32>(-1)
  nonisolated(unsafe) private static var original = termios()

  /// Saves a terminal's settings, restored if a signal ends the process.
  static func restoreAtEnd(_ descriptor: Int32, _ settings: termios) {
    original = settings
    terminal.store(descriptor, ordering: .sequentiallyConsistent)
  }

  /// Records that the terminal has been restored.
  static func restoreNothing() { terminal.store(-1, ordering: .sequentiallyConsistent) }

  /// Acts like Ctrl-C, for a raw terminal that delivers it as a key.
  static func interrupt() { hear(SIGINT) }

  private static func hear(_ number: Int32) {
    let isFirst = wanted.compareExchange(
      expected: 0, desired: number, ordering: .sequentiallyConsistent
    ).exchanged
    guard isFirst, isHeld.load(ordering: .sequentiallyConsistent) else { return end(number) }
    run.set(isTermination: number != SIGINT)
  }

  private static func end(_ number: Int32) {
    let descriptor = terminal.load(ordering: .sequentiallyConsistent)
    if descriptor >= 0 { tcsetattr(descriptor, TCSANOW, &original) }
    switch Line(rawValue: line.load(ordering: .relaxed)) {
    case .prompt:
      var newline = UInt8(ascii: "\n")
      _ = write(promptDescriptor.load(ordering: .relaxed), &newline, 1)
    case .progress:
      // Carriage return, then erase the line.
      var erase: (UInt8, UInt8, UInt8, UInt8) = (0x0D, 0x1B, 0x5B, 0x4B)
      _ = write(2, &erase, 4)
    case .empty, nil: break
    }
    RunningPrograms.kill()
    signal(number, SIG_DFL)
    raise(number)
  }
}

extension Interrupt {
  /// Waits until a descriptor is readable or the interrupt is set, as poll(2) does; for ever without a time.
  func poll(_ descriptor: Int32, for time: Duration? = nil) -> Int32 {
    var polled = [descriptor, pollDescriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    return Glibc.poll(&polled, nfds_t(polled.count), time.map { Int32($0.milliseconds) } ?? -1)
  }
}
