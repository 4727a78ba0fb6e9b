import CEL
import Items

extension ItemStore {
  /// The effect of a new item of an import on the stored one.
  struct Completion {
    var isNew = false
    var isChanged = false
    /// The names of the properties that got a value or more of it.
    var added: [String] = []
    /// The names of the properties whose given value was not taken.
    var kept: [String] = []
  }

  /// Properties that hold a person's notes; a second note is added to the first.
  private static let notes: Set<String> = ["summary", "notes"]

  /// Stores a new item of an import, or completes the stored one inside a transaction.
  ///
  /// A person's own values stay: a given value fills a property without one, lists are united, and notes are joined.
  func complete(
    _ newItem: PreparedItem, in table: EntityTable, prefersGiven: Bool
  ) throws -> Completion {
    var completion = Completion()
    guard let stored = try storedRecord(of: newItem, in: table) else {
      _ = try insert(newItem, in: table)
      completion.isNew = true
      return completion
    }
    var changed = stored
    let defaults = try defaults(of: table)
    let isSameIdentity = newItem.identity == identity(of: stored.values, in: table)
    for (index, given) in newItem.given.enumerated() {
      let old = stored.values[index]
      guard let given, !given.isNull, !isSame(old, given) else { continue }
      let property = table.schema.properties[index]
      // Two forms of one address lead to one page.
      if isSameIdentity, table.identity.contains(index) {
        changed.values[index] = cleaner(old, given)
        continue
      }
      if isSame(old, defaults[index]) || prefersGiven, !given.isList {
        changed.values[index] = given
      } else if Self.notes.contains(property.name), case .string(let note) = old,
        case .string(let other) = given
      {
        changed.values[index] = .string(Self.joined(note, other))
      } else if given.isList {
        changed.values[index] = Self.merged(old, with: given, ignoringCase: property.areTags)
      } else if !isSame(given, defaults[index]) {
        completion.kept.append(property.name)
      }
      if !isSame(old, changed.values[index]) { completion.added.append(property.name) }
    }
    if let created = newItem.createdAt, let known = stored.createdAt, created < known {
      changed.createdAt = Timestamp(microseconds: created.microseconds)
    }
    completion.isChanged =
      stored.createdAt != changed.createdAt
      || !zip(stored.values, changed.values).allSatisfy { isSame($0, $1) }
    try change(stored, to: &changed, in: table)
    return completion
  }

  /// Returns the stored value of an identity, unless it is an address of which the given one is the clean form.
  private func cleaner(_ stored: Value, _ given: Value) -> Value {
    let preferred = context.rules.preferredURL
    guard case .string(let old) = stored, case .string(let new) = given,
      preferred(new, old) != old, preferred(old, new) == new
    else { return stored }
    return given
  }

  /// Joins two notes with a blank line, unless one contains the other.
  private static func joined(_ note: String, _ other: String) -> String {
    if note.contains(other) { return note }
    return other.contains(note) ? other : note + "\n\n" + other
  }
}

extension Value {
  fileprivate var isList: Bool { if case .list = self { true } else { false } }
}

extension Importer.Counts {
  mutating func add(_ completion: ItemStore.Completion, line: Int) {
    if completion.isNew { created += 1 } else { merged += 1 }
    if completion.isChanged { changed += 1 }
    for name in completion.added { added[name, default: 0] += 1 }
    for name in completion.kept {
      kept[name, default: Kept(line: line, count: 0)].count += 1
    }
  }
}
