import CEL
import Items

/// Functions on any value, the environment and randomness.
enum GeneralFunctions {
  /// Rows of the function table.
  static let table = [
    FunctionRow("coalesce") {
      Function($0, list: [.parameter("T")], returns: .parameter("T"), isVariadic: true) {
        (values: [Value]) throws(EvaluationError) in coalesce(values)
      }
    },
    FunctionRow(in: "uuid") { name, context in
      Function(name) { () throws(EvaluationError) in UUID.text(from: context.randomBytes(16)) }
    },
    FunctionRow(in: "random") { name, context in
      Function(name) { () throws(EvaluationError) in fraction(context.randomBytes(8)) }
      Function(
        name, .global, [.list(.parameter("T"))], returns: .parameter("T"), isPure: false
      ) { (items: [Value]) throws(EvaluationError) -> Value in
        guard !items.isEmpty else {
          throw EvaluationError("random needs a list with at least one element")
        }
        let index = Int(fraction(context.randomBytes(8)) * Double(items.count))
        return items[min(index, items.count - 1)]
      }
    },
    FunctionRow(in: "plural") { name, context in
      Function(name) { (count: Int64, one: String, other: String) in
        context.language.category(of: count) == "one" ? one : other
      }
      Function(name, .global, [.int, .map(.string, .string)], returns: .string) {
        (count: Value, forms: Value) throws(EvaluationError) -> Value in
        guard case .int(let count) = count, case .map(let forms) = forms else { return .null }
        let category = Value.string(context.language.category(of: count))
        guard let form = forms[category] ?? forms["other"] else {
          throw EvaluationError("plural needs the form “other”", code: .noSuchKey)
        }
        return form
      }
    },
    FunctionRow(in: "listed") { name, context in
      Function(name, .method) { (texts: [String]) in context.language.joined(texts) }
    },
    FunctionRow(in: "online") { name, context in
      Function(name) { () throws(EvaluationError) in context.isOnline() }
    },
    FunctionRow(in: "env") { name, context in
      Function(name, .global, [.string], returns: .nullable(.string), isPure: false) {
        (name: String) throws(EvaluationError) -> Value in
        guard context.mayRead(name) else { throw unreadable(name) }
        return context.environment(name).map { .string($0) } ?? .null
      }.trying(at: 0) { name throws(EvaluationError) in
        if !context.mayRead(name.text) { throw unreadable(name.text) }
      }
    },
  ]

  private static func unreadable(_ name: String) -> EvaluationError {
    EvaluationError(
      "the environment variable “\(name)” is not readable; "
        + "names that begin with ERRAND_VAR_ are",
      code: .failed,
      help: ["KEY", "TOKEN", "SECRET", "PASS"].contains { name.contains($0) }
        ? "store it by `errand secret set \(name)`, and write `secret(\"\(name)\")`" : nil)
  }

  /// A number in 0..<1 from the upper 53 of 64 random bits.
  private static func fraction(_ bytes: [UInt8]) -> Double {
    let bits = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Double(bits >> 11) * 0x1p-53
  }

  /// Returns the first value that is not null; optionals are unwrapped.
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

/// Random UUIDs (RFC 9562, version 4).
package enum UUID {
  /// Returns the text of a UUID made from 16 random bytes.
  package static func text(from random: [UInt8]) -> String {
    var bytes = Array(random.prefix(16))
    bytes.append(contentsOf: repeatElement(0, count: 16 - bytes.count))
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return GlobalID(bytes: bytes)?.text ?? ""
  }
}
