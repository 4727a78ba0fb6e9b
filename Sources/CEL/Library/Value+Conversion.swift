extension Value {
  /// Converts the value to another basic type; nil if impossible.
  func converted(to type: CELType) -> Value? {
    switch (type, self) {
    case (.int, .int), (.uint, .uint), (.double, .double), (.bool, .bool), (.bytes, .bytes),
      (.string, .string):
      return self
    case (.int, .uint(let value)): return Int64(exactly: value)?.value
    // The bounds themselves are excluded: 2⁶³ is the double nearest to `Int64.max`.
    case (.int, .double(let value)) where value > -0x1p63 && value < 0x1p63:
      return .int(Int64(value))
    case (.int, .string(let text)) where Self.isDecimal(text): return Int64(text)?.value
    case (.int, .timestamp(let moment)): return .int(moment.seconds)
    case (.int, .duration(let duration)): return duration.totalNanoseconds?.value
    case (.uint, .int(let value)): return UInt64(exactly: value)?.value
    case (.uint, .double(let value)) where value >= 0 && value < 0x1p64:
      return .uint(UInt64(value))
    case (.uint, .string(let text)) where Self.isDecimal(text): return UInt64(text)?.value
    case (.double, .int(let value)): return .double(Double(value))
    case (.double, .uint(let value)): return .double(Double(value))
    case (.double, .string(let text)): return Self.double(text)?.value
    case (.bool, .string(let text)):
      switch text {
      case "true", "True", "TRUE", "t", "1": return .bool(true)
      case "false", "False", "FALSE", "f", "0": return .bool(false)
      default: return nil
      }
    case (.bytes, .string(let text)): return .bytes(Array(text.utf8))
    case (.string, .bytes(let bytes)): return String(validating: bytes, as: UTF8.self)?.value
    case (.string, _): return .string(text)
    default: return nil
    }
  }

  /// Rejects a leading plus sign, which Swift would accept.
  private static func isDecimal(_ text: String) -> Bool {
    let first = text.utf8.first
    return first != nil && first != UInt8(ascii: "+")
  }

  private static func double(_ text: String) -> Double? {
    switch text {
    case "NaN", "nan": .nan
    case "Infinity", "+Infinity", "Inf", "+Inf", "inf", "+inf": .infinity
    case "-Infinity", "-Inf", "-inf": -.infinity
    default:
      // Hexadecimal floats and Swift's own spellings of infinity are not accepted.
      text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
        ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
    }
  }
}
