import CEL
import Items
import Source
import Store

/// Makes drafts of items from lines of an import.
///
/// The reader keeps what it knows of each entity, so that a line costs no look-up twice.
final class DraftReader {
  /// Why a line is no item.
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
    /// Whether the item can be taken in without it and completed later.
    let canWait: Bool
  }

  /// What a line says.
  struct Reading {
    var draft: Draft
    var missing: [Missing] = []
    /// What of the line the entity has no place for.
    var unknown: [String] = []
    /// The names of the properties that refer to other items.
    var references: [String] = []
  }

  /// The property, and its value, that a value which another one had before has become; nil for any
  /// other value.
  private static func present(
    _ property: PropertySchema, _ value: Value, in schema: EntitySchema
  ) -> (name: String, value: Value)? {
    guard case .enumeration = property.type, case .string(let text) = value else { return nil }
    for other in schema.properties {
      if let now = other.formerValues[property.name]?[text] { return (other.name, .string(now)) }
    }
    return nil
  }

  private let context: ExchangeContext
  private let store: (String) throws -> EntityStore
  private var schemas: [String: EntitySchema] = [:]

  /// - Parameter store: gives the store with the table of an entity ready, when it may be used.
  init(_ context: ExchangeContext, store: @escaping (String) throws -> EntityStore) {
    self.context = context
    self.store = store
  }

  /// The entity of a line that names none.
  private static let defaultEntity = "Link"
  /// The member of an exported line that gives the global ids of the items it refers to.
  static let referencesMember = "_refs"

  /// What a line says; what it refers to is looked up in the store.
  ///
  /// - Throws: `Problem` for a bad line, and what concerns the store as a whole.
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
    var reading = Reading(draft: Draft(name, []))
    reading.draft.values.reserveCapacity(fields.count)
    let lookup = ReferenceLookup(store, try Self.globalIDs(fields), hasUID: fields["uid"] != nil)
    for (key, value) in fields.entries {
      guard case .string(let field) = key else { continue }
      // A few comparisons cost less than a hash.
      let property = schema.properties.first { $0.name == field }
      if let property, let other = Self.present(property, value, in: schema) {
        reading.draft.values.append(other)
      } else if let property {
        let boundary = ImportBoundary(moment: context.moment, lookup: lookup)
        reading.draft.values.append((field, try boundary.value(value, for: property)))
        if property.type.referredEntity != nil { reading.references.append(field) }
      } else {
        try take(field, value, &reading)
      }
    }
    reading.missing = lookup.missing
    if name == ItemStore.keptFileEntity { try moveKeptFile(&reading.draft) }
    return reading
  }

  /// Gives a kept file of another library the path that its bytes have in this one.
  private func moveKeptFile(_ draft: inout Draft) throws {
    guard let index = draft.values.firstIndex(where: { $0.name == "path" }),
      case .string(let path) = draft.values[index].value,
      case .string(let hash)? = draft.values.first(where: { $0.name == "hash" })?.value,
      !hash.contains("/"), path.hasSuffix(".files/" + hash),
      let own = try store(draft.entity).items.keptPath(of: hash)
    else { return }
    draft.values[index].value = .string(own)
  }

  /// Says which members of a line were put aside, and what a single one may have meant.
  func note(on reading: Reading) -> String {
    let names = reading.unknown.map { "`\($0.prefix(80))`" }.joined(separator: ", ")
    let entity = reading.draft.entity
    guard reading.unknown.count == 1, let schema = schemas[entity],
      let near = Suggestion.nearest(to: reading.unknown[0], in: schema.properties.map(\.name))
    else { return "put aside, since \(entity) has no such property: \(names)" }
    return "put aside, since \(entity) has no property \(names) (did you mean `\(near)`?)"
  }

  /// A member that is no property: one that every exported item has.
  private func take(_ field: String, _ value: Value, _ reading: inout Reading) throws {
    switch (field, value) {
    case ("entity", _), ("id", _), ("ref", _), ("isNew", _), ("isSaved", _),
      (Self.referencesMember, _):
      // Numbers are given anew by each store, and the rest follows from what is stored.
      return
    case ("uid", .null), ("createdAt", .null), ("updatedAt", .null): return
    case ("uid", .string(let text)): reading.draft.uid = text
    case ("createdAt", _): reading.draft.createdAt = try moment(field, value)
    case ("updatedAt", _): reading.draft.updatedAt = try moment(field, value)
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
