import CLinux
import Engine
import Glibc
import Synchronization
import System

/// What Ctrl-C, a request to end and a terminal that is closed do: the process ends, on a fresh line.
///
/// While a run goes on, the first one lets it do what it does in `finally` and end the programs it
/// started; one more ends the process at once. It ends by the signal itself: a shell goes on with
/// its loop when a program merely returns 130.
enum Interruption {
  /// What stands on the terminal's current line; a signal handler may read nothing but atomics.
  private static let line = Atomic<UInt8>(0)

  /// What stands on the current line of the terminal.
  enum Line: UInt8 {
    case empty, prompt, progress
  }

  /// The descriptor on which a prompt stands.
  private static let promptDescriptor = Atomic<Int32>(2)
  /// What ends the run that goes on.
  static let run = Interrupt()
  /// Whether a run goes on, which the first signal only asks to end.
  private static let isHeld = Atomic<Bool>(false)
  /// The signal that asked the run to end.
  private static let wanted = Atomic<Int32>(0)

  /// Says what stands on the current line from now on, and on which descriptor it was written.
  static func note(_ content: Line, on descriptor: Int32 = 2) {
    promptDescriptor.store(descriptor, ordering: .relaxed)
    line.store(content.rawValue, ordering: .relaxed)
  }

  /// Takes over the signals, unless whoever started the process wants them ignored.
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

  /// Runs a body that the first signal only asks to end.
  ///
  /// - Throws: what the body throws; a `Cancellation` when it ended as it was asked to.
  static func holding<Result>(_ body: () throws -> Result) rethrows -> Result {
    hold()
    defer { release() }
    return try body()
  }

  /// Lets the first signal only ask to end, from here on.
  static func hold() {
    // Made here and not in the handler, which may do little.
    _ = run.pollDescriptor
    isHeld.store(true, ordering: .sequentiallyConsistent)
  }

  /// Lets each signal end the process again.
  static func release() { isHeld.store(false, ordering: .sequentiallyConsistent) }

  /// Waits until a descriptor can be read.
  ///
  /// - Throws: `Cancellation` when the run is asked to end first.
  static func wait(forInput descriptor: Int32) throws {
    var polled = [descriptor, run.pollDescriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while poll(&polled, nfds_t(polled.count), -1) < 0, errno == EINTR, !run.isSet {}
    if run.isSet { throw Cancellation(.interrupted) }
  }

  /// Ends the process by the signal that asked for it.
  static func finish() -> Never {
    let number = wanted.load(ordering: .relaxed)
    end(number == 0 ? SIGINT : number)
    exit(130)
  }

  // MARK: The terminal

  /// The terminal that is to be restored when the process ends, and how it was; -1 for none.
  private static let terminal = Atomic<Int32>(-1)
  nonisolated(unsafe) private static var usual = termios()

  /// Says how a terminal was that is taken over, so that no signal leaves it so.
  static func restoreAtEnd(_ descriptor: Int32, _ settings: termios) {
    usual = settings
    terminal.store(descriptor, ordering: .sequentiallyConsistent)
  }

  /// Says that the terminal is as it was.
  static func restoreNothing() { terminal.store(-1, ordering: .sequentiallyConsistent) }

  /// Does what Ctrl-C does, for a terminal that gives it as a key.
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
    if descriptor >= 0 { tcsetattr(descriptor, TCSANOW, &usual) }
    switch Line(rawValue: line.load(ordering: .relaxed)) {
    case .prompt:
      var newline = UInt8(ascii: "\n")
      _ = write(promptDescriptor.load(ordering: .relaxed), &newline, 1)
    case .progress:
      // Back to the beginning of the line, and erase it.
      var erase: (UInt8, UInt8, UInt8, UInt8) = (0x0D, 0x1B, 0x5B, 0x4B)
      _ = write(2, &erase, 4)
    case .empty, nil: break
    }
    RunningPrograms.kill()
    signal(number, SIG_DFL)
    raise(number)
  }
}
