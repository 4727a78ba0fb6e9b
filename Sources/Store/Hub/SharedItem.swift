import Items
import Replication

/// The recorded part of a shared item, beside the row that shows it.
struct SharedItem {
  var entity: String
  var uid: GlobalID
  /// The id of its row; nil for a deleted item, one that lost against another, and one that is
  /// hidden until an item it requires arrives.
  var id: Int64?
  var life: Int64
  /// The stamp of all fields that have no individual stamp.
  var base: Stamp
  /// The stamps and values that differ from the base and the row, as JSON; nil for none.
  var text: String?

  var isAlive: Bool { ItemState(life: life).isAlive }

  /// A shared item with its table, its row and its state.
  struct Loaded {
    var item: SharedItem
    /// nil for an entity that is unknown here.
    var table: EntityTable?
    var record: Record?
    var state: ItemState
  }
}

extension PropertySchema {
  /// Whether its values are shared: not those declared `sync: false`, and no paths of this machine.
  var travels: Bool { isShared && type != .file }

  /// Whether it is a list of texts, which is merged by element.
  var isTextSet: Bool { type == .list(.string) }
}
