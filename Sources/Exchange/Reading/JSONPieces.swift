import CEL
import ForeignText
import JSON

/// Takes a JSON text apart piece by piece, so that a file of any size needs little memory.
///
/// Each piece is only what the caller goes into; what it does not want is passed over unread, and
/// what it wants whole is parsed by the JSON parser.
struct JSONPieces {
  /// Where a text is not JSON.
  struct Broken: Error {
    let line: Int
    let reason: String
  }

  private(set) var window: ByteWindow
  /// How large a value may be that is wanted whole, in bytes.
  private static let maxValueBytes = 16 << 20

  init(_ window: ByteWindow) {
    self.window = window
  }

  /// The first byte of the next piece that is not blank; nil at the end.
  mutating func peek() -> UInt8? {
    guard window.skip(until: { !$0.isBlank }) else { return nil }
    return window.byte()
  }

  /// Takes a mark such as `{`; whether it was there.
  mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard let byte = peek(), UInt32(byte) == mark.value else { return false }
    window.skip(1)
    return true
  }

  /// Takes a mark that must be there.
  mutating func expect(_ mark: Unicode.Scalar) throws(Broken) {
    if !take(mark) {
      throw peek() == nil ? cutOff : broken("there is no `\(mark)` where one is expected")
    }
  }

  /// What is thrown where the file ends too early.
  var cutOff: Broken { broken("the file ends early") }

  func broken(_ reason: String) -> Broken { Broken(line: window.line, reason: reason) }

  /// Takes a text in quotes.
  mutating func string() throws(Broken) -> String {
    guard peek() == UInt8(ascii: "\"") else {
      throw peek() == nil ? cutOff : broken("there is no text where one is expected")
    }
    guard case .string(let text) = try value() else { throw broken("not valid JSON") }
    return text
  }

  /// Takes a value whole.
  mutating func value() throws(Broken) -> Value {
    let length = try self.length()
    defer { window.skip(length) }
    guard length <= Self.maxValueBytes else { return .null }
    let bytes = window.bytes[window.start..<window.start + length]
    do throws(JSONError) {
      return try JSONParser().parse(Array(bytes))
    } catch {
      // Letters of another encoding are no reason to give a value up.
      if let value = try? JSONParser().parse(Array(String(foreign: bytes).utf8)) {
        return value
      }
      throw broken(error.message)
    }
  }

  /// Passes over a value without holding it.
  mutating func skipValue() throws(Broken) {
    guard let first = peek() else { throw cutOff }
    var depth = 0
    var isString = false
    if first != UInt8(ascii: "{"), first != UInt8(ascii: "["), first != UInt8(ascii: "\"") {
      _ = window.skip(until: { Self.endsWord($0) })
      return
    }
    repeat {
      if isString {
        guard
          window.skip(until: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }),
          let byte = window.byte()
        else { throw cutOff }
        guard window.ensure(byte == UInt8(ascii: "\\") ? 2 : 1) else { throw cutOff }
        window.skip(byte == UInt8(ascii: "\\") ? 2 : 1)
        if byte == UInt8(ascii: "\"") { isString = false }
      } else {
        guard
          window.skip(until: {
            $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[")
              || $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "]")
          }), let byte = window.byte()
        else { throw cutOff }
        window.skip(1)
        switch byte {
        case UInt8(ascii: "\""): isString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        default: depth -= 1
        }
      }
    } while depth > 0 || isString
  }

  /// How many bytes the next value has, all of which are then held.
  private mutating func length() throws(Broken) -> Int {
    guard let first = peek() else { throw cutOff }
    var offset = 0
    if first != UInt8(ascii: "{"), first != UInt8(ascii: "["), first != UInt8(ascii: "\"") {
      while let byte = window.byte(at: offset), !Self.endsWord(byte) { offset += 1 }
      if offset == 0 { throw broken("there is no value where one is expected") }
      return offset
    }
    var depth = 0
    var isString = false
    repeat {
      guard offset < Self.maxValueBytes * 2 else { throw broken("a value is too large") }
      guard let byte = window.byte(at: offset) else { throw cutOff }
      offset += 1
      switch byte {
      case UInt8(ascii: "\\") where isString: offset += 1
      case UInt8(ascii: "\""): isString.toggle()
      case UInt8(ascii: "{") where !isString, UInt8(ascii: "[") where !isString: depth += 1
      case UInt8(ascii: "}") where !isString, UInt8(ascii: "]") where !isString: depth -= 1
      default: break
      }
    } while depth > 0 || isString
    guard window.ensure(offset) else { throw cutOff }
    return offset
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    byte.isBlank || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}")
      || byte == UInt8(ascii: "]") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "\"")
  }
}
