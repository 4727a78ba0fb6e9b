import CEL
import Items
import Store
import StoreFixtures
import TestSupport

/// Random conditions over an entity, as text.
struct RandomCondition {
  /// The variables of conditions.
  static let variables: [String: Value] = [
    "word": .string("a"), "words": .list([.string("a"), .string("日本")]), "none": .list([]),
    "limit": .int(3), "nothing": .null, "odd": .list([.string("a"), .null, .int(3), .double(1)]),
    "moment": .timestamp(Timestamp(seconds: 1_795_046_400)),
  ]

  private let schema: EntitySchema

  init(_ schema: EntitySchema) {
    self.schema = schema
  }

  /// A condition.
  func text(depth: Int, using random: inout SeededGenerator) -> String {
    if depth > 0 {
      switch random.next() % 8 {
      case 0, 1, 2:
        let word = random.chance(oneIn: 2) ? " && " : " || "
        return (0...Int(random.next() % 3)).map { _ in
          "(\(text(depth: depth - 1, using: &random)))"
        }.joined(separator: word)
      case 3: return "!(\(text(depth: depth - 1, using: &random)))"
      case 4:
        let parts = (0..<3).map { _ in "(\(text(depth: depth - 1, using: &random)))" }
        return "\(parts[0]) ? \(parts[1]) : \(parts[2])"
      default: break
      }
    }
    return atom(using: &random)
  }

  private func atom(using random: inout SeededGenerator) -> String {
    let property = random.pick(schema.properties)
    let name = "self.\(property.name)"
    if random.chance(oneIn: 12) { return "has(\(name))" }
    if random.chance(oneIn: 12) { return "\(name) \(random.pick(["==", "!="])) null" }
    if random.chance(oneIn: 15) { return oddity(name, using: &random) }
    if case .list(let element) = property.type { return list(name, element, using: &random) }
    if random.chance(oneIn: 3) { return calculation(property, using: &random) }
    switch property.type {
    case .bool where random.chance(oneIn: 2): return name
    case .string, .url, .enumeration:
      if random.chance(oneIn: 2) { return textTest(name, using: &random) }
    default: break
    }
    let other = schema.properties.filter { $0.type == property.type && $0.name != property.name }
    let operand: String
    if !other.isEmpty, random.chance(oneIn: 3) {
      operand = "self.\(random.pick(other).name)"
    } else {
      operand = literal(of: property.type, using: &random)
    }
    if random.chance(oneIn: 5) {
      let rest = literal(of: property.type, using: &random)
      return "\(name) in [\(operand), \(rest)\(random.chance(oneIn: 3) ? ", null" : "")]"
    }
    let symbol = random.pick(["==", "!=", "<", "<=", ">", ">="])
    let isTurned = random.chance(oneIn: 4)
    return isTurned ? "\(operand) \(symbol) \(name)" : "\(name) \(symbol) \(operand)"
  }

  /// A condition that fits only some types, or cannot be expressed in SQL.
  private func oddity(_ name: String, using random: inout SeededGenerator) -> String {
    random.pick([
      "\(name) + 1 > 0", "\(name) == nothing", "\(name) in odd", "\(name) == 3", "\(name) == 'a'",
      "\(name) < 2.5", "self.id + 0 == 2", "self.id < limit", "self.createdAt < moment",
      "self.createdAt != self.updatedAt", "self.isSaved", "\(name) in nothing",
      "self.nonsense == 1",
      "string(\(name)) != 'a'", "nothing == null", "true", "false", "\(name) == \(name)",
    ])
  }

  // MARK: Calculations

  /// A comparison of a value computed from a property.
  private func calculation(
    _ property: PropertySchema, using random: inout SeededGenerator
  ) -> String {
    let (text, type) = calculated(property, depth: 2, using: &random)
    let symbol = random.pick(["==", "!=", "<", "<=", ">", ">=", "in"])
    if symbol == "in" {
      let values = (0..<3).map { _ in literal(of: type, using: &random) }
      return "\(text) in [\(values.joined(separator: ", "))]"
    }
    if random.chance(oneIn: 4) {
      let other = calculated(random.pick(schema.properties), depth: 1, using: &random)
      if other.type == type { return "\(text) \(symbol) \(other.text)" }
    }
    return "\(text) \(symbol) \(literal(of: type, using: &random))"
  }

  /// An expression of a type.
  private func calculated(
    _ property: PropertySchema, depth: Int, using random: inout SeededGenerator
  ) -> (text: String, type: DataType) {
    let name = "self.\(property.name)"
    if random.chance(oneIn: 12) { return ("self.id", .int) }
    if random.chance(oneIn: 12) { return ("self.updatedAt", .timestamp) }
    if depth == 0 { return (name, property.type) }
    if random.chance(oneIn: 3) {
      let value = literal(of: property.type, using: &random)
      let other = random.pick(schema.properties.filter { $0.type == property.type })
      let form = random.pick([
        "coalesce(\(name), \(value))", "self.?\(property.name).orValue(\(value))",
        "coalesce(\(name), self.\(other.name))", "(self.id > 2 ? \(name) : \(value))",
        "(has(\(name)) ? \(name) : self.\(other.name))",
        "coalesce(\(name), self.\(other.name), \(value))",
      ])
      return (form, property.type)
    }
    let inner = calculated(property, depth: depth - 1, using: &random)
    return operation(inner.text, inner.type, using: &random)
  }

  private func operation(
    _ text: String, _ type: DataType, using random: inout SeededGenerator
  ) -> (text: String, type: DataType) {
    let value = literal(of: type, using: &random)
    switch type {
    case .int:
      let symbol = random.pick(["+", "-", "*", "/", "%"])
      return random.pick([
        ("(\(text) \(symbol) \(random.pick(RandomEntity.ints)))", .int),
        ("(\(random.pick(RandomEntity.ints)) \(symbol) \(text))", .int),
        ("(\(text) \(symbol) self.id)", .int), ("(\(text) \(symbol) \(text))", .int),
        ("(-\(text))", .int), ("string(\(text))", .string), ("double(\(text))", .double),
        ("(\(text) % 7 * 3)", .int), ("(\(text) / 1000 + 5)", .int),
      ])
    case .double:
      let symbol = random.pick(["+", "-", "*", "/"])
      return random.pick([
        ("(\(text) \(symbol) \(Self.number(random.pick(RandomEntity.doubles))))", .double),
        ("(\(text) \(symbol) \(text))", .double), ("(-\(text))", .double),
        ("int(\(text))", .int),
      ])
    case .timestamp, .date:
      let length = literal(of: .duration, using: &random)
      let part = random.pick([
        "FullYear", "Month", "Date", "DayOfMonth", "DayOfWeek", "DayOfYear", "Hours", "Minutes",
        "Seconds", "Milliseconds",
      ])
      return random.pick([
        ("(\(text) + \(length))", .timestamp), ("(\(length) + \(text))", .timestamp),
        ("(\(text) - \(length))", .timestamp), ("(\(text) - \(value))", .duration),
        ("(\(value) - \(text))", .duration), ("(\(text) - self.createdAt)", .duration),
        ("\(text).get\(part)()", .int), ("int(\(text))", .int),
      ])
    case .duration:
      return random.pick([
        ("(\(text) + \(value))", .duration), ("(\(value) - \(text))", .duration),
        ("(\(text) + self.createdAt)", .timestamp), ("(self.updatedAt - \(text))", .timestamp),
        ("\(text).get\(random.pick(["Hours", "Minutes", "Seconds", "Milliseconds"]))()", .int),
      ])
    case .bool: return random.pick([("string(\(text))", .string), ("(!\(text))", .bool)])
    case .list(let element):
      return random.pick([
        ("(size(\(text)) * 2 - 1)", .int), ("\(text)[0]", element), ("\(text)[1]", element),
      ])
    default:
      let start = random.next() % 3
      let part = Self.quoted(random.pick(RandomEntity.texts))
      return random.pick([
        ("(\(text) + \(part))", .string), ("(\(part) + \(text))", .string),
        ("(\(text) + \(text))", .string), ("\(text).trim()", .string),
        ("\(text).substring(\(start))", .string),
        ("\(text).substring(\(start), \(random.next() % 4))", .string),
        ("\(text).charAt(\(start))", .string), ("\(text).indexOf(\(part))", .int),
        ("\(text).replace(\(part), \(value))", .string), ("size(\(text))", .int),
        ("string(\(text))", .string),
      ])
    }
  }

  // MARK: Tests of one kind

  private func textTest(_ name: String, using random: inout SeededGenerator) -> String {
    let subject = random.pick([name, name, "\(name).lowerAscii()", "\(name).upperAscii()"])
    let part = Self.quoted(random.pick(RandomEntity.texts))
    return random.pick([
      "\(subject).contains(\(part))", "\(subject).startsWith(\(part))",
      "\(subject).endsWith(\(part))", "size(\(subject)) \(random.pick(["<", "==", ">="])) 1",
      "\(subject).contains(word)", "\(subject) in words", "\(subject) == \(part)",
      "words.exists(w, \(subject).startsWith(w))", "words.all(w, \(subject) != w)",
      "\(subject).size() == \(name).size()", "\(subject) != \(name)",
      "\(name) == \(part) || \(name) == word", "\(name) in words || \(name) == \(part)",
      "\(subject).contains(\(name))", "\(subject).startsWith(\(name))",
      "(\(part) + \(subject)).endsWith(\(name))", "\(name).startsWith(\(part)) == false",
      "self.?\(name.dropFirst(5)).hasValue()",
    ])
  }

  private func list(
    _ name: String, _ element: DataType, using random: inout SeededGenerator
  ) -> String {
    let value = literal(of: element, using: &random)
    var forms = [
      "\(value) in \(name)", "!(\(value) in \(name))", "size(\(name)) > 1", "\(name) == []",
      "\(name).exists(x, x == \(value))", "\(name).all(x, x != \(value))", "null in \(name)",
      "\(name).exists(x, x < \(value))", "\(name).all(x, x >= \(value) || x in \(name))",
      "words.all(w, w in \(name))", "none.all(w, w in \(name))", "words.exists(w, w in \(name))",
      "\(name) == [\(value)]", "\(value) in \(name) && size(\(name)) < 3",
      "\(name).exists(x, \(value) == x)", "\(name).exists(x, x in [\(value), \(value)])",
      "\(value) in coalesce(\(name), [])", "\(value) in self.?\(name.dropFirst(5)).orValue([])",
      "size(coalesce(\(name), [])) % 2 == 0", "\(name)[0] == \(value)",
      "\(name).exists(x, \(name).exists(y, y == \(value)))",
      "\(name).exists(x, \(name).exists(x, x == \(value)))",
      "self.id / (size(\(name)) - 1) >= 0 && \(value) in \(name)",
    ]
    if element == .string {
      forms.append("\(name).exists(x, x.startsWith('a') && x != 'ab')")
      forms.append("\(name).all(x, x.contains(word))")
    }
    return random.pick(forms)
  }

  private func literal(of type: DataType, using random: inout SeededGenerator) -> String {
    if random.chance(oneIn: 30) { return "null" }
    switch type {
    case .int:
      return random.chance(oneIn: 4)
        ? Self.number(random.pick(RandomEntity.doubles)) : "\(random.pick(RandomEntity.ints))"
    case .double:
      return random.chance(oneIn: 4)
        ? "\(random.pick(RandomEntity.ints))" : Self.number(random.pick(RandomEntity.doubles))
    case .bool: return random.chance(oneIn: 2) ? "true" : "false"
    case .timestamp, .date:
      if random.chance(oneIn: 4) { return "moment" }
      let offset = random.pick(["0s", "1s", "-1s", "0.0000001s", "-0.0000001s", "24h"])
      return "timestamp('2026-11-18T12:00:00Z') + duration('\(offset)')"
    case .duration: return "duration('\(random.pick(["0s", "1s", "-0.5s", "24h", "3.0000015s"]))')"
    case .enumeration: return Self.quoted(random.pick(["low", "high", "unknown"]))
    case .list(let element): return "[\(literal(of: element, using: &random))]"
    default: return Self.quoted(random.pick(RandomEntity.texts))
    }
  }

  /// A floating-point number in CEL, which has no literal for infinity.
  private static func number(_ value: Double) -> String {
    value.isFinite ? "\(value)" : "double('\(value < 0 ? "-" : "")Infinity')"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
