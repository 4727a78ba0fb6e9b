package import CEL
import JSON

/// The JSON form of deltas on the hub, and of the stamps kept beside an item.
///
/// `l` life, `b` base stamp, `v` values and `t` lists of texts (those without an entry in `s` and
/// `e` are at the base), `s` stamps of values, `o` stamps and orders and `e` elements of lists, `p`
/// stamps that were replaced, `d` the last stamp that the author of a deletion had seen.
package enum DeltaCoder {
  /// The reason for refusing a delta.
  package struct Malformed: Error {}

  // MARK: Writing

  package static func text(of delta: ItemDelta) throws -> String {
    try JSONWriter().text(of: value(of: delta))
  }

  package static func value(of delta: ItemDelta) -> Value {
    var entries: [(String, Value)] = [("l", .int(delta.state.life))]
    if let base = delta.base { entries.append(("b", value(of: base))) }
    entries += parts(of: delta.state.fields, base: delta.base)
    if !delta.seen.isEmpty {
      entries.append(
        ("p", map(delta.seen.sorted { $0.key < $1.key }.map { ($0.key, value(of: $0.value)) })))
    }
    if let last = delta.lastSeen { entries.append(("d", value(of: last))) }
    return map(entries)
  }

  /// The entries of fields; those at the base stamp without their stamps.
  ///
  /// - Parameter isKnown: Whether the values of a field are stored separately, so that only
  ///   differences from the base are written.
  package static func parts(
    of fields: [String: FieldState], base: Stamp?, isKnown: (String) -> Bool = { _ in false }
  ) -> [(String, Value)] {
    var values: [(String, Value)] = []
    var stamps: [(String, Value)] = []
    var texts: [(String, Value)] = []
    var orders: [(String, Value)] = []
    var elements: [(String, Value)] = []
    for (name, field) in fields.sorted(by: { $0.key < $1.key }) {
      if let register = field.register {
        if !isKnown(name) { values.append((name, register.value)) }
        if register.stamp != base { stamps.append((name, value(of: register.stamp))) }
      }
      guard field.isList else { continue }
      if let base, let plain = field.texts(at: base) {
        if !isKnown(name) { texts.append((name, .list(plain.map(Value.string)))) }
        continue
      }
      if let order = field.order {
        orders.append(
          (name, .list([value(of: order.stamp), .list(order.texts.map { .string($0.text) })])))
      }
      elements.append(
        (
          name,
          map(
            field.elements.sorted { $0.key < $1.key }.map { text, element in
              (
                text.text,
                .list([
                  .int(element.stamp.time), .int(element.stamp.machine),
                  .int(element.isPresent ? 1 : 0),
                ])
              )
            })
        ))
    }
    return [("v", values), ("s", stamps), ("t", texts), ("o", orders), ("e", elements)]
      .filter { !$0.1.isEmpty }.map { ($0.0, map($0.1)) }
  }

  private static func value(of stamp: Stamp) -> Value {
    .list([.int(stamp.time), .int(stamp.machine)])
  }

  private static func map(_ entries: [(String, Value)]) -> Value { .map(MapValue(entries)) }

  // MARK: Reading

  /// - Parameter latest: The latest time that a stamp may have.
  /// - Throws: `Malformed`.
  package static func delta(
    _ entity: String, _ text: String, upTo latest: Int64 = Stamp.latestTime
  ) throws -> ItemDelta {
    guard case .map(let map)? = try? JSONParser().parse(text), case .int(let life)? = map["l"],
      (1...ItemState.lastLife).contains(life)
    else { throw Malformed() }
    let base = try map["b"].map(stamp)
    let seen = try entries(map, "p").map { ($0, try stamp($1)) }
    let given = try stamps(of: map).values
    let fields = try fields(of: map, base: base ?? .none)
    let delta = ItemDelta(
      entity, ItemState(life: life, fields: fields), base: base,
      seen: Dictionary(seen, uniquingKeysWith: { $1 }), lastSeen: try map["d"].map(stamp))
    let stamps =
      [base, delta.lastSeen].compactMap { $0 } + delta.seen.values + given
      + delta.state.fields.values.flatMap(\.stamps)
    guard stamps.allSatisfy({ $0.isPossible(upTo: latest) }) else { throw Malformed() }
    return delta
  }

  /// The fields of entries that `parts` wrote.
  ///
  /// - Throws: `Malformed`.
  package static func fields(of map: MapValue, base: Stamp) throws -> [String: FieldState] {
    var fields: [String: FieldState] = [:]
    let stamps = try stamps(of: map)
    for (name, value) in try entries(map, "v") {
      fields[name, default: FieldState()].register = FieldState.Register(
        stamps[name] ?? base, value)
    }
    for (name, value) in try entries(map, "t") {
      fields[name, default: FieldState()].join(FieldState(base, texts: try texts(value)))
    }
    for (name, value) in try entries(map, "o") {
      guard case .list(let parts) = value, parts.count == 2 else { throw Malformed() }
      fields[name, default: FieldState()].order = FieldState.Order(
        try stamp(parts[0]), try texts(parts[1]))
    }
    for (name, value) in try entries(map, "e") {
      guard case .map(let elements) = value else { throw Malformed() }
      for (key, element) in elements.entries {
        guard case .string(let text) = key, case .list(let parts) = element, parts.count == 3,
          case .int(let present) = parts[2]
        else { throw Malformed() }
        fields[name, default: FieldState()].elements[ExactText(text)] = FieldState.Element(
          try stamp(.list(Array(parts[..<2]))), isPresent: present != 0)
      }
    }
    return fields
  }

  /// The stamps of values that are stored separately.
  package static func stamps(of map: MapValue) throws -> [String: Stamp] {
    Dictionary(try entries(map, "s").map { ($0, try stamp($1)) }, uniquingKeysWith: { $1 })
  }

  private static func entries(_ map: MapValue, _ key: String) throws -> [(String, Value)] {
    guard let value = map[.string(key)] else { return [] }
    guard case .map(let entries) = value else { throw Malformed() }
    return try entries.entries.map { key, value in
      guard case .string(let name) = key else { throw Malformed() }
      return (name, value)
    }
  }

  private static func stamp(_ value: Value) throws -> Stamp {
    guard case .list(let parts) = value, parts.count == 2, case .int(let time) = parts[0],
      case .int(let machine) = parts[1]
    else { throw Malformed() }
    return Stamp(time: time, machine: machine)
  }

  private static func texts(_ value: Value) throws -> [String] {
    guard case .list(let values) = value else { throw Malformed() }
    return try values.map {
      guard case .string(let text) = $0 else { throw Malformed() }
      return text
    }
  }
}

extension FieldState {
  /// The texts if all were written with one stamp; nil otherwise.
  package func texts(at stamp: Stamp) -> [String]? {
    guard let order, order.stamp == stamp, order.texts.count == elements.count,
      elements.values.allSatisfy({ $0.stamp == stamp && $0.isPresent }),
      order.texts.allSatisfy({ elements[$0] != nil })
    else { return nil }
    return order.texts.map(\.text)
  }
}
