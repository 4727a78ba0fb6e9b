import CLinux
import Engine
import Glibc

/// Reads keys from a terminal that gives them one by one.
struct KeyReader {
  private let descriptor: Int32
  private let interrupt: Interrupt
  private var ahead: [UInt8] = []

  init(_ descriptor: Int32, _ interrupt: Interrupt) {
    self.descriptor = descriptor
    self.interrupt = interrupt
  }

  /// How long the rest of a key's sequence may take, in milliseconds.
  private static let patience: Int32 = 50

  /// Whether more keys were pressed already.
  var hasMore: Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return !ahead.isEmpty || poll(&polled, 1, 0) > 0
  }

  /// The next key.
  mutating func next() -> Key {
    guard let byte = byte(-1) else { return interrupt.isSet ? .interrupt : .end }
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
    var parameter: [UInt8] = []
    while let next = byte(Self.patience) {
      guard (0x40...0x7E).contains(next) else {
        parameter.append(next)
        continue
      }
      switch next {
      case UInt8(ascii: "A"): return .up
      case UInt8(ascii: "B"): return .down
      case UInt8(ascii: "H"): return .first
      case UInt8(ascii: "F"): return .last
      case UInt8(ascii: "~"):
        switch String(decoding: parameter, as: UTF8.self) {
        case "1", "7": return .first
        case "4", "8": return .last
        case "5": return .pageUp
        case "6": return .pageDown
        default: return .other
        }
      default: return .other
      }
    }
    return .other
  }

  private mutating func character(_ first: UInt8) -> Key {
    var bytes = [first]
    let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
    while bytes.count < count, let next = byte(Self.patience) { bytes.append(next) }
    guard let text = String(validating: bytes, as: UTF8.self), let character = text.first else {
      return .other
    }
    return .character(character)
  }

  /// The next byte; nil at the end, on an interrupt, or when nothing came in time.
  private mutating func byte(_ milliseconds: Int32) -> UInt8? {
    if !ahead.isEmpty { return ahead.removeFirst() }
    while true {
      var polled = [descriptor, interrupt.pollDescriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let ready = poll(&polled, nfds_t(polled.count), milliseconds)
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

/// A key that a person pressed.
enum Key: Equatable {
  case character(Character)
  case up, down, pageUp, pageDown, first, last
  case enter, mark, markAll
  case backspace, deleteWord, deleteLine
  case leave, interrupt
  /// The terminal is gone.
  case end
  /// One that means nothing here.
  case other
}
