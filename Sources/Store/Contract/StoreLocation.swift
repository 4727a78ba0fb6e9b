/// Where a store is kept.
package enum StoreLocation: Hashable, Sendable {
  /// A file, made with its folder when it is not there.
  case file(String)
  /// The memory of this process.
  case memory

  /// Reads a path as given on the command line, where `:memory:` means no file.
  package init(path: String) {
    self = path == ":memory:" ? .memory : .file(path)
  }
}
