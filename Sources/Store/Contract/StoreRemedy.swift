/// What can be done about a failure of the store; each front words it in its own way.
package enum StoreRemedy: Hashable, Sendable {
  /// Save what can be read to a new file.
  case rescue
  /// Make anew what can be made from the items.
  case repair
  /// Name another file, since this one is no store.
  case otherFile
  /// Name another file, or save what can be read if it was a store.
  case otherFileOrRescue
  /// Make the file and its folder writable, or choose another place.
  case makeWritable
  /// Change the item that is there, or choose what becomes of it.
  case resolveConflict
  /// Choose another place for the store.
  case otherPlace
}
