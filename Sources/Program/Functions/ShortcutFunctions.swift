package import CEL
import ForeignText
import Glibc
import Items
import JSON

/// The conversions of Apple's Shortcuts, for shortcuts that were converted from its files: any value
/// is a text, a number, a list or a dictionary there.
package enum ShortcutFunctions {
  /// Rows of the function table.
  ///
  /// Many are not pure, so that a constant that does not fit fails when it runs: a check would refuse
  /// the whole shortcut.
  static let table = [
    FunctionRow(in: "toText") { name, context in
      Function(name, .global, [.dyn], returns: .string) {
        (value: Value) throws(EvaluationError) -> Value in .string(text(of: value, context.clock))
      }
    },
    FunctionRow("toNumber") {
      Function($0, .global, [.dyn], returns: .double) {
        (value: Value) throws(EvaluationError) -> Value in .double(number(of: value))
      }
    },
    FunctionRow("toList") {
      Function($0, .global, [.dyn], returns: .list(.dyn), isPure: false) {
        (value: Value) throws(EvaluationError) -> Value in .list(list(of: value))
      }
    },
    FunctionRow("itemAt") {
      Function($0, .global, [.dyn, .int], returns: .dyn, isPure: false) {
        (value: Value, place: Value) throws(EvaluationError) -> Value in
        let items = list(of: value)
        guard case .int(let place) = place, place >= 1, place <= items.count else {
          throw EvaluationError("there is no item \(place.text) in a list of \(items.count)")
        }
        return items[Int(place) - 1]
      }
    },
    FunctionRow(in: "toLines") { name, context in
      Function(name, .global, [.dyn], returns: .list(.string), isPure: false) {
        (value: Value) throws(EvaluationError) -> Value in
        .list(lines(of: text(of: value, context.clock)).map { .string($0) })
      }
    },
    FunctionRow("toDictionary") {
      Function($0, .global, [.dyn], returns: .dyn) {
        (value: Value) throws(EvaluationError) -> Value in dictionary(of: value)
      }
    },
    FunctionRow(in: "toDate") { name, context in
      Function(name, .global, [.dyn], returns: .timestamp, isPure: false) {
        (value: Value) throws(EvaluationError) -> Value in .timestamp(try date(of: value, context))
      }
    },
    FunctionRow("toURL") {
      Function($0, .global, [.dyn], returns: .string, isPure: false) {
        (value: Value) throws(EvaluationError) -> Value in
        .string(ShortcutTexts.address(text(of: value)))
      }
    },
    FunctionRow("toBytes") {
      Function($0, .global, [.dyn], returns: .bytes) {
        (value: Value) throws(EvaluationError) -> Value in
        if case .bytes = value { value } else { .bytes(Array(text(of: value).utf8)) }
      }
    },
    FunctionRow("hasValue") {
      Function($0, .global, [.dyn], returns: .bool) {
        (value: Value) throws(EvaluationError) -> Value in
        .bool(list(of: value).contains { text(of: $0) != "" })
      }
    },
    FunctionRow("isText") {
      Function($0, .global, [.dyn, .string], returns: .bool) {
        (value: Value, other: Value) throws(EvaluationError) -> Value in
        .bool(Self.is(value, other.text))
      }
    },
    FunctionRow("itemsIn") {
      Function($0, .global, [.dyn, .int, .int], returns: .list(.dyn), isPure: false) {
        (value: Value, first: Value, last: Value) throws(EvaluationError) -> Value in
        .list(items(in: list(of: value), first, last))
      }
      Function($0, .global, [.dyn, .int], returns: .list(.dyn), isPure: false) {
        (value: Value, first: Value) throws(EvaluationError) -> Value in
        .list(items(in: list(of: value), first, .int(.max)))
      }
    },
    FunctionRow("choicesOf") {
      Function($0, .global, [.dyn], returns: .list(.dyn), isPure: false) {
        (value: Value) throws(EvaluationError) -> Value in
        if case .map(let map) = single(value) { return .list(map.entries.map { $0.key }) }
        return .list(list(of: value))
      }
    },
    FunctionRow("chosenFrom") {
      Function($0, .global, [.dyn, .dyn], returns: .dyn) {
        (value: Value, choice: Value) throws(EvaluationError) -> Value in
        guard case .map(let map) = single(value) else { return choice }
        if case .list(let keys) = choice { return .list(keys.compactMap { map[$0.text] }) }
        return map[choice.text] ?? .null
      }
    },
    FunctionRow("valueFor") {
      Function($0, .global, [.dyn, .string], returns: .dyn) {
        (value: Value, key: Value) throws(EvaluationError) -> Value in
        Self.value(for: key.text, in: dictionary(of: value))
      }
    },
    FunctionRow("withKey") {
      Function($0, .global, [.dyn, .string, .dyn], returns: .map(.string, .dyn)) {
        (value: Value, key: Value, new: Value) throws(EvaluationError) -> Value in
        var map = MapValue()
        if case .map(let known) = dictionary(of: value) { map = known }
        map[key.text] = new
        return .map(map)
      }
    },
    FunctionRow("keysOf") {
      Function($0, .global, [.dyn], returns: .list(.string), isPure: false) {
        (value: Value) throws(EvaluationError) -> Value in
        .list(entries(of: value).map { .string($0.key) })
      }
    },
    FunctionRow("valuesOf") {
      Function($0, .global, [.dyn], returns: .list(.dyn), isPure: false) {
        (value: Value) throws(EvaluationError) -> Value in
        .list(entries(of: value).map(\.value))
      }
    },
    FunctionRow("needed") {
      Function($0, .global, [.dyn, .string], returns: .dyn, isPure: false) {
        (value: Value, message: Value) throws(EvaluationError) -> Value in
        if case .null = value { throw EvaluationError(message.text) }
        return value
      }
    },
    FunctionRow("itemType") {
      Function($0, .global, [.dyn], returns: .string) {
        (value: Value) throws(EvaluationError) -> Value in .string(type(of: value))
      }
    },
  ]

  /// Whether any item of a value, as text, is a text; a Boolean is a word or a number, too.
  private static func `is`(_ value: Value, _ other: String) -> Bool {
    switch value {
    case .null: return other.isEmpty
    case .list(let values):
      return values.contains { Self.is($0, other) } || text(of: value) == other
    case .bool(let flag):
      // Old files compare with a number or `true`.
      let words = flag ? ["yes", "1", "true"] : ["no", "0", "false"]
      return words.contains(other.lowercased())
    default: return text(of: value) == other
    }
  }

  /// The items from one place to another, from 1; places behind the end have none.
  private static func items(in list: [Value], _ first: Value, _ last: Value) -> [Value] {
    guard case .int(let first) = first, case .int(let last) = last else { return [] }
    let start = Int(clamping: max(first, 1)) - 1
    let end = Int(clamping: min(last, Int64(list.count)))
    return start < end ? Array(list[start..<end]) : []
  }

  /// A value; of a list of one item that item.
  private static func single(_ value: Value) -> Value {
    if case .list(let values) = value, values.count == 1 { return values[0] }
    return value
  }

  /// The text of a value: the items of a list in lines, a dictionary as JSON, numbers without a
  /// needless fraction, dates in English.
  package static func text(of value: Value, _ clock: LocalClock = .utc) -> String {
    switch value {
    case .null: ""
    case .string(let text): text
    case .bool(let flag): flag ? "Yes" : "No"
    case .double(let number): text(of: number)
    case .list(let values): values.map { text(of: $0, clock) }.joined(separator: "\n")
    case .map: (try? JSONWriter().text(of: value)) ?? ""
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
    case .timestamp(let moment):
      (try? DatePattern("MMM d, yyyy 'at' h:mm a").text(of: moment, in: clock.zone)) ?? ""
    case .optional(let optional): text(of: optional.wrapped ?? .null, clock)
    default: value.text
    }
  }

  /// A number with at most 16 digits, so that 0.1 + 0.2 is 0.3, and 71.6 is itself.
  private static func text(of number: Double) -> String {
    if number == number.rounded(), number.magnitude < 1e15 { return String(Int64(number)) }
    var buffer = [CChar](repeating: 0, count: 40)
    let count = withVaList([number]) { vsnprintf(&buffer, buffer.count, "%.16g", $0) }
    let short = String(
      decoding: buffer.prefix(Int(max(0, count))).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let exact = "\(number)"
    return exact.utf8.count < short.utf8.count ? exact : short
  }

  /// The lines of a text, empty ones, too.
  static func lines(of text: String) -> [String] {
    // In Swift, CR LF is a single character.
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
      .map(String.init)
  }

  /// The moment of a value: a date, or a text in one of many forms.
  private static func date(
    of value: Value, _ context: FunctionContext
  ) throws(EvaluationError) -> Timestamp {
    if case .timestamp(let moment) = value { return moment }
    if case .list(let values) = value, let first = values.first {
      return try date(of: first, context)
    }
    let text = text(of: value)
    if let moment = DateReader(now: context.now(), clock: context.clock).timestamp(text) {
      return moment
    }
    if let date = ForeignDate(text),
      let moment = date.moment(local: { context.clock.moment(of: $0) })
    {
      return moment
    }
    throw EvaluationError("\(Value.string(String(text.prefix(100)))) is not a date")
  }

  /// The name of the kind of a value in Apple's app.
  private static func type(of value: Value) -> String {
    switch value {
    case .null: ""
    case .string(let text):
      ["http://", "https://"].contains { text.hasPrefix($0) } ? "URL" : "Text"
    case .int, .uint, .double: "Number"
    case .bool: "Boolean"
    case .timestamp: "Date"
    case .map: "Dictionary"
    case .list(let values): values.first.map { type(of: $0) } ?? ""
    case .bytes: "File"
    default: "Text"
    }
  }

  /// The entries of a dictionary, or of all in a list.
  private static func entries(of value: Value) -> [(key: String, value: Value)] {
    switch dictionary(of: value) {
    case .map(let map): map.entries.map { ($0.key.text, $0.value) }
    case .list(let values): values.flatMap { entries(of: $0) }
    default: []
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

  /// The items of a value: none for null, the value itself if it is not a list.
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
    if text.hasPrefix("<?xml") || text.hasPrefix("<plist") || text.hasPrefix("<!DOCTYPE plist"),
      let (value, isWhole) = try? PropertyList.value(of: Array(text.utf8)), isWhole
    {
      if case .map = value { return value }
      if case .list = value { return value }
      return .null
    }
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

  /// The value of a key: an exact key if present, otherwise a path with dots; for a list of
  /// dictionaries, the values of all.
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
