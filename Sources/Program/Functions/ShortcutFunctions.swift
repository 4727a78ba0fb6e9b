import CEL
import Items
import JSON

/// The conversions of Apple's Shortcuts, for shortcuts that were converted from its files: any value
/// is a text, a number, a list or a dictionary there.
enum ShortcutFunctions {
  /// Rows of the function table.
  static let table = [
    FunctionRow("toText") {
      Function($0, .global, [.dyn], returns: .string) {
        (value: Value) throws(EvaluationError) -> Value in .string(text(of: value))
      }
    },
    FunctionRow("toNumber") {
      Function($0, .global, [.dyn], returns: .double) {
        (value: Value) throws(EvaluationError) -> Value in .double(number(of: value))
      }
    },
    FunctionRow("toList") {
      Function($0, .global, [.dyn], returns: .list(.dyn)) {
        (value: Value) throws(EvaluationError) -> Value in .list(list(of: value))
      }
    },
    FunctionRow("toDictionary") {
      Function($0, .global, [.dyn], returns: .dyn) {
        (value: Value) throws(EvaluationError) -> Value in dictionary(of: value)
      }
    },
    FunctionRow("hasValue") {
      Function($0, .global, [.dyn], returns: .bool) {
        (value: Value) throws(EvaluationError) -> Value in
        .bool(list(of: value).contains { text(of: $0) != "" })
      }
    },
    FunctionRow("valueFor") {
      Function($0, .global, [.dyn, .string], returns: .dyn) {
        (value: Value, key: Value) throws(EvaluationError) -> Value in
        Self.value(for: key.text, in: dictionary(of: value))
      }
    },
  ]

  /// The text of a value: the items of a list in lines, a dictionary as JSON, numbers without a
  /// needless fraction.
  static func text(of value: Value) -> String {
    switch value {
    case .null: ""
    case .string(let text): text
    case .bool(let flag): flag ? "Yes" : "No"
    case .double(let number) where number == number.rounded() && number.magnitude < 1e15:
      String(Int64(number))
    case .list(let values): values.map(text).joined(separator: "\n")
    case .map: (try? JSONWriter().text(of: value)) ?? ""
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
    case .optional(let optional): text(of: optional.wrapped ?? .null)
    default: value.text
    }
  }

  /// The number with which a text begins; 0 without one.
  static func number(of value: Value) -> Double {
    switch value {
    case .int(let number): return Double(number)
    case .uint(let number): return Double(number)
    case .double(let number): return number
    case .bool(let flag): return flag ? 1 : 0
    case .list(let values): return values.first.map(number) ?? 0
    default: break
    }
    let text = text(of: value).drop(while: \.isWhitespace)
    var digits = ""
    for letter in text {
      let isSign = letter == "-" && digits.isEmpty
      guard letter.isASCII, letter.isNumber || isSign || letter == "." && !digits.contains(".")
      else { break }
      digits.append(letter)
    }
    while digits.last == "." { digits.removeLast() }
    return Double(digits) ?? 0
  }

  /// The items of a value: nothing has none, what is no list is one.
  static func list(of value: Value) -> [Value] {
    switch value {
    case .null: []
    case .list(let values): values
    default: [value]
    }
  }

  /// A dictionary from its JSON, or from `a=b&c=d`; null from other text.
  static func dictionary(of value: Value) -> Value {
    switch value {
    case .map, .null: return value
    case .list(let values) where values.count == 1: return dictionary(of: values[0])
    case .list(let values): return .list(values.map(dictionary))
    default: break
    }
    let text = text(of: value)
    if let parsed = try? JSONParser().parse(text) {
      switch parsed {
      case .map, .list: return parsed
      default: return .null
      }
    }
    var map = MapValue()
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return .null }
      map[String(parts[0])] = .string(String(parts[1]))
    }
    return map.isEmpty ? .null : .map(map)
  }

  /// The value of a key: one that is there as it stands, or a path with dots; of a list of
  /// dictionaries the values of all.
  static func value(for key: String, in value: Value) -> Value {
    switch value {
    case .list(let values):
      return .list(values.map { Self.value(for: key, in: $0) }.filter { $0 != .null })
    case .map(let map):
      if let found = map[key] { return found }
      guard let dot = key.firstIndex(of: "."), let inner = map[String(key[..<dot])] else {
        return .null
      }
      let rest = String(key[key.index(after: dot)...])
      if case .list(let values) = inner, let place = Int(rest.prefix { $0 != "." }), place > 0,
        place <= values.count
      {
        let found = values[place - 1]
        guard let next = rest.firstIndex(of: ".") else { return found }
        return Self.value(for: String(rest[rest.index(after: next)...]), in: found)
      }
      return Self.value(for: rest, in: dictionary(of: inner))
    default: return .null
    }
  }
}
