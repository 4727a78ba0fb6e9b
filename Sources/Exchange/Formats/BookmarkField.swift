import ForeignText

/// The meaning of a column or member in another program's export.
enum BookmarkField: Hashable {
  case url, originalURL, pocketURL, title, note, description, tags, folder, created, updated
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
    case "sourceurl", "originalurl": self = .originalURL
    case "resolvedurl", "givenurl": self = .pocketURL
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
    case "isarchived": self = .archivedOrUnread
    case "archived", "archive": self = .archived
    case "isread", "read": self = .read
    case "toread", "unread", "isunread", "readlater": self = .unread
    case "favorite", "favourite", "favorited", "favourited", "ismarked", "isfavorite",
      "isfavourite", "starred", "isstarred",
      "important", "star":
      self = .favourite
    case "private", "isprivate": self = .isPrivate
    case "shared": self = .isShared
    case "errand": self = .rest
    default: return nil
    }
  }
}

extension BookmarkField {
  /// Returns the kind of a text that `Bookmark.take` did not use.
  func leftover(_ text: String, in name: String) -> Leftovers.Kind {
    switch self {
    case .url, .originalURL, .pocketURL, .title, .created, .updated: .second(name)
    default: .value(text, of: name)
    }
  }
}

extension Bookmark {
  /// Sets a field from its text; returns whether all of the text was used.
  ///
  /// - Parameter tagSeparator: The separator of tags.
  mutating func take(
    _ text: String, as field: BookmarkField, tagSeparator: TagList.Separator = .any
  ) -> Bool {
    guard !text.isEmpty else { return true }
    switch field {
    case .url: return Self.fill(&url, text)
    case .originalURL: return Self.fill(&url, text)
    case .pocketURL:
      isOfPocket = true
      return Self.fill(&url, text)
    case .title: return Self.fill(&title, text)
    case .note, .description: notes.append(text)
    case .tags: takeTags(TagList.tags(text, tagSeparator))
    case .folder: takeFolder(text)
    case .created: return Self.fill(&created, text)
    case .updated: return Self.fill(&updated, text)
    case .state: return takeState(text)
    default: return takeFlag(text, field)
    }
    return true
  }

  /// Sets a text that has no value yet.
  private static func fill(_ property: inout String, _ text: String) -> Bool {
    if property.isEmpty { property = text }
    return property == text
  }

  private mutating func takeFlag(_ text: String, _ field: BookmarkField) -> Bool {
    // In Wallabag's list of unarchived items the value is “unread”.
    let isUnread = field == .archivedOrUnread && text.lowercased() == "unread"
    guard let flag = isUnread ? false : Self.flag(text) else { return false }
    switch field {
    case .archived: if flag { reading = .archived }
    case .archivedOrUnread: reading = flag ? .archived : .unread
    case .read: if flag, reading != .archived { reading = .read }
    case .unread: if flag, reading == nil { reading = .unread }
    case .isPrivate: if flag { isPrivate = true }
    case .isShared: if !flag { isPrivate = true }
    case .favourite: if flag { isFavourite = true }
    default: return false
    }
    return true
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

  private static func flag(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "1", "true", "yes": true
    case "0", "false", "no": false
    default: nil
    }
  }

  /// Sets the state from a word; false for other words.
  private mutating func takeState(_ text: String) -> Bool {
    switch text.lowercased() {
    case "archive", "archived", "completed": reading = .archived
    case "read": reading = .read
    case "unread", "to read", "toread", "later", "shortlist", "new": reading = .unread
    case "1" where isOfPocket: reading = .archived
    case "0" where isOfPocket: reading = .unread
    // Omnivore's and Readwise's words for an item without another state.
    case "active", "succeeded", "feed": break
    case "starred", "favorite", "favourite": isFavourite = true
    default: return false
    }
    return true
  }

  /// Adds a path of folders; a service's built-in places set the state instead.
  private mutating func takeFolder(_ text: String) {
    switch text.lowercased() {
    case "archive", "archived": reading = .archived
    case "unread": if reading == nil { reading = .unread }
    case "starred": isFavourite = true
    case "unsorted", "inbox", "unorganized": break
    default: folders += text.split(separator: "/").map { String($0).trimmingBlanks }
    }
  }
}
