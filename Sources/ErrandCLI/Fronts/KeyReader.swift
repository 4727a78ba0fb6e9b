import CLinux
import Engine
import Glibc
import POSIX

/// Reads single keys from a raw terminal.
struct KeyReader {
  private let descriptor: Int32
  private let interrupt: Interrupt
  private var ahead: [UInt8] = []

  init(_ descriptor: Int32, _ interrupt: Interrupt) {
    self.descriptor = descriptor
    self.interrupt = interrupt
  }

  /// Timeout for the rest of an escape sequence.
  private static let patience = Duration.milliseconds(50)

  /// Whether more keys are pending.
  var hasMore: Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return !ahead.isEmpty || poll(&polled, 1, 0) > 0
  }

  /// Reads the next key.
  mutating func next() -> Key {
    guard let byte = byte(nil) else { return interrupt.isSet ? .interrupt : .end }
    switch byte {
    case 0x03: return .interrupt
    case 0x04, 0x07: return .leave
    case 0x09: return .mark
    case 0x01: return .markAll
    case 0x0A, 0x0D: return .enter
    case 0x0B, 0x10: return .up
    case 0x0E: return .down
    case 0x08, 0x7F: return .backspace
    case 0x15: return .deleteLine
    case 0x17: return .deleteWord
    case 0x1B: return sequence()
    case 0..<0x20: return .other
    default: return character(byte)
    }
  }

  private mutating func sequence() -> Key {
    guard let kind = byte(Self.patience) else { return .leave }
    guard kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else { return .other }
    var code = ""
    while let next = byte(Self.patience) {
      code.unicodeScalars.append(Unicode.Scalar(next))
      // Modifier parameters precede the final letter and are ignored.
      if next == UInt8(ascii: "~") { return Self.sequences[code] ?? .other }
      if (0x40...0x7E).contains(next) { return Self.sequences[String(code.suffix(1))] ?? .other }
    }
    return .other
  }

  /// Keys by the end of their escape sequence.
  private static let sequences: [String: Key] = [
    "A": .up, "B": .down, "H": .first, "F": .last, "1~": .first, "7~": .first, "4~": .last,
    "8~": .last, "5~": .pageUp, "6~": .pageDown,
  ]

  private mutating func character(_ first: UInt8) -> Key {
    var bytes = [first]
    let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
    while bytes.count < count, let next = byte(Self.patience) { bytes.append(next) }
    guard let text = String(validating: bytes, as: UTF8.self), let character = text.first else {
      return .other
    }
    return .character(character)
  }

  /// Reads a byte; nil at the end, on an interrupt or after the timeout.
  private mutating func byte(_ time: Duration?) -> UInt8? {
    if !ahead.isEmpty { return ahead.removeFirst() }
    while true {
      let ready = interrupt.poll(descriptor, for: time)
      if interrupt.isSet || ready == 0 { return nil }
      if ready < 0 {
        if errno == EINTR || errno == EAGAIN { continue }
        return nil
      }
      var chunk = [UInt8](repeating: 0, count: 256)
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return nil }
      ahead = Array(chunk[..<count])
      return ahead.removeFirst()
    }
  }
}

/// A key press.
enum Key: Equatable {
  case character(Character)
  case up, down, pageUp, pageDown, first, last
  case enter, mark, markAll
  case backspace, deleteWord, deleteLine
  case leave, interrupt
  /// The terminal was closed.
  case end
  /// Any other key.
  case other
}
