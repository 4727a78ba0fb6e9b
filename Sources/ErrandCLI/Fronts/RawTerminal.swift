import Glibc

/// A terminal that gives keys one by one and shows none of them, until it is restored.
final class RawTerminal {
  private let descriptor: Int32
  private var usual = termios()

  /// Takes over a terminal; nil where there is none.
  init?(_ descriptor: Int32) {
    self.descriptor = descriptor
    guard tcgetattr(descriptor, &usual) == 0 else { return nil }
    var raw = usual
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
    Interruption.restoreAtEnd(descriptor, usual)
    guard tcsetattr(descriptor, TCSADRAIN, &raw) == 0 else {
      Interruption.restoreNothing()
      return nil
    }
  }

  /// Gives the terminal back as it was.
  func restore() {
    tcsetattr(descriptor, TCSADRAIN, &usual)
    Interruption.restoreNothing()
  }
}
