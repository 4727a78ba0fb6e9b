import CEL
import ForeignText
import JSON

/// A pull parser of JSON, so that a file of any size needs little memory.
///
/// The caller enters objects and lists; values it does not want are skipped, and values it wants are parsed by
/// `JSONParser`.
struct JSONPieces {
  /// A syntax error and its line.
  struct Broken: Error {
    let line: Int
    let reason: String
  }

  private(set) var window: ByteWindow
  /// Maximum size in bytes of a value that is parsed as a whole.
  private static let maxValueBytes = 16 << 20

  init(_ window: ByteWindow) {
    self.window = window
  }

  /// Returns the next byte that is not blank; nil at the end.
  mutating func peek() -> UInt8? {
    guard window.skip(until: { !$0.isBlank }) else { return nil }
    return window.byte()
  }

  /// Consumes a mark such as `{`; returns whether it was next.
  mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard let byte = peek(), UInt32(byte) == mark.value else { return false }
    window.skip(1)
    return true
  }

  /// Consumes a required mark.
  mutating func expect(_ mark: Unicode.Scalar) throws(Broken) {
    if !take(mark) {
      throw peek() == nil ? cutOff : broken("expected `\(mark)`")
    }
  }

  /// The error for a truncated file.
  var cutOff: Broken { broken("the file ends early") }

  func broken(_ reason: String) -> Broken { Broken(line: window.line, reason: reason) }

  /// Consumes a string.
  mutating func string() throws(Broken) -> String {
    guard peek() == UInt8(ascii: "\"") else {
      throw peek() == nil ? cutOff : broken("expected a string")
    }
    guard case .string(let text) = try value() else { throw broken("not valid JSON") }
    return text
  }

  /// Consumes a whole value.
  mutating func value() throws(Broken) -> Value {
    let length = try self.length()
    defer { window.skip(length) }
    guard length <= Self.maxValueBytes else { return .null }
    let bytes = window.bytes[window.start..<window.start + length]
    do throws(JSONError) {
      return try JSONParser().parse(Array(bytes))
    } catch {
      // Accept strings in another encoding.
      if let value = try? JSONParser().parse(Array(String(foreign: bytes).utf8)) {
        return value
      }
      throw broken(error.message)
    }
  }

  /// Skips a value without buffering it; returns whether it holds anything: null, false and what is empty do not.
  @discardableResult
  mutating func skipValue() throws(Broken) -> Bool {
    guard let first = peek() else { throw cutOff }
    let next = window.byte(at: 1)
    let isFilled =
      switch first {
      case UInt8(ascii: "n"), UInt8(ascii: "f"): false
      case UInt8(ascii: "\""): next != UInt8(ascii: "\"")
      case UInt8(ascii: "["): next != UInt8(ascii: "]")
      case UInt8(ascii: "{"): next != UInt8(ascii: "}")
      default: true
      }
    var depth = 0
    var isString = false
    if first != UInt8(ascii: "{"), first != UInt8(ascii: "["), first != UInt8(ascii: "\"") {
      _ = window.skip(until: { Self.endsWord($0) })
      return isFilled
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
    return isFilled
  }

  /// Returns the length of the next value in bytes and buffers all of it.
  private mutating func length() throws(Broken) -> Int {
    guard let first = peek() else { throw cutOff }
    var offset = 0
    if first != UInt8(ascii: "{"), first != UInt8(ascii: "["), first != UInt8(ascii: "\"") {
      while let byte = window.byte(at: offset), !Self.endsWord(byte) { offset += 1 }
      if offset == 0 { throw broken("expected a value") }
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
