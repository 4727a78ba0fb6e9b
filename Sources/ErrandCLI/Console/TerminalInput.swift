import CLinux
import Engine
import Glibc

/// Lines typed by a person: from standard input if it is a terminal, else from `/dev/tty`, so that
/// piped input stays untouched.
final class TerminalInput {
  /// Descriptor that is read.
  let descriptor: Int32
  private let isOwned: Bool

  /// Opens the controlling terminal; nil without one.
  init?(stdinIsTerminal: Bool) {
    isOwned = !stdinIsTerminal
    descriptor = stdinIsTerminal ? 0 : open("/dev/tty", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    if isOwned, descriptor >= 0 { close(descriptor) }
  }

  /// Turns echo off and returns the previous settings; nil on failure.
  func hide() -> termios? {
    var attributes = termios()
    guard tcgetattr(descriptor, &attributes) == 0 else { return nil }
    let shown = attributes
    attributes.c_lflag &= ~tcflag_t(ECHO)
    return tcsetattr(descriptor, TCSAFLUSH, &attributes) == 0 ? shown : nil
  }

  /// Restores the terminal settings.
  func restore(_ attributes: termios) {
    var attributes = attributes
    tcsetattr(descriptor, TCSAFLUSH, &attributes)
  }

  /// A typed line.
  enum Line: Equatable {
    case text(String)
    /// Invalid UTF-8, or keys such as arrows.
    case unreadable
    /// Ctrl-D or Esc, or the terminal was closed.
    case end

    /// Decodes bytes, without the trailing line end.
    init(_ bytes: some BidirectionalCollection<UInt8>) {
      let count = bytes.reversed().prefix { $0 == 0x0A || $0 == 0x0D }.count
      let text = String(validating: bytes.dropLast(count), as: UTF8.self)
      if text == "\u{1B}" {
        self = .end
        return
      }
      let isText =
        text?.unicodeScalars.allSatisfy {
          $0 == "\t" || $0.properties.generalCategory != .control
        } ?? false
      self = text.flatMap { isText ? .text($0) : nil } ?? .unreadable
    }
  }

  /// Maximum length of a line, in bytes.
  private static let limit = 1 << 20

  /// Waits for a line or an interrupt; line editing is the terminal's.
  ///
  /// - Throws: `Cancellation` if the interrupt came first.
  func readLine(_ interrupt: Interrupt) throws -> Line {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while bytes.last != UInt8(ascii: "\n"), bytes.count < Self.limit {
      _ = interrupt.poll(descriptor)
      if interrupt.isSet { throw Cancellation(.interrupted) }
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else {
        if bytes.isEmpty { return .end }
        break
      }
      bytes += chunk[..<count]
    }
    return Line(bytes)
  }
}
