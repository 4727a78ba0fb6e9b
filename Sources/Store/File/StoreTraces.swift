import Glibc

/// What tells a store of ours whose first pages cannot be read from a file of another program.
struct StoreTraces {
  private static let pageSize = 4096
  /// The first byte of a page of an index's rows, as which SQLite keeps what a store records.
  private static let indexLeaf: UInt8 = 0x0A

  private let path: String

  init(_ path: String) {
    self.path = path
  }

  /// Whether a page of the file is one of what stores record, or of their tables' definitions.
  ///
  /// - Complexity: O(size of the file).
  var areThere: Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var page = [UInt8](repeating: 0, count: Self.pageSize)
    var offset = 0
    while pread(file, &page, Self.pageSize, off_t(offset)) == Self.pageSize {
      if isOurs(page, isFirst: offset == 0) { return true }
      offset += Self.pageSize
    }
    return false
  }

  private func isOurs(_ page: [UInt8], isFirst: Bool) -> Bool {
    func holds(_ text: String) -> Bool { page.firstRange(of: Array(text.utf8)) != nil }
    if isFirst { return holds("CREATE TABLE errand_meta") }
    return page[0] == Self.indexLeaf && holds("columns:") && holds("entity:")
      && holds("identity ")
  }
}
