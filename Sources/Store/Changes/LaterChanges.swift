import Items

/// Finds among later entries of the log those that concern the items of a change.
struct LaterChanges {
  /// When each item was changed last, by entity and number.
  private var changed: [String: [Int64: Int64]] = [:]
  /// The numbers of items that came or went together, by entity.
  private var ranges: [String: [(ids: ClosedRange<Int64>, sequence: Int64)]] = [:]
  /// The items that were changed later, in the order in which they were.
  private(set) var items: [ItemReference] = []
  /// The latest entry that changed one.
  private(set) var latest: Change?
  private var seen: Set<ItemReference> = []

  /// An index of the steps of a change.
  init(_ steps: [UndoStep]) {
    // Whether a file was changed is seen from the file.
    for step in steps where step.change.kind != .moveFile {
      let change = step.change
      if step.ids.count > 1 {
        ranges[change.entity, default: []].append((step.ids, change.sequence))
      } else {
        let known = changed[change.entity]?[change.id] ?? 0
        changed[change.entity, default: [:]][change.id] = max(known, change.sequence)
      }
    }
  }

  /// Notes an entry of another change if it concerns one of the items.
  mutating func note(_ change: Change) {
    guard change.last <= change.id, let last = lastChange(of: change.id, in: change.entity),
      change.sequence > last
    else { return }
    latest = change
    let reference = ItemReference(entity: change.entity, id: change.id)
    if seen.insert(reference).inserted { items.append(reference) }
  }

  private func lastChange(of id: Int64, in entity: String) -> Int64? {
    let alone = changed[entity]?[id]
    let together = ranges[entity]?.filter { $0.ids.contains(id) }.map(\.sequence).max()
    return max(alone ?? .min, together ?? .min) == .min
      ? nil : max(alone ?? .min, together ?? .min)
  }
}
