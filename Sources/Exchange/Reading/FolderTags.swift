/// The mapping of another program's folders to tags.
package enum FolderTags: String, CaseIterable, Sendable {
  /// Each folder becomes a tag.
  case each
  /// The path of folders becomes one tag, joined with `/`.
  case path
  /// The innermost folder becomes a tag.
  case last
  /// Folders are ignored.
  case none

  /// Maximum number of folders per bookmark.
  private static let limit = 100

  /// Returns the tags for a bookmark in these folders, outermost first.
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
