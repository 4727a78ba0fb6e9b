/// What a column or a member of another program's export holds.
enum BookmarkField: Hashable {
  case url, originalURL, title, note, description, tags, folder, created, updated, state, archived
  /// Ours: members that the format has no place for.
  case rest

  /// What a name means; nil when a link has no use for it.
  init?(_ name: String) {
    // `Document tags`, `date_added`, `savedAt` and the like differ in writing only.
    let letters = name.utf8.filter {
      $0 != 0x20 && $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-")
    }
    switch String(decoding: letters.map(\.loweredASCII), as: UTF8.self) {
    case "url", "uri", "href", "link", "address", "bookmark", "bookmarkurl", "pageurl":
      self = .url
    case "resolvedurl", "givenurl", "sourceurl", "originalurl": self = .originalURL
    case "title", "name", "resolvedtitle", "giventitle", "booktitle", "pagetitle": self = .title
    case "note", "notes", "comment", "comments", "annotation", "annotations", "annos",
      "selection", "highlight", "highlights", "text":
      self = .note
    case "description", "excerpt", "extended", "summary": self = .description
    case "tags", "labels", "documenttags", "keywords", "tag", "label": self = .tags
    case "folder", "collection", "folderpath", "path", "list": self = .folder
    case "created", "createdat", "timeadded", "time", "added", "addedat", "dateadded", "adddate",
      "savedat", "saveddate", "saved", "timestamp", "date", "datecreated", "creationdate",
      "datesaved", "highlightedat":
      self = .created
    case "updated", "updatedat", "lastmodified", "modified", "datemodified", "timeupdated",
      "lastupdate", "modifiedat":
      self = .updated
    case "status", "state", "location": self = .state
    case "isarchived", "archived", "isread", "archive": self = .archived
    case "errand": self = .rest
    default: return nil
    }
  }
}

extension Bookmark {
  /// Takes a text of a field over.
  ///
  /// - Parameter tagSeparator: What stands between tags.
  mutating func take(
    _ text: String, as field: BookmarkField, tagSeparator: TagList.Separator = .any
  ) {
    guard !text.isEmpty else { return }
    switch field {
    case .url: url = text
    case .originalURL: if url.isEmpty { url = text }
    case .title: if title.isEmpty { title = text }
    case .note, .description: notes.append(text)
    case .tags: tags += TagList.tags(text, tagSeparator)
    case .folder: takeFolder(text)
    case .created: if created.isEmpty { created = text }
    case .updated: updated = text
    case .state:
      if ["archive", "archived", "read", "1"].contains(text.lowercased()) { isArchived = true }
    case .archived: if ["1", "true", "yes"].contains(text.lowercased()) { isArchived = true }
    case .rest: rest = text
    }
  }

  /// A path of folders; the places that a service has by itself are none.
  private mutating func takeFolder(_ text: String) {
    switch text.lowercased() {
    case "archive", "archived": isArchived = true
    case "unread", "unsorted", "inbox": break
    default: folders += text.split(separator: "/").map { String($0).trimmingBlanks }
    }
  }
}
