/// What tags the folders of another program's bookmarks become.
package enum FolderTags: String, CaseIterable, Sendable {
  /// Each folder is a tag.
  case each
  /// All folders together are one tag, with `/` between them.
  case path
  /// The innermost folder is a tag.
  case last
  /// Folders are left out.
  case none

  /// How many folders a bookmark's tags are made of at most.
  private static let limit = 100

  /// The tags for a bookmark in these folders, the outermost first.
  func tags(of folders: [String]) -> [String] {
    let folders = folders.filter { !$0.isEmpty }.suffix(Self.limit)
    return switch self {
    case .each: Array(folders)
    case .path: folders.isEmpty ? [] : [folders.joined(separator: "/")]
    case .last: folders.last.map { [$0] } ?? []
    case .none: []
    }
  }
}
