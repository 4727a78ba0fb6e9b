extension Value {
  /// The value as another of the basic types; nil when it does not fit.
  func converted(to type: CELType) -> Value? {
    switch type {
    case .int: toInt.map(Value.int)
    case .uint: toUInt.map(Value.uint)
    case .double: toDouble.map(Value.double)
    case .bool: toBool.map(Value.bool)
    case .bytes: toBytes.map(Value.bytes)
    case .string: toText.map(Value.string)
    default: nil
    }
  }

  private var toInt: Int64? {
    switch self {
    case .int(let value): value
    case .uint(let value): Int64(exactly: value)
    // The bounds themselves are refused: as doubles they are not what they seem.
    case .double(let value): value > -0x1p63 && value < 0x1p63 ? Int64(value) : nil
    case .string(let text): Self.isDecimal(text) ? Int64(text) : nil
    case .timestamp(let moment): moment.seconds
    case .duration(let duration): duration.totalNanoseconds
    default: nil
    }
  }

  private var toUInt: UInt64? {
    switch self {
    case .uint(let value): value
    case .int(let value): UInt64(exactly: value)
    case .double(let value): value >= 0 && value < 0x1p64 ? UInt64(value) : nil
    case .string(let text): Self.isDecimal(text) ? UInt64(text) : nil
    default: nil
    }
  }

  private var toDouble: Double? {
    switch self {
    case .double(let value): value
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .string(let text): Self.double(text)
    default: nil
    }
  }

  private var toBool: Bool? {
    switch self {
    case .bool(let value): value
    case .string("true"), .string("True"), .string("TRUE"), .string("t"), .string("1"): true
    case .string("false"), .string("False"), .string("FALSE"), .string("f"), .string("0"): false
    default: nil
    }
  }

  private var toBytes: [UInt8]? {
    switch self {
    case .bytes(let value): value
    case .string(let text): Array(text.utf8)
    default: nil
    }
  }

  private var toText: String? {
    switch self {
    case .bytes(let bytes): String(validating: bytes, as: UTF8.self)
    case .string(let text): text
    default: text
    }
  }

  /// Swift would also read a leading plus sign.
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
      // Hexadecimal floats and Swift's own spellings of infinity are not for people.
      text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
        ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
    }
  }
}
