import CEL

/// Functions on any value, on the environment and on chance.
enum GeneralFunctions {
  /// Their names.
  static let names = ["coalesce", "uuid", "env", "random", "plural", "online"]

  /// All of them.
  static func all(_ context: FunctionContext) -> [Function] {
    [
      Function(
        "coalesce", list: [.parameter("T")], returns: .parameter("T"), isVariadic: true
      ) { (values: [Value]) throws(EvaluationError) in coalesce(values) },
      Function("uuid") { () throws(EvaluationError) in
        UUID.text(from: context.randomBytes(16))
      },
      Function("random") { () throws(EvaluationError) in fraction(context.randomBytes(8)) },
      Function(
        "random", .global, [.list(.parameter("T"))], returns: .parameter("T"), isPure: false
      ) { (items: [Value]) throws(EvaluationError) -> Value in
        guard !items.isEmpty else {
          throw EvaluationError("random takes one of a list, and the list is empty")
        }
        let index = Int(fraction(context.randomBytes(8)) * Double(items.count))
        return items[min(index, items.count - 1)]
      },
      Function("plural") { (count: Int64, one: String, other: String) in
        count == 1 || count == -1 ? one : other
      },
      Function("online") { () throws(EvaluationError) in context.isOnline() },
      Function("env", .global, [.string], returns: .nullable(.string), isPure: false) {
        (name: String) throws(EvaluationError) -> Value in
        guard context.mayRead(name) else { throw unreadable(name) }
        return context.environment(name).map { .string($0) } ?? .null
      }.trying(at: 0) { name throws(EvaluationError) in
        if !context.mayRead(name.text) { throw unreadable(name.text) }
      },
    ]
  }

  private static func unreadable(_ name: String) -> EvaluationError {
    EvaluationError(
      "the variable “\(name)” of the environment may not be read; "
        + "names that begin with ERRAND_VAR_ may",
      code: .failed)
  }

  /// A number from 0 up to 1, without 1, of the highest 53 of 64 random bits.
  private static func fraction(_ bytes: [UInt8]) -> Double {
    let bits = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Double(bits >> 11) * 0x1p-53
  }

  /// The first value that is not null; an optional counts as what it holds.
  static func coalesce(_ values: [Value]) -> Value {
    for value in values {
      switch value {
      case .null: continue
      case .optional(let optional):
        if let wrapped = optional.wrapped, case let found = coalesce([wrapped]), found != .null {
          return found
        }
      default: return value
      }
    }
    return .null
  }
}

/// A random identifier of 128 bits (RFC 9562, version 4).
package enum UUID {
  /// The text of an identifier made from 16 random bytes.
  package static func text(from random: [UInt8]) -> String {
    var bytes = Array(random.prefix(16))
    bytes.append(contentsOf: repeatElement(0, count: 16 - bytes.count))
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 0xF)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
