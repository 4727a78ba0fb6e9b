import ForeignText

/// What a column or a member of another program's export holds.
enum BookmarkField: Hashable {
  case url, originalURL, title, note, description, tags, folder, created, updated
  case state, archived, archivedOrUnread, read, unread, favourite
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
    // Wallabag's list of those that are not is called “unread”.
    case "isarchived": self = .archivedOrUnread
    case "archived", "archive": self = .archived
    case "isread", "read": self = .read
    case "toread", "unread", "isunread", "readlater": self = .unread
    case "favorite", "favourite", "favorited", "isfavorite", "isfavourite", "starred", "isstarred",
      "important", "star":
      self = .favourite
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
    case .state: takeState(text)
    case .archived: if Self.isYes(text) { reading = .archived }
    case .archivedOrUnread: reading = Self.isYes(text) ? .archived : .unread
    case .read: if Self.isYes(text), reading != .archived { reading = .read }
    case .unread: if Self.isYes(text), reading == nil { reading = .unread }
    case .favourite: if Self.isYes(text) { isFavourite = true }
    case .rest: rest = text
    }
  }

  private static func isYes(_ text: String) -> Bool {
    ["1", "true", "yes"].contains(text.lowercased())
  }

  /// A word for a state, or Pocket's number of it; any other word says nothing.
  private mutating func takeState(_ text: String) {
    switch text.lowercased() {
    case "archive", "archived", "1": reading = .archived
    case "read": reading = .read
    case "unread", "to read", "toread", "later", "shortlist", "new", "0": reading = .unread
    case "starred", "favorite", "favourite": isFavourite = true
    default: break
    }
  }

  /// A path of folders; the places that a service has by itself are none.
  private mutating func takeFolder(_ text: String) {
    switch text.lowercased() {
    case "archive", "archived": reading = .archived
    case "unread": if reading == nil { reading = .unread }
    case "starred": isFavourite = true
    case "unsorted", "inbox": break
    default: folders += text.split(separator: "/").map { String($0).trimmingBlanks }
    }
  }
}
