import Glibc
import POSIX

/// Recognizes a store whose first pages are unreadable among files of other programs.
struct StoreTraces {
  private static let pageSize = 4096
  /// The type byte of an index leaf page, in which SQLite keeps a store's metadata.
  private static let indexLeaf: UInt8 = 0x0A

  private let path: String

  init(_ path: String) { self.path = path }

  /// Whether a page of the file belongs to a store's metadata or schema.
  ///
  /// - Complexity: O(size of the file).
  var areThere: Bool {
    guard let file = try? Descriptor(path, O_RDONLY) else { return false }
    var offset = 0
    while let page = try? file.bytes(at: offset, count: Self.pageSize), page.count == Self.pageSize
    {
      if isOurs(page, isFirst: offset == 0) { return true }
      offset += Self.pageSize
    }
    return false
  }

  private func isOurs(_ page: [UInt8], isFirst: Bool) -> Bool {
    func holds(_ text: String) -> Bool { page.firstRange(of: Array(text.utf8)) != nil }
    if isFirst { return holds("CREATE TABLE errand_meta") }
    return page[0] == Self.indexLeaf && holds("columns:") && holds("entity:") && holds("identity ")
  }
}
