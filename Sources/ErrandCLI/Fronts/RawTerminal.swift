import Glibc

/// A terminal in raw mode without echo, until it is restored.
final class RawTerminal {
  private let descriptor: Int32
  private var original = termios()

  /// Puts a terminal into raw mode; nil on failure.
  init?(_ descriptor: Int32) {
    self.descriptor = descriptor
    guard tcgetattr(descriptor, &original) == 0 else { return nil }
    var raw = original
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
    Interruption.restoreAtEnd(descriptor, original)
    guard tcsetattr(descriptor, TCSADRAIN, &raw) == 0 else {
      Interruption.restoreNothing()
      return nil
    }
  }

  /// Restores the terminal.
  func restore() {
    tcsetattr(descriptor, TCSADRAIN, &original)
    Interruption.restoreNothing()
  }
}
