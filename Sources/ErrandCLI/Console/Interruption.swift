import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What Ctrl-C does: the process ends, which a shell sees as status 130, on a fresh line.
///
/// It ends by the signal itself: a shell goes on with its loop when a program merely returns 130.
/// Nothing has to be undone: what was not committed to the store was not reported either.
enum Interruption {
  /// What stands on the terminal's current line; a signal handler may read nothing but atomics.
  private static let line = Atomic<UInt8>(0)

  /// What stands on the current line of the terminal.
  enum Line: UInt8 {
    case empty, prompt, progress
  }

  /// The descriptor on which a prompt stands.
  private static let promptDescriptor = Atomic<Int32>(2)

  /// Says what stands on the current line from now on, and on which descriptor it was written.
  static func note(_ content: Line, on descriptor: Int32 = 2) {
    promptDescriptor.store(descriptor, ordering: .relaxed)
    line.store(content.rawValue, ordering: .relaxed)
  }

  /// Takes over the signal, unless whoever started the process wants it ignored.
  static func install() {
    note(.empty)
    let handler: @convention(c) (Int32) -> Void = { _ in Interruption.end() }
    let ignored = unsafeBitCast(SIG_IGN, to: Int.self)
    if let old = signal(SIGINT, handler), unsafeBitCast(old, to: Int.self) == ignored {
      signal(SIGINT, SIG_IGN)
    }
  }

  private static func end() {
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
    signal(SIGINT, SIG_DFL)
    raise(SIGINT)
  }
}
