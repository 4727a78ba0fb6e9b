import CEL
import Items
import JSON
import Program

/// Encodes values for the journal as JSON, with snapshots of items.
///
/// Values without a JSON form are maps with the key `$`, which names their kind.
struct ValueCoder {
  /// The current schema of an entity; nil when it does not exist.
  let schema: (String) -> EntitySchema?
  /// Reads a secret by name; nil to decode secrets as masked text.
  var secret: ((String) throws -> Secret)?
  /// The key for the kind of a tagged value.
  private static let tag = "$"
  /// Maximum nesting of item snapshots; deeper references store only the ID.
  private static let referenceDepth = 2

  /// Encodes a value.
  ///
  /// - Throws: `failed` when it is nested too deeply.
  func text(of value: Value) throws -> String {
    do {
      return try JSONWriter(escapesInvisible: false).text(of: encoded(value, depth: 0))
    } catch {
      throw RunError(.failed, "cannot store a value in the journal: \(error)")
    }
  }

  /// Decodes a value.
  ///
  /// - Throws: `store` for malformed text.
  func value(of text: String) throws -> Value {
    do {
      return try decoded(try JSONParser().parse(text))
    } catch is JSONError {
      throw RunError(.store, "a journal line cannot be read")
    }
  }

  // MARK: Writing

  private func encoded(_ value: Value, depth: Int) -> Value {
    switch value {
    case .null, .bool, .int, .string: return value
    case .double(let number):
      return number.isFinite ? value : tagged("d", .string(number.description))
    case .uint(let number): return tagged("u", .string(String(number)))
    case .bytes(let bytes): return tagged("b", .string(Base64.encode(bytes)))
    case .timestamp(let time):
      // A time that the clocks skipped is remembered in the library, not in a run.
      return tagged(time.isDay ? "w" : "t", parts(time.seconds, time.nanoseconds))
    case .duration(let length): return tagged("l", parts(length.seconds, length.nanoseconds))
    case .type(let type): return tagged("y", .string(type.name))
    case .optional(let optional):
      return tagged("o", .list(optional.wrapped.map { [encoded($0, depth: depth)] } ?? []))
    case .list(let values): return .list(values.map { encoded($0, depth: depth) })
    case .map(let map):
      if map.entries.allSatisfy({ $0.key.asText.map { $0 != Self.tag } ?? false }) {
        return .map(
          MapValue(entries: map.entries.map { ($0.key, encoded($0.value, depth: depth)) }))
      }
      let entries = map.entries.map {
        Value.list([$0.key, $0.value].map { encoded($0, depth: depth) })
      }
      return tagged("m", .list(entries))
    case .object(let item as Item): return encoded(item, depth: depth)
    case .object(let secret as Secret): return tagged("s", .list(secret.parts.map(encoded)))
    case .object(let object):
      return tagged("n", .string((object as? any CustomStringConvertible)?.description ?? ""))
    }
  }

  /// A named secret is stored by name only, others not at all.
  private func encoded(_ part: Secret.Part) -> Value {
    switch part {
    case .plain(let text): .list(["t", .string(text)])
    case .named(let name): .list(["n", .string(name)])
    case .unnamed: .null
    }
  }

  private func encoded(_ item: Item, depth: Int) -> Value {
    var fields: [(String, Value)] = [(Self.tag, "i"), ("e", .string(item.entity))]
    if let id = item.id { fields.append(("id", .int(id))) }
    guard depth < Self.referenceDepth else { return .record(fields) }
    let record = item.record
    if let uid = record.uid { fields.append(("uid", .string(uid.text))) }
    if let time = record.createdAt { fields.append(("c", parts(time.seconds, time.nanoseconds))) }
    if let time = record.updatedAt { fields.append(("u", parts(time.seconds, time.nanoseconds))) }
    if let isNew = item.isNew { fields.append(("n", .bool(isNew))) }
    if let words = item.searchWords { fields.append(("w", .string(words))) }
    let values = zip(item.schema.properties, record.values).map { property, value in
      (property.name, encoded(value, depth: depth + 1))
    }
    fields.append(("v", .record(values)))
    return .record(fields)
  }

  private func tagged(_ kind: String, _ value: Value) -> Value {
    .record([(Self.tag, .string(kind)), ("v", value)])
  }

  private func parts(_ seconds: Int64, _ nanoseconds: Int32) -> Value {
    .list([.int(seconds), .int(Int64(nanoseconds))])
  }

  // MARK: Reading

  private func decoded(_ value: Value) throws -> Value {
    switch value {
    case .list(let values): return .list(try values.map(decoded))
    case .map(let map):
      guard let kind = map[Self.tag]?.asText else {
        return .map(MapValue(entries: try map.entries.map { ($0.key, try decoded($0.value)) }))
      }
      guard let restored = try decoded(kind, map) else {
        throw RunError(.store, "the journal has a value of an unknown kind")
      }
      return restored
    default: return value
    }
  }

  private func decoded(_ kind: String, _ map: MapValue) throws -> Value? {
    let value = map["v"] ?? .null
    switch (kind, value) {
    case ("d", .string(let text)): return Double(text).map(Value.double)
    case ("u", .string(let text)): return UInt64(text).map(Value.uint)
    case ("b", .string(let text)): return Base64.decode(text).map(Value.bytes)
    case ("y", .string(let text)): return .type(TypeName(text))
    case ("n", .string(let text)): return Value.network(text: text)
    case ("s", let value): return try secret(value)
    case ("t", let value): return time(value).map(Value.timestamp)
    case ("w", let value): return time(value).map { .timestamp($0.asDay) }
    case ("l", let value):
      return time(value).map {
        .duration(DurationValue(seconds: $0.seconds, nanoseconds: $0.nanoseconds))
      }
    case ("o", .list(let values)): return .optional(OptionalValue(try values.first.map(decoded)))
    case ("m", .list(let entries)):
      var restored = MapValue()
      for case .list(let entry) in entries where entry.count == 2 {
        restored[try self.decoded(entry[0])] = try self.decoded(entry[1])
      }
      return .map(restored)
    case ("i", _): return try item(map)
    default: return nil
    }
  }

  private func secret(_ value: Value) throws -> Value {
    guard let read = secret else { return .string(Secret.mark) }
    var whole = Secret("", parts: [])
    for part in value.asList ?? [.null] {
      guard let fields = part.asList, fields.count == 2, let text = fields[1].asText else {
        throw Self.unnamedSecret
      }
      let next: Value = fields[0] == "n" ? .object(try read(text)) : fields[1]
      if case .object(let longer as Secret)? = whole.followed(by: next) { whole = longer }
    }
    return .object(whole)
  }

  private static var unnamedSecret: RunError {
    RunError(
      .failed, "a secret computed by the run is not stored and cannot be read again",
      remedy: .startAnew)
  }

  private func time(_ value: Value?) -> Timestamp? {
    guard let parts = value?.asList, parts.count == 2, let seconds = parts[0].asInt,
      let nanoseconds = parts[1].asInt, (0..<1_000_000_000).contains(nanoseconds)
    else { return nil }
    return Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
  }

  /// The item from a snapshot, in the current schema; properties added since are null.
  private func item(_ map: MapValue) throws -> Value? {
    guard let entity = map["e"]?.asText else { return nil }
    guard let schema = schema(entity) else {
      throw RunError(
        .notFound, "the journal refers to the entity \(entity), which no longer exists")
    }
    let kept = map["v"]?.asMap
    let values = try schema.properties.map { property in
      try kept?[property.name].map(decoded) ?? property.defaultValue ?? .null
    }
    var record = Record(id: map["id"]?.asInt, values: values)
    record.uid = (map["uid"]?.asText).flatMap { GlobalID(text: $0) }
    record.createdAt = time(map["c"])
    record.updatedAt = time(map["u"])
    let isNew = map["n"].map { $0 == .bool(true) }
    let words = map["w"]?.asText
    return .object(Item(record, layout: ItemLayout(schema), isNew: isNew, searchWords: words))
  }
}
