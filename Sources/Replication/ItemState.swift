/// The state of an item on all machines: a join-semilattice, so that machines that have seen the
/// same changes agree, in any order and with any repetition.
package struct ItemState: Hashable, Sendable {
  /// The number of the item's life: odd while it lives, the next even one once it was deleted.
  ///
  /// Bringing it back begins the next life, and a later life replaces an earlier one as a whole.
  package var life: Int64
  /// The properties, and `createdAt`, by name.
  package var fields: [String: FieldState]

  package init(life: Int64 = 1, fields: [String: FieldState] = [:]) {
    (self.life, self.fields) = (life, fields)
  }

  /// Whether the item was not deleted.
  package var isAlive: Bool { life % 2 != 0 }

  /// The number of lives begun.
  package var epoch: Int64 { life / 2 + life % 2 }

  /// The life that bringing the item back begins.
  package var nextLife: Int64 { 2 * epoch + 1 }

  /// The last life, in which an item stays deleted.
  package static let lastLife: Int64 = 1 << 40

  /// The latest stamp of any field.
  package var stamp: Stamp { fields.values.reduce(.none) { max($0, $1.stamp) } }

  /// Merges another state; commutative, associative and idempotent.
  package mutating func join(_ other: ItemState) {
    if other.epoch > epoch {
      self = other
    } else if other.epoch == epoch {
      life = max(life, other.life)
      fields.merge(other.fields) { ours, theirs in
        var joined = ours
        joined.join(theirs)
        return joined
      }
    }
  }

  /// The state of items that became one: the fields of those that live, or of all if none does.
  package static func merged(_ states: [ItemState]) -> ItemState {
    let living = states.filter(\.isAlive)
    var result = ItemState(life: living.isEmpty ? 2 : 1)
    for state in living.isEmpty ? states : living {
      result.join(ItemState(life: result.life, fields: state.fields))
    }
    return result
  }
}

/// A change as sent to the hub: the state to join, and the stamps that its author had seen.
package struct ItemDelta: Hashable, Sendable {
  /// The entity's name.
  package var entity: String
  package var state: ItemState
  /// The stamp of all fields that are missing, if the fields are otherwise complete; nil for a
  /// partial change.
  package var base: Stamp?
  /// The stamps of the values that were replaced, by property.
  package var seen: [String: Stamp]
  /// The latest stamp that the author of a deletion had seen of the item.
  package var lastSeen: Stamp?

  package init(
    _ entity: String, _ state: ItemState, base: Stamp? = nil, seen: [String: Stamp] = [:],
    lastSeen: Stamp? = nil
  ) {
    (self.entity, self.state, self.base, self.seen, self.lastSeen) = (
      entity, state, base, seen, lastSeen
    )
  }
}

/// A value that lost against a concurrent one.
package struct LostValue: Hashable, Sendable {
  package let field: String
  package let lost: FieldState.Register
  package let kept: FieldState.Register
}

/// The outcome of joining a delta to a state.
package struct JoinOutcome: Sendable {
  /// Values set concurrently by two authors.
  package var lost: [LostValue] = []
  /// Whether an item was deleted by one author and changed by another.
  package var wasChangedWhileDeleted = false
}

extension ItemState {
  /// Merges a delta, and returns the conflicts that may need review.
  ///
  /// Every machine finds the same conflicts, regardless of the order of arrival.
  package mutating func join(_ delta: ItemDelta) -> JoinOutcome {
    var outcome = JoinOutcome()
    if delta.state.epoch == epoch {
      if delta.base == nil { outcome.lost = lost(to: delta) }
      if !delta.state.isAlive, isAlive {
        outcome.wasChangedWhileDeleted = delta.lastSeen.map { stamp > $0 } ?? false
      } else if !isAlive, delta.state.isAlive {
        outcome.wasChangedWhileDeleted = delta.base == nil && !delta.state.fields.isEmpty
      }
    }
    join(delta.state)
    return outcome
  }

  private func lost(to delta: ItemDelta) -> [LostValue] {
    delta.state.fields.sorted { $0.key < $1.key }.compactMap { name, theirs in
      guard let new = theirs.register, let old = fields[name]?.register,
        old.stamp != delta.seen[name] ?? .none, old.value != new.value
      else { return nil }
      // A value that the author of the new one replaced in turn is not lost to it.
      guard old.stamp > delta.seen[name] ?? .none else { return nil }
      let kept = FieldState.later(old, new)
      return LostValue(field: name, lost: kept == new ? old : new, kept: kept)
    }
  }
}
