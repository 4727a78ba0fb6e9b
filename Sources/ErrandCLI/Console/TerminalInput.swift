import CLinux
import Engine
import Glibc

/// Lines that a person types: on standard input if it is the terminal, else on `/dev/tty`, so that
/// a list that is piped in stays untouched.
final class TerminalInput {
  /// What is read from.
  let descriptor: Int32
  private let isOwned: Bool

  /// The input of the terminal that the process belongs to; nil when there is none.
  init?(stdinIsTerminal: Bool) {
    isOwned = !stdinIsTerminal
    descriptor = stdinIsTerminal ? 0 : open("/dev/tty", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    if isOwned, descriptor >= 0 { close(descriptor) }
  }

  /// Shows no longer what is typed; gives how the terminal was, nil when it can't be changed.
  func hide() -> termios? {
    var attributes = termios()
    guard tcgetattr(descriptor, &attributes) == 0 else { return nil }
    let shown = attributes
    attributes.c_lflag &= ~tcflag_t(ECHO)
    return tcsetattr(descriptor, TCSAFLUSH, &attributes) == 0 ? shown : nil
  }

  /// Makes the terminal as it was.
  func restore(_ attributes: termios) {
    var attributes = attributes
    tcsetattr(descriptor, TCSAFLUSH, &attributes)
  }

  /// What a person typed.
  enum Line: Equatable {
    case text(String)
    /// Something that is no text: bytes that are not UTF-8, or keys such as arrows.
    case unreadable
    /// The person has left with Ctrl-D, or the terminal is gone.
    case end

    /// What bytes say, without the line end after them.
    init(_ bytes: some BidirectionalCollection<UInt8>) {
      let count = bytes.reversed().prefix { $0 == 0x0A || $0 == 0x0D }.count
      let text = String(validating: bytes.dropLast(count), as: UTF8.self)
      let isText =
        text?.unicodeScalars.allSatisfy {
          $0 == "\t" || $0.properties.generalCategory != .control
        } ?? false
      self = text.flatMap { isText ? .text($0) : nil } ?? .unreadable
    }
  }

  /// How long a line may be, in bytes.
  private static let limit = 1 << 20

  /// Waits for a line, or until an interrupt; the terminal itself lets the person edit it.
  ///
  /// - Throws: `Cancellation` when the interrupt came first.
  func readLine(_ interrupt: Interrupt) throws -> Line {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while bytes.last != UInt8(ascii: "\n"), bytes.count < Self.limit {
      var polled = [descriptor, interrupt.pollDescriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      _ = poll(&polled, nfds_t(polled.count), -1)
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
