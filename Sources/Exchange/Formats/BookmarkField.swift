import ForeignText

/// The meaning of a column or member in another program's export.
enum BookmarkField: Hashable {
  case url, originalURL, title, note, description, tags, folder, created, updated
  case state, archived, archivedOrUnread, read, unread, favourite
  /// Whether it is private, and Pinboard's inverse.
  case isPrivate, isShared
  /// Members that the format cannot hold, written by our own export.
  case rest

  /// Looks up a name; nil if links have no such field.
  init?(_ name: String) {
    // `Document tags`, `date_added`, `savedAt` and the like differ only in spelling.
    let letters = name.utf8.filter {
      $0 != 0x20 && $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-")
    }
    switch String(decoding: letters.map(\.loweredASCII), as: UTF8.self) {
    case "url", "uri", "href", "link", "address", "bookmark", "bookmarkurl", "pageurl":
      self = .url
    case "resolvedurl", "givenurl", "sourceurl", "originalurl": self = .originalURL
    case "title", "name", "resolvedtitle", "giventitle", "booktitle", "pagetitle": self = .title
    case "note", "notes", "comment", "comments", "annotation", "annotations", "annos",
      "selection", "highlight", "highlights", "text", "contenttext":
      self = .note
    case "description", "desc", "excerpt", "extended", "summary": self = .description
    case "tags", "labels", "documenttags", "keywords", "tag", "label", "tagnames": self = .tags
    case "folder", "collection", "folderpath", "path", "list": self = .folder
    case "created", "createdat", "timeadded", "time", "added", "addedat", "dateadded", "adddate",
      "savedat", "saveddate", "saved", "timestamp", "date", "datecreated", "creationdate",
      "datesaved", "highlightedat", "datepublished":
      self = .created
    case "updated", "updatedat", "lastmodified", "modified", "datemodified", "timeupdated",
      "lastupdate", "modifiedat":
      self = .updated
    case "status", "state", "location": self = .state
    // In Wallabag's list of unarchived items the value is “unread”.
    case "isarchived": self = .archivedOrUnread
    case "archived", "archive": self = .archived
    case "isread", "read": self = .read
    case "toread", "unread", "isunread", "readlater": self = .unread
    case "favorite", "favourite", "favorited", "isfavorite", "isfavourite", "starred", "isstarred",
      "important", "star":
      self = .favourite
    case "private", "isprivate": self = .isPrivate
    case "shared": self = .isShared
    case "errand": self = .rest
    default: return nil
    }
  }
}

extension Bookmark {
  /// Sets a field from its text.
  ///
  /// - Parameter tagSeparator: The separator of tags.
  mutating func take(
    _ text: String, as field: BookmarkField, tagSeparator: TagList.Separator = .any
  ) {
    guard !text.isEmpty else { return }
    switch field {
    case .url: url = text
    case .originalURL: if url.isEmpty { url = text }
    case .title: if title.isEmpty { title = text }
    case .note, .description: notes.append(text)
    case .tags: takeTags(TagList.tags(text, tagSeparator))
    case .folder: takeFolder(text)
    case .created: if created.isEmpty { created = text }
    case .updated: updated = text
    case .state: takeState(text)
    case .archived: if Self.isYes(text) { reading = .archived }
    case .archivedOrUnread: reading = Self.isYes(text) ? .archived : .unread
    case .read: if Self.isYes(text), reading != .archived { reading = .read }
    case .unread: if Self.isYes(text), reading == nil { reading = .unread }
    case .isPrivate: if Self.isYes(text) { isPrivate = true }
    case .isShared: if text.lowercased() == "no" { isPrivate = true }
    case .favourite: if Self.isYes(text) { isFavourite = true }
    case .rest: rest = text
    }
  }

  /// Adds tags; one of linkding's means that the bookmark is archived.
  mutating func takeTags(_ tags: [String]) {
    for tag in tags {
      if tag == "linkding:bookmarks.archived" { reading = .archived } else { self.tags.append(tag) }
    }
  }

  /// Adds a note; linkding marks a second part of it.
  mutating func takeNote(_ text: String) {
    notes += text.split(separator: "[linkding-notes]").map {
      String($0).replacing("[/linkding-notes]", with: "")
    }
  }

  private static func isYes(_ text: String) -> Bool {
    ["1", "true", "yes"].contains(text.lowercased())
  }

  /// Sets the state from a word or Pocket's number; other words are ignored.
  private mutating func takeState(_ text: String) {
    switch text.lowercased() {
    case "archive", "archived", "1": reading = .archived
    case "read": reading = .read
    case "unread", "to read", "toread", "later", "shortlist", "new", "0": reading = .unread
    case "starred", "favorite", "favourite": isFavourite = true
    default: break
    }
  }

  /// Adds a path of folders; a service's built-in places set the state instead.
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
