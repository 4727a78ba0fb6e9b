/// A document that is compiled into the binary, so that a copied binary works alone.
///
/// Each is a file of its own under `schemas/` or `shortcuts/`, named after what it defines.
struct BuiltIn: Sendable {
  let kind: Definition.Kind
  let name: String
  /// Where it stands in the project, for messages.
  let path: String
  let bytes: @Sendable () -> [UInt8]

  private init(
    _ kind: Definition.Kind, _ name: String, _ path: String,
    _ bytes: @escaping @Sendable () -> [UInt8]
  ) {
    self.kind = kind
    self.name = name
    self.path = path
    self.bytes = bytes
  }

  /// The names of all of them.
  static let names = [
    "Counter", "File", "Link", "Note", "Task", "add-note", "add-task", "archive", "favourite",
    "open", "open-file", "read", "recent", "save", "search",
    "share", "tasks", "toggle-task", "unread", "check-backups", "fetch-repositories", "find-by-tag",
    "invoice-number",
    "open-recent", "pomodoro", "quick-share", "rename-files", "save-from-clipboard",
    "save-with-tags", "search-and-share", "weekly-report", "check-links", "morning-briefing",
    "summarize", "sync-stars", "sync-my-stars", "keep-file", "keep-link", "keep-note", "enrich",
    "duplicates",
  ]

  /// All of them.
  static var all: [BuiltIn] { names.compactMap(named) }

  /// Whether a name is that of an entity, which alone begin with a capital.
  static func isEntity(_ name: String) -> Bool { name.utf8.first.map { $0 < 0x61 } ?? false }

  /// A name that a person may easily take for the given one, or the name itself; nil without any.
  static func name(thatLooksLike name: String) -> String? {
    names.first { NameForm.lookAlike($0, name) }
  }

  /// The one of a name; a start makes only those that it wants.
  static func named(_ name: String) -> BuiltIn? {
    switch name {
    case "Counter":
      BuiltIn(.entity, "Counter", "schemas/entities/Counter.yaml") { PackageResources.Counter_yaml }
    case "File":
      BuiltIn(.entity, "File", "schemas/entities/File.yaml") { PackageResources.File_yaml }
    case "Link":
      BuiltIn(.entity, "Link", "schemas/entities/Link.yaml") { PackageResources.Link_yaml }
    case "Note":
      BuiltIn(.entity, "Note", "schemas/entities/Note.yaml") { PackageResources.Note_yaml }
    case "Task":
      BuiltIn(.entity, "Task", "schemas/entities/Task.yaml") { PackageResources.Task_yaml }
    case "add-note":
      BuiltIn(.intent, "add-note", "schemas/intents/add-note.yaml") {
        PackageResources.add_note_yaml
      }
    case "add-task":
      BuiltIn(.intent, "add-task", "schemas/intents/add-task.yaml") {
        PackageResources.add_task_yaml
      }
    case "open":
      BuiltIn(.intent, "open", "schemas/intents/open.yaml") { PackageResources.open_yaml }
    case "archive":
      BuiltIn(.intent, "archive", "schemas/intents/archive.yaml") { PackageResources.archive_yaml }
    case "favourite":
      BuiltIn(.intent, "favourite", "schemas/intents/favourite.yaml") {
        PackageResources.favourite_yaml
      }
    case "open-file":
      BuiltIn(.intent, "open-file", "schemas/intents/open-file.yaml") {
        PackageResources.open_file_yaml
      }
    case "read":
      BuiltIn(.intent, "read", "schemas/intents/read.yaml") { PackageResources.read_yaml }
    case "unread":
      BuiltIn(.intent, "unread", "schemas/intents/unread.yaml") { PackageResources.unread_yaml }
    case "recent":
      BuiltIn(.intent, "recent", "schemas/intents/recent.yaml") { PackageResources.recent_yaml }
    case "save":
      BuiltIn(.intent, "save", "schemas/intents/save.yaml") { PackageResources.save_yaml }
    case "search":
      BuiltIn(.intent, "search", "schemas/intents/search.yaml") { PackageResources.search_yaml }
    case "share":
      BuiltIn(.intent, "share", "schemas/intents/share.yaml") { PackageResources.share_yaml }
    case "tasks":
      BuiltIn(.intent, "tasks", "schemas/intents/tasks.yaml") { PackageResources.tasks_yaml }
    case "toggle-task":
      BuiltIn(.intent, "toggle-task", "schemas/intents/toggle-task.yaml") {
        PackageResources.toggle_task_yaml
      }
    case "find-by-tag":
      BuiltIn(.shortcut, "find-by-tag", "shortcuts/find-by-tag.yaml") {
        PackageResources.find_by_tag_yaml
      }
    case "open-recent":
      BuiltIn(.shortcut, "open-recent", "shortcuts/open-recent.yaml") {
        PackageResources.open_recent_yaml
      }
    case "quick-share":
      BuiltIn(.shortcut, "quick-share", "shortcuts/quick-share.yaml") {
        PackageResources.quick_share_yaml
      }
    case "save-from-clipboard":
      BuiltIn(.shortcut, "save-from-clipboard", "shortcuts/save-from-clipboard.yaml") {
        PackageResources.save_from_clipboard_yaml
      }
    case "save-with-tags":
      BuiltIn(.shortcut, "save-with-tags", "shortcuts/save-with-tags.yaml") {
        PackageResources.save_with_tags_yaml
      }
    case "search-and-share":
      BuiltIn(.shortcut, "search-and-share", "shortcuts/search-and-share.yaml") {
        PackageResources.search_and_share_yaml
      }
    case "check-backups":
      BuiltIn(.shortcut, "check-backups", "shortcuts/check-backups.yaml") {
        PackageResources.check_backups_yaml
      }
    case "fetch-repositories":
      BuiltIn(.shortcut, "fetch-repositories", "shortcuts/fetch-repositories.yaml") {
        PackageResources.fetch_repositories_yaml
      }
    case "invoice-number":
      BuiltIn(.shortcut, "invoice-number", "shortcuts/invoice-number.yaml") {
        PackageResources.invoice_number_yaml
      }
    case "pomodoro":
      BuiltIn(.shortcut, "pomodoro", "shortcuts/pomodoro.yaml") {
        PackageResources.pomodoro_yaml
      }
    case "rename-files":
      BuiltIn(.shortcut, "rename-files", "shortcuts/rename-files.yaml") {
        PackageResources.rename_files_yaml
      }
    case "weekly-report":
      BuiltIn(.shortcut, "weekly-report", "shortcuts/weekly-report.yaml") {
        PackageResources.weekly_report_yaml
      }
    case "enrich":
      BuiltIn(.shortcut, "enrich", "shortcuts/enrich.yaml") { PackageResources.enrich_yaml }
    case "duplicates":
      BuiltIn(.shortcut, "duplicates", "shortcuts/duplicates.yaml") {
        PackageResources.duplicates_yaml
      }
    case "check-links":
      BuiltIn(.shortcut, "check-links", "shortcuts/check-links.yaml") {
        PackageResources.check_links_yaml
      }
    case "morning-briefing":
      BuiltIn(.shortcut, "morning-briefing", "shortcuts/morning-briefing.yaml") {
        PackageResources.morning_briefing_yaml
      }
    case "summarize":
      BuiltIn(.shortcut, "summarize", "shortcuts/summarize.yaml") {
        PackageResources.summarize_yaml
      }
    case "sync-stars":
      BuiltIn(.shortcut, "sync-stars", "shortcuts/sync-stars.yaml") {
        PackageResources.sync_stars_yaml
      }
    case "sync-my-stars":
      BuiltIn(.automation, "sync-my-stars", "automations/sync-my-stars.yaml") {
        PackageResources.sync_my_stars_yaml
      }
    case "keep-file":
      BuiltIn(.shortcut, "keep-file", "shortcuts/keep-file.yaml") {
        PackageResources.keep_file_yaml
      }
    case "keep-link":
      BuiltIn(.shortcut, "keep-link", "shortcuts/keep-link.yaml") {
        PackageResources.keep_link_yaml
      }
    case "keep-note":
      BuiltIn(.shortcut, "keep-note", "shortcuts/keep-note.yaml") {
        PackageResources.keep_note_yaml
      }
    default: nil
    }
  }
}
