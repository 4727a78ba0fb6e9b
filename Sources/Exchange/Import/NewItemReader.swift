import CEL
import Items
import Source
import Store

/// Converts lines of an import to new items.
///
/// Caches the schema of each entity, so that it is looked up once.
final class NewItemReader {
  /// The reason why a line is rejected.
  struct Problem: Error {
    let message: String

    init(_ message: String, help: String? = nil) {
      self.message = help.map { "\(message) (\($0))" } ?? message
    }
  }

  /// A reference to an item that the store does not have, or not yet.
  struct Missing {
    let property: String
    let text: String
    /// Whether the item can be imported without it and completed later.
    let canWait: Bool
  }

  /// The result of reading a line.
  struct Reading {
    var newItem: NewItem
    var missing: [Missing] = []
    /// Members that are not properties of the entity.
    var unknown: [String] = []
    /// The names of the properties that are references.
    var references: [String] = []
  }

  /// Returns the property and value that replace a former value of an enum; nil for any other value.
  private static func migrated(
    _ property: PropertySchema, _ value: Value, in schema: EntitySchema
  ) -> (name: String, value: Value)? {
    guard case .enumeration = property.type, case .string(let text) = value else { return nil }
    for other in schema.properties {
      if let now = other.formerValues[property.name]?[text] { return (other.name, .string(now)) }
    }
    return nil
  }

  private let context: ExchangeContext
  private let store: (String) throws -> Database
  private var schemas: [String: EntitySchema] = [:]

  /// - Parameter store: Opens the store with the table of an entity prepared.
  init(_ context: ExchangeContext, store: @escaping (String) throws -> Database) {
    self.context = context
    self.store = store
  }

  /// The entity of a line without one.
  private static let defaultEntity = "Link"
  /// The member of an exported line with the uids of referenced items.
  static let referencesMember = ImportRecord.referencesMember

  /// Reads a line and looks up its references in the store.
  ///
  /// - Throws: `Problem` for a bad line; other errors concern the store as a whole.
  func read(_ line: Value) throws -> Reading {
    guard case .map(let fields) = line else {
      throw Problem("a line must be a JSON object with the properties of an item")
    }
    var name = Self.defaultEntity
    if let given = fields["entity"] {
      guard case .string(let text) = given else { throw Problem("`entity` must be text") }
      name = text
    }
    let schema = try schema(name)
    var reading = Reading(newItem: NewItem(name, []))
    reading.newItem.values.reserveCapacity(fields.count)
    let lookup = ReferenceLookup(store, try Self.globalIDs(fields), hasUID: fields["uid"] != nil)
    for (key, value) in fields.entries {
      guard case .string(let field) = key else { continue }
      // A few comparisons are cheaper than a hash.
      let property =
        schema.properties.first { $0.name == field }
        ?? schema.properties.first { $0.formerName == field }
      if let property, let other = Self.migrated(property, value, in: schema) {
        reading.newItem.values.append(other)
      } else if let property {
        let boundary = ImportBoundary(moment: context.moment, lookup: lookup)
        reading.newItem.values.append((property.name, try boundary.value(value, for: property)))
        if property.type.referredEntity != nil { reading.references.append(property.name) }
      } else {
        try take(field, value, &reading)
      }
    }
    reading.missing = lookup.missing
    if name == ItemStore.keptFileEntity { try moveKeptFile(&reading.newItem) }
    return reading
  }

  /// Replaces the path of a kept file from another library by its path in this one.
  private func moveKeptFile(_ newItem: inout NewItem) throws {
    guard let index = newItem.values.firstIndex(where: { $0.name == "path" }),
      case .string(let path) = newItem.values[index].value,
      case .string(let hash)? = newItem.values.first(where: { $0.name == "hash" })?.value,
      !hash.contains("/"), path.hasSuffix(".files/" + hash),
      let own = try store(newItem.entity).items.keptPath(of: hash)
    else { return }
    newItem.values[index].value = .string(own)
  }

  /// Returns a note on unknown members, with a suggestion if there is only one.
  func note(on reading: Reading) -> String {
    let names = reading.unknown.map { "`\($0.prefix(80))`" }.joined(separator: ", ")
    let entity = reading.newItem.entity
    guard reading.unknown.count == 1, let schema = schemas[entity],
      let near = Suggestion.nearest(to: reading.unknown[0], in: schema.properties.map(\.name))
    else { return "put aside, since \(entity) has no such property: \(names)" }
    return "put aside, since \(entity) has no property \(names) (did you mean `\(near)`?)"
  }

  /// Reads a member that is not a property but part of every exported item.
  private func take(_ field: String, _ value: Value, _ reading: inout Reading) throws {
    switch (field, value) {
    case ("entity", _), ("id", _), ("ref", _), ("isNew", _), ("isSaved", _),
      (Self.referencesMember, _):
      // Ids are assigned by each store; the rest is derived.
      return
    case ("uid", .null), ("createdAt", .null), ("updatedAt", .null): return
    case ("uid", .string(let text)): reading.newItem.uid = text
    case ("createdAt", _): reading.newItem.createdAt = try moment(field, value)
    case ("updatedAt", _): reading.newItem.updatedAt = try moment(field, value)
    case ("uid", _): throw Problem("`uid` must be text")
    default:
      reading.unknown.append(field)
    }
  }

  private func moment(_ field: String, _ value: Value) throws -> Timestamp {
    guard case .string(let text) = value,
      let moment = ImportBoundary.moment(text, context.moment)
    else {
      throw Problem("`\(field)` must be a time such as 2026-11-20T14:00:00Z")
    }
    return moment
  }

  private static func globalIDs(_ fields: MapValue) throws -> MapValue {
    switch fields[referencesMember] {
    case nil, .null?: return MapValue()
    case .map(let map)?: return map
    default: throw Problem("`\(referencesMember)` must be an object")
    }
  }

  private func schema(_ name: String) throws -> EntitySchema {
    if let schema = schemas[name] { return schema }
    let names = context.entityNames()
    guard names.contains(name) else {
      throw Problem(
        "there is no entity `\(name.prefix(80))`", help: Suggestion.help(for: name, in: names))
    }
    let schema = try context.schema(name)
    _ = try store(name)
    schemas[name] = schema
    return schema
  }
}
