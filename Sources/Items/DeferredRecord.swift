import Synchronization

/// A record that is loaded on first access.
package final class DeferredRecord: Sendable {
  /// The id within the entity.
  package let id: Int64
  private let load: @Sendable (Int64) -> Record?
  private let loaded = Mutex<Record??>(nil)

  package init(id: Int64, load: @escaping @Sendable (Int64) -> Record?) {
    self.id = id
    self.load = load
  }

  /// The record; nil if the item was deleted.
  package var record: Record? {
    loaded.withLock { loaded in
      if let loaded { return loaded }
      let record = load(id)
      loaded = .some(record)
      return record
    }
  }
}
