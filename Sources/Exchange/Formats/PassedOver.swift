/// The names of parts that are passed over on purpose: what another program keeps for itself or derived from the page.
///
/// The table in docs/cli.md says the same to users.
enum PassedOver {
  /// Names of columns and members, in lower case: ids, hashes, positions, pictures, and what was derived from the page.
  static let fields: Set<String> = [
    // Ids, hashes and positions.
    "id", "_id", "guid", "uuid", "uid", "index", "position", "order", "sort", "hash", "meta",
    "slug", "item_id", "resolved_id", "sort_id", "cursor", "user_id", "userid", "ownerid",
    "collectionid", "createdbyid", "parentid", "user_name", "user_email", "checksum",
    "version", "sync_transaction_version", "web_title_is_from_user", "typecode", "charset", "root",
    "meta_info", "unsynced_meta_info", "count", "next", "previous",
    // Times at which a page was opened or a state was set.
    "date_last_used", "date_last_viewed", "archived_at", "starred_at", "time_read",
    "time_favorited", "last_visited",
    // Pictures.
    "icon", "iconuri", "iconurl", "favicon", "favicon_url", "cover", "thumbnail", "image",
    "image_url", "preview_picture", "preview_image_url", "has_image", "has_video", "top_image_url",
    // What the program found out about the page.
    "domain", "domain_name", "domain_metadata", "mimetype", "language", "lang", "reading_time",
    "time_to_read", "wordcount", "word_count", "http_status", "is_article", "is_index",
    "resolved_url_normalized", "website_title", "website_description", "web_archive_snapshot_url",
  ]

  /// Members of highlights and annotations, beside `fields`: their texts, places and looks.
  static let annotation: Set<String> = [
    "quote", "text", "value", "note", "annotation", "name", "ranges", "color", "flags", "expires",
    "type", "created", "created_at", "updated_at", "mimeType",
  ]

  /// Attributes of bookmarks in HTML: pictures, and what a browser keeps of its own.
  static let bookmark: Set<String> = [
    "icon", "icon_uri", "iconuri", "last_visit", "last_charset", "web_panel", "id", "guid",
    "class", "style", "target", "rel", "folded",
  ]

  /// Attributes of folders in HTML: times, and the marks of built-in ones.
  static let folder: Set<String> = [
    "add_date", "last_modified", "personal_toolbar_folder", "unfiled_bookmarks_folder", "folded",
    "id", "guid", "icon", "class", "style",
  ]

  /// Attributes of outlines: the kind of a feed, and the state of an outliner.
  static let outline: Set<String> = [
    "type", "version", "isopen", "iscomment", "isbreakpoint", "id",
  ]

  /// Elements of the items of feeds: ids, and counts of comments.
  static let feed: Set<String> = ["guid", "id", "comments", "commentrss", "li"]

  /// Attributes of bookmarks in XBEL.
  static let xbel: Set<String> = ["id", "visited", "icon"]

  /// Members of Safari's property list.
  static let safari: Set<String> = [
    "WebBookmarkType", "WebBookmarkUUID", "WebBookmarkIdentifier", "WebBookmarkFileVersion",
    "Sync", "ReadingListNonSync", "ShouldOmitFromUI", "imageURL", "WebBookmarkAutoTab", "Title",
    "DateLastFetched",
  ]

  /// Settings of Org, and the title of the document.
  static let org: Set<String> = [
    "TITLE", "STARTUP", "OPTIONS", "TODO", "AUTHOR", "DATE", "EMAIL", "LANGUAGE",
    "TAGS", "PROPERTY", "SEQ_TODO", "TYP_TODO",
  ]
}
