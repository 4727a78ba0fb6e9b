import CEL
import Items
import JSON
import Program

/// Writes values into a journal and reads them back, items as they were then.
///
/// What JSON has no form for is a map with a `$`, which tells what it is.
struct ValueCoder {
  /// The definition of an entity as it is now; nil when there is none.
  let schema: (String) -> EntitySchema?
  /// Reads the secret of a name anew; nil where values are only looked at.
  var secret: ((String) throws -> Secret)?
  /// The key of what JSON has no form for.
  private static let tag = "$"
  /// How deep items that refer to others are kept; those further away are known by number alone.
  private static let referenceDepth = 2

  /// The text of a value.
  ///
  /// - Throws: `failed` when it is nested too deeply.
  func text(of value: Value) throws -> String {
    do {
      return try JSONWriter(escapesInvisible: false).text(of: plain(value, depth: 0))
    } catch {
      throw RunError(.failed, "a value can't be kept in the journal: \(error)")
    }
  }

  /// The value of a text.
  ///
  /// - Throws: `store` when it is no text of a journal.
  func value(of text: String) throws -> Value {
    do {
      return try restored(try JSONParser().parse(text))
    } catch is JSONError {
      throw RunError(.store, "a line of the journal can't be read")
    }
  }

  // MARK: Writing

  private func plain(_ value: Value, depth: Int) -> Value {
    switch value {
    case .null, .bool, .int, .string: return value
    case .double(let number):
      return number.isFinite ? value : tagged("d", .string(number.description))
    case .uint(let number): return tagged("u", .string(String(number)))
    case .bytes(let bytes): return tagged("b", .string(Base64.encode(bytes)))
    case .timestamp(let time): return tagged("t", parts(time.seconds, time.nanoseconds))
    case .duration(let length): return tagged("l", parts(length.seconds, length.nanoseconds))
    case .type(let type): return tagged("y", .string(type.name))
    case .optional(let optional):
      return tagged("o", .list(optional.wrapped.map { [plain($0, depth: depth)] } ?? []))
    case .list(let values): return .list(values.map { plain($0, depth: depth) })
    case .map(let map):
      let isPlain = map.entries.allSatisfy { entry in
        if case .string(let key) = entry.key { key != Self.tag } else { false }
      }
      if isPlain {
        return .map(MapValue(entries: map.entries.map { ($0.key, plain($0.value, depth: depth)) }))
      }
      return tagged(
        "m",
        .list(
          map.entries.map { .list([plain($0.key, depth: depth), plain($0.value, depth: depth)]) }))
    case .object(let item as Item): return plain(item, depth: depth)
    case .object(let secret as Secret): return tagged("s", .list(secret.parts.map(plain)))
    case .object(let object):
      return tagged("n", .string((object as? any CustomStringConvertible)?.description ?? ""))
    }
  }

  /// Of a secret its name is kept, and nothing else.
  private func plain(_ part: Secret.Part) -> Value {
    switch part {
    case .plain(let text): .list(["t", .string(text)])
    case .named(let name): .list(["n", .string(name)])
    case .unnamed: .null
    }
  }

  private func plain(_ item: Item, depth: Int) -> Value {
    var fields: [(String, Value)] = [(Self.tag, "i"), ("e", .string(item.entity))]
    if let id = item.id { fields.append(("id", .int(id))) }
    guard depth < Self.referenceDepth else { return .map(MapValue(fields)) }
    let record = item.record
    if let uid = record.uid { fields.append(("uid", .string(uid.text))) }
    if let time = record.createdAt { fields.append(("c", parts(time.seconds, time.nanoseconds))) }
    if let time = record.updatedAt { fields.append(("u", parts(time.seconds, time.nanoseconds))) }
    if let isNew = item.isNew { fields.append(("n", .bool(isNew))) }
    if let words = item.searchWords { fields.append(("w", .string(words))) }
    let values = zip(item.schema.properties, record.values).map { property, value in
      (property.name, plain(value, depth: depth + 1))
    }
    fields.append(("v", .map(MapValue(values))))
    return .map(MapValue(fields))
  }

  private func tagged(_ kind: String, _ value: Value) -> Value {
    .map(MapValue([(Self.tag, .string(kind)), ("v", value)]))
  }

  private func parts(_ seconds: Int64, _ nanoseconds: Int32) -> Value {
    .list([.int(seconds), .int(Int64(nanoseconds))])
  }

  // MARK: Reading

  private func restored(_ value: Value) throws -> Value {
    switch value {
    case .list(let values): return .list(try values.map(restored))
    case .map(let map):
      guard case .string(let kind)? = map[Self.tag] else {
        return .map(MapValue(entries: try map.entries.map { ($0.key, try restored($0.value)) }))
      }
      guard let restored = try restored(kind, map) else {
        throw RunError(.store, "the journal has a value of a kind that is not known here")
      }
      return restored
    default: return value
    }
  }

  private func restored(_ kind: String, _ map: MapValue) throws -> Value? {
    let value = map["v"] ?? .null
    switch (kind, value) {
    case ("d", .string(let text)): return Double(text).map(Value.double)
    case ("u", .string(let text)): return UInt64(text).map(Value.uint)
    case ("b", .string(let text)): return Base64.decode(text).map(Value.bytes)
    case ("y", .string(let text)): return .type(TypeName(text))
    case ("n", .string(let text)): return Value.network(text: text)
    case ("s", let value): return try secret(value)
    case ("t", let value): return time(value).map(Value.timestamp)
    case ("l", let value):
      return time(value).map {
        .duration(Duration(seconds: $0.seconds, nanoseconds: $0.nanoseconds))
      }
    case ("o", .list(let values)):
      return .optional(OptionalValue(try values.first.map(restored)))
    case ("m", .list(let entries)):
      var restored = MapValue()
      for case .list(let entry) in entries where entry.count == 2 {
        restored[try self.restored(entry[0])] = try self.restored(entry[1])
      }
      return .map(restored)
    case ("i", _): return try item(map)
    default: return nil
    }
  }

  private func secret(_ value: Value) throws -> Value {
    guard let read = secret else { return .string(Secret.mark) }
    guard case .list(let kept) = value else { throw Self.unnamedSecret }
    var whole = Secret("", parts: [])
    for part in kept {
      guard case .list(let fields) = part, fields.count == 2, case .string(let text) = fields[1]
      else { throw Self.unnamedSecret }
      let next: Value = fields[0] == "n" ? .object(try read(text)) : fields[1]
      if case .object(let object)? = whole.followed(by: next), let longer = object as? Secret {
        whole = longer
      }
    }
    return .object(whole)
  }

  private static var unnamedSecret: RunError {
    RunError(
      .failed, "the run made a secret of a text, which is kept nowhere and can't be read anew",
      remedy: .startAnew)
  }

  private func time(_ value: Value?) -> Timestamp? {
    guard case .list(let parts)? = value, parts.count == 2, case .int(let seconds) = parts[0],
      case .int(let nanoseconds) = parts[1], (0..<1_000_000_000).contains(nanoseconds)
    else { return nil }
    return Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
  }

  /// The item as it was, in the form that its entity has now: what has been added since is null.
  private func item(_ map: MapValue) throws -> Value? {
    guard case .string(let entity)? = map["e"] else { return nil }
    guard let schema = schema(entity) else {
      throw RunError(.notFound, "the journal has a \(entity), and there is no such entity any more")
    }
    var id: Int64?
    if case .int(let number)? = map["id"] { id = number }
    var values: [Value] = []
    for property in schema.properties {
      guard case .map(let kept)? = map["v"], let value = kept[property.name] else {
        values.append(property.defaultValue ?? .null)
        continue
      }
      values.append(try restored(value))
    }
    var record = Record(id: id, values: values)
    if case .string(let text)? = map["uid"] { record.uid = GlobalID(text: text) }
    record.createdAt = time(map["c"])
    record.updatedAt = time(map["u"])
    var isNew: Bool?
    if case .bool(let value)? = map["n"] { isNew = value }
    var words: String?
    if case .string(let text)? = map["w"] { words = text }
    return .object(Item(record, layout: ItemLayout(schema), isNew: isNew, searchWords: words))
  }
}
