/// A document compiled into the binary, so that a copied binary works alone.
///
/// Each is a file under `schemas/` or `shortcuts/`, named after its definition.
struct BuiltIn: Sendable {
  let kind: Definition.Kind
  let name: String
  private let file: @Sendable () -> [UInt8]

  private init(
    _ kind: Definition.Kind, _ name: String, _ bytes: @escaping @Sendable () -> [UInt8]
  ) {
    self.kind = kind
    self.name = name
    file = bytes
  }

  /// Its text as users see it.
  var bytes: [UInt8] { Array(file()[...].withoutSchemaLine) }

  /// Path in the project, for messages.
  var path: String {
    switch kind {
    case .entity: "schemas/entities/\(name).yaml"
    case .intent: "schemas/intents/\(name).yaml"
    case .shortcut: "shortcuts/\(name).yaml"
    case .automation: "automations/\(name).yaml"
    case .translation, .vocabulary: "translations/\(name).yaml"
    case .widget: "widgets/\(name.dropFirst(WidgetDefinition.prefix.count)).widget.yaml"
    }
  }

  /// All built-in documents; their text is loaded on demand.
  static let all = [
    BuiltIn(.entity, "Counter") { PackageResources.Counter_yaml },
    BuiltIn(.entity, "File") { PackageResources.File_yaml },
    BuiltIn(.entity, "Link") { PackageResources.Link_yaml },
    BuiltIn(.entity, "Note") { PackageResources.Note_yaml },
    BuiltIn(.entity, "Shared") { PackageResources.Shared_yaml },
    BuiltIn(.entity, "Task") { PackageResources.Task_yaml },
    BuiltIn(.intent, "add-note") { PackageResources.add_note_yaml },
    BuiltIn(.intent, "add-task") { PackageResources.add_task_yaml },
    BuiltIn(.intent, "archive") { PackageResources.archive_yaml },
    BuiltIn(.intent, "dismiss-shared") { PackageResources.dismiss_shared_yaml },
    BuiltIn(.intent, "favourite") { PackageResources.favourite_yaml },
    BuiltIn(.intent, "keep-shared") { PackageResources.keep_shared_yaml },
    BuiltIn(.intent, "open") { PackageResources.open_yaml },
    BuiltIn(.intent, "open-file") { PackageResources.open_file_yaml },
    BuiltIn(.intent, "read") { PackageResources.read_yaml },
    BuiltIn(.intent, "recent") { PackageResources.recent_yaml },
    BuiltIn(.intent, "save") { PackageResources.save_yaml },
    BuiltIn(.intent, "search") { PackageResources.search_yaml },
    BuiltIn(.intent, "share") { PackageResources.share_yaml },
    BuiltIn(.intent, "tasks") { PackageResources.tasks_yaml },
    BuiltIn(.intent, "toggle-task") { PackageResources.toggle_task_yaml },
    BuiltIn(.intent, "unread") { PackageResources.unread_yaml },
    BuiltIn(.shortcut, "check-backups") { PackageResources.check_backups_yaml },
    BuiltIn(.shortcut, "fetch-repositories") { PackageResources.fetch_repositories_yaml },
    BuiltIn(.shortcut, "find-by-tag") { PackageResources.find_by_tag_yaml },
    BuiltIn(.shortcut, "invoice-number") { PackageResources.invoice_number_yaml },
    BuiltIn(.shortcut, "open-recent") { PackageResources.open_recent_yaml },
    BuiltIn(.shortcut, "pomodoro") { PackageResources.pomodoro_yaml },
    BuiltIn(.shortcut, "quick-share") { PackageResources.quick_share_yaml },
    BuiltIn(.shortcut, "rename-files") { PackageResources.rename_files_yaml },
    BuiltIn(.shortcut, "save-from-clipboard") { PackageResources.save_from_clipboard_yaml },
    BuiltIn(.shortcut, "save-with-tags") { PackageResources.save_with_tags_yaml },
    BuiltIn(.shortcut, "search-and-share") { PackageResources.search_and_share_yaml },
    BuiltIn(.shortcut, "weekly-report") { PackageResources.weekly_report_yaml },
    BuiltIn(.shortcut, "check-links") { PackageResources.check_links_yaml },
    BuiltIn(.shortcut, "morning-briefing") { PackageResources.morning_briefing_yaml },
    BuiltIn(.shortcut, "summarize") { PackageResources.summarize_yaml },
    BuiltIn(.shortcut, "sync-stars") { PackageResources.sync_stars_yaml },
    BuiltIn(.automation, "sync-my-stars") { PackageResources.sync_my_stars_yaml },
    BuiltIn(.shortcut, "keep-file") { PackageResources.keep_file_yaml },
    BuiltIn(.shortcut, "keep-link") { PackageResources.keep_link_yaml },
    BuiltIn(.shortcut, "keep-note") { PackageResources.keep_note_yaml },
    BuiltIn(.shortcut, "shelve") { PackageResources.shelve_yaml },
    BuiltIn(.shortcut, "enrich") { PackageResources.enrich_yaml },
    BuiltIn(.shortcut, "duplicates") { PackageResources.duplicates_yaml },
    BuiltIn(.widget, "widget:activities") { PackageResources.activities_widget_yaml },
    BuiltIn(.widget, "widget:quick-save") { PackageResources.quick_save_widget_yaml },
    BuiltIn(.widget, "widget:reading-list") { PackageResources.reading_list_widget_yaml },
    BuiltIn(.widget, "widget:recent-links") { PackageResources.recent_links_widget_yaml },
    BuiltIn(.widget, "widget:recent-notes") { PackageResources.recent_notes_widget_yaml },
    BuiltIn(.widget, "widget:scratchpad") { PackageResources.scratchpad_widget_yaml },
    BuiltIn(.widget, "widget:tasks") { PackageResources.tasks_widget_yaml },
  ]

  /// Names of all built-in documents.
  static var names: [String] { all.map(\.name) }

  /// Whether a name is an entity's; only these begin with a capital.
  static func isEntity(_ name: String) -> Bool { name.utf8.first.map { $0 < 0x61 } ?? false }

  /// A built-in name that is easily confused with `name`, or `name` itself; nil if there is none.
  static func name(thatLooksLike name: String) -> String? {
    all.first { NameForm.lookAlike($0.name, name) }?.name
  }

  /// The built-in document with a name.
  static func named(_ name: String) -> BuiltIn? {
    let length = name.utf8.count
    return all.first { $0.name.utf8.count == length && $0.name == name }
  }
}

extension ArraySlice<UInt8> {
  /// The text without a first line that names its JSON Schema to editors, by a path from one folder.
  var withoutSchemaLine: ArraySlice<UInt8> {
    starts(with: "# yaml-language-server:".utf8) ? drop { $0 != 0x0A }.dropFirst() : self
  }
}
