import CEL
import Store
import StoreFixtures

/// Random conditions over an entity, as text.
struct RandomCondition {
  /// The variables that conditions may name.
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

  /// What only fits some types, or cannot be said in SQL.
  private func oddity(_ name: String, using random: inout SeededGenerator) -> String {
    random.pick([
      "\(name) + 1 > 0", "\(name) == nothing", "\(name) in odd", "\(name) == 3", "\(name) == 'a'",
      "\(name) < 2.5", "self.id + 0 == 2", "self.id < limit", "self.createdAt < moment",
      "self.createdAt != self.updatedAt", "self.isSaved", "\(name) in nothing",
      "self.nonsense == 1",
      "string(\(name)) != 'a'", "nothing == null", "true", "false", "\(name) == \(name)",
    ])
  }

  private func textTest(_ name: String, using random: inout SeededGenerator) -> String {
    let subject = random.pick([name, name, "\(name).lowerAscii()", "\(name).upperAscii()"])
    let part = Self.quoted(random.pick(RandomEntity.texts))
    return random.pick([
      "\(subject).contains(\(part))", "\(subject).startsWith(\(part))",
      "\(subject).endsWith(\(part))", "size(\(subject)) \(random.pick(["<", "==", ">="])) 1",
      "\(subject).contains(word)", "\(subject) in words", "\(subject) == \(part)",
      "words.exists(w, \(subject).startsWith(w))", "words.all(w, \(subject) != w)",
      "\(subject).size() == \(name).size()", "\(subject) != \(name)",
    ])
  }

  private func list(
    _ name: String, _ element: PropertyType, using random: inout SeededGenerator
  ) -> String {
    let value = literal(of: element, using: &random)
    var forms = [
      "\(value) in \(name)", "!(\(value) in \(name))", "size(\(name)) > 1", "\(name) == []",
      "\(name).exists(x, x == \(value))", "\(name).all(x, x != \(value))", "null in \(name)",
      "\(name).exists(x, x < \(value))", "\(name).all(x, x >= \(value) || x in \(name))",
      "words.all(w, w in \(name))", "none.all(w, w in \(name))", "words.exists(w, w in \(name))",
      "\(name) == [\(value)]", "\(value) in \(name) && size(\(name)) < 3",
    ]
    if element == .string {
      forms.append("\(name).exists(x, x.startsWith('a') && x != 'ab')")
      forms.append("\(name).all(x, x.contains(word))")
    }
    return random.pick(forms)
  }

  private func literal(of type: PropertyType, using random: inout SeededGenerator) -> String {
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

  /// A floating-point number in CEL, which has no literal for the infinite ones.
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
