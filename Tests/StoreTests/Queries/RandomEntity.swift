import CEL
import Items
import Store
import StoreFixtures
import TestSupport

/// Random schemas and values, including edge cases for databases and text.
enum RandomEntity {
  static let texts = [
    "", "a", "A", "ab", "abc", "aB%", "a_b", "%", "_", "'", "\"", "\\", "é", "e\u{301}", "É", "日本",
    "🕊", "🇩🇪", "ß", "ss", "10", "1e3", "null", "\n", "a\tb", "ſ", "İ", "\u{FEFF}x", "zz",
    "\u{D7FF}", "\u{E000}a", "\u{10FFFF}", "a\u{10FFFF}b", " a\u{3000}", "\u{85}",
  ]
  static let ints: [Int64] = [
    0, 1, -1, 2, 3, 10, 255, 1 << 31, 1 << 53, (1 << 53) + 1, .max, .max - 1, .min, .min + 1,
  ]
  /// Integers that are exact as doubles.
  private static let exactInts = ints.filter { Double(exactly: $0) != nil }
  static let doubles: [Double] = [
    0, -0.0, 1, -1, 0.5, 2, 3, 1e300, -1e300, 9_007_199_254_740_992, 9.3e18, .infinity,
    -.infinity, 2.2250738585072014e-308,
  ]
  static let moments = [
    Timestamp(seconds: 0), Timestamp(seconds: 1_795_000_000, nanoseconds: 1_000),
    Timestamp(seconds: 1_795_046_400), Timestamp(seconds: -1, nanoseconds: 999_999_000),
    Timestamp(seconds: -62_135_596_800), Timestamp(seconds: 253_402_300_799),
    Timestamp.latest, Timestamp(seconds: 1_795_132_800), Timestamp(seconds: 1_795_003_200),
  ]
  static let lengths = [
    DurationValue(seconds: 0), DurationValue(seconds: 1),
    DurationValue(seconds: -1, nanoseconds: 500_000_000),
    DurationValue(seconds: 86_400), DurationValue(seconds: 3, nanoseconds: 1_000),
    DurationValue(totalNanoseconds: .max), DurationValue(totalNanoseconds: .min),
    DurationValue(totalNanoseconds: .max / 2),
  ]

  private static let plainTypes: [DataType] = [
    .string, .int, .double, .bool, .url, .timestamp, .date, .duration,
    .enumeration(["low", "medium", "high"]),
  ]

  /// A schema with up to eight properties.
  static func schema(using random: inout SeededGenerator) -> EntitySchema {
    let properties = (0...Int(random.next() % 8)).map { number -> PropertySchema in
      var type = random.pick(plainTypes)
      if random.chance(oneIn: 3) { type = .list(type) }
      return PropertySchema(
        name: "p\(number)", type: type, isOptional: random.chance(oneIn: 2),
        searchWeight: random.chance(oneIn: 3) ? 2 : nil, isIndexed: random.chance(oneIn: 2))
    }
    return EntitySchema(name: "Thing", properties: properties)
  }

  /// The schema with some types changed to others that stored values can be migrated to.
  static func changed(
    _ schema: EntitySchema, using random: inout SeededGenerator
  ) -> EntitySchema {
    let properties = schema.properties.map { property in
      var type = property.type
      switch type {
      case .list: break
      case .int where random.chance(oneIn: 2): type = .double
      default: if random.chance(oneIn: 3) { type = .list(type) }
      }
      return PropertySchema(
        name: property.name, type: type, isOptional: property.isOptional,
        searchWeight: property.searchWeight, isIndexed: property.isIndexed)
    }
    return EntitySchema(name: schema.name, properties: properties)
  }

  /// Values for all properties, some of them null.
  ///
  /// - Parameter next: The changed schema to which the values must be convertible.
  static func values(
    of schema: EntitySchema, before next: EntitySchema? = nil,
    using random: inout SeededGenerator
  ) -> [(name: String, value: Value)] {
    schema.properties.enumerated().map { index, property in
      let isNull = property.isOptional && random.chance(oneIn: 3)
      if isNull { return (property.name, .null) }
      if property.type == .int, next?.properties[index].type == .double {
        return (property.name, .int(random.pick(exactInts)))
      }
      return (property.name, value(of: property.type, using: &random))
    }
  }

  /// A value of a type.
  static func value(of type: DataType, using random: inout SeededGenerator) -> Value {
    switch type {
    case .int: .int(random.pick(ints))
    case .double: .double(random.pick(doubles))
    case .bool: .bool(random.chance(oneIn: 2))
    case .timestamp, .date: .timestamp(random.pick(moments))
    case .duration: .duration(random.pick(lengths))
    case .enumeration(let values): .string(random.pick(values))
    case .list(let element):
      .list((0..<random.next() % 4).map { _ in value(of: element, using: &random) })
    default: .string(random.pick(texts))
    }
  }
}
