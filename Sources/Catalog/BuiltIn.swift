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

  static let all: [BuiltIn] = [
    BuiltIn(.entity, "Link", "schemas/entities/Link.yaml") { PackageResources.Link_yaml },
    BuiltIn(.entity, "Note", "schemas/entities/Note.yaml") { PackageResources.Note_yaml },
    BuiltIn(.entity, "Task", "schemas/entities/Task.yaml") { PackageResources.Task_yaml },
    BuiltIn(.intent, "add-note", "schemas/intents/add-note.yaml") {
      PackageResources.add_note_yaml
    },
    BuiltIn(.intent, "add-task", "schemas/intents/add-task.yaml") {
      PackageResources.add_task_yaml
    },
    BuiltIn(.intent, "open", "schemas/intents/open.yaml") { PackageResources.open_yaml },
    BuiltIn(.intent, "recent", "schemas/intents/recent.yaml") { PackageResources.recent_yaml },
    BuiltIn(.intent, "save", "schemas/intents/save.yaml") { PackageResources.save_yaml },
    BuiltIn(.intent, "search", "schemas/intents/search.yaml") { PackageResources.search_yaml },
    BuiltIn(.intent, "share", "schemas/intents/share.yaml") { PackageResources.share_yaml },
    BuiltIn(.intent, "tasks", "schemas/intents/tasks.yaml") { PackageResources.tasks_yaml },
    BuiltIn(.intent, "toggle-task", "schemas/intents/toggle-task.yaml") {
      PackageResources.toggle_task_yaml
    },
    BuiltIn(.shortcut, "find-by-tag", "shortcuts/find-by-tag.yaml") {
      PackageResources.find_by_tag_yaml
    },
    BuiltIn(.shortcut, "open-recent", "shortcuts/open-recent.yaml") {
      PackageResources.open_recent_yaml
    },
    BuiltIn(.shortcut, "quick-share", "shortcuts/quick-share.yaml") {
      PackageResources.quick_share_yaml
    },
    BuiltIn(.shortcut, "save-from-clipboard", "shortcuts/save-from-clipboard.yaml") {
      PackageResources.save_from_clipboard_yaml
    },
    BuiltIn(.shortcut, "save-with-tags", "shortcuts/save-with-tags.yaml") {
      PackageResources.save_with_tags_yaml
    },
    BuiltIn(.shortcut, "search-and-share", "shortcuts/search-and-share.yaml") {
      PackageResources.search_and_share_yaml
    },
  ]
}
