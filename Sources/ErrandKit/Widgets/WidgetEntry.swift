import Catalog
import YAML

/// The content of a widget at a moment, for every family and rendering.
package struct WidgetEntry: Hashable, Sendable {
  /// The sizes in which widgets are shown.
  package enum Family: String, CaseIterable, Sendable {
    case small, medium, large, rectangular, circular, inline

    private var declared: WidgetDefinition.Family? { WidgetDefinition.Family(rawValue: rawValue) }

    /// Whether it is one text, not rows.
    package var isText: Bool { declared?.isText ?? false }

    /// The number of rows that fit.
    package var maxRows: Int { declared?.maxRows ?? 0 }
  }

  /// A row.
  package struct Row: Hashable, Sendable {
    package var title: String
    package var detail: String
    /// A text in red; empty for none.
    package var warning: String
    /// A share from 0 to 1; nil for no bar.
    package var progress: Double?
    /// Whether it is checked off; nil without a box.
    package var isDone: Bool?
    /// The reference of the item; nil for a row without an item.
    package var reference: String?
  }

  /// A button.
  package struct Button: Hashable, Sendable {
    package var title: String
    /// The intent or shortcut that it runs.
    package var action: String
  }

  package var widget: String
  package var title: String
  package var icon: String
  /// The moment at which it was made.
  package var date: String
  package var rows: [Row]
  package var total: Int
  /// The texts of families that are one text, and `empty`.
  package var texts: [String: String]
  package var buttons: [Button]
  /// The intent or shortcut of a click on a row, and further ones.
  package var tap: String?
  package var actions: [String]
  package var hasSearch: Bool
  /// The number of rows of each family.
  package var rowsByFamily: [String: Int]
  /// Why it is not of now, such as “The library is locked”; nil if it is.
  package var stale: String?

  /// The rows that a family shows.
  package func rows(in family: Family) -> ArraySlice<Row> {
    rows.prefix(rowsByFamily[family.rawValue] ?? family.maxRows)
  }

  /// The text of a family that is one text.
  package func text(of family: Family) -> String {
    texts[family.rawValue]
      ?? (family == .circular ? "\(total)" : rows.first.map(\.title) ?? texts["empty"] ?? "")
  }

  /// The entry for programs, as `{date, title, items, total, texts, buttons, stale}`.
  package var json: JSONValue {
    .object([
      "widget": .string(widget), "title": .string(title), "icon": .string(icon),
      "date": .string(date), "total": .int(Int64(total)),
      "items": .array(rows.map(\.json)),
      "texts": .object(texts.mapValues(JSONValue.string)),
      "buttons": .array(
        buttons.map { ["title": .string($0.title), "run": .string($0.action)] }),
      "tap": tap.map(JSONValue.string) ?? .null,
      "actions": .array(actions.map(JSONValue.string)), "search": .bool(hasSearch),
      "rows": .object(rowsByFamily.mapValues { .int(Int64($0)) }),
      "stale": stale.map(JSONValue.string) ?? .null,
    ])
  }

  /// Reads an entry that was kept; nil for another value.
  package init?(_ json: JSONValue) {
    guard let widget = json["widget"]?.string, let title = json["title"]?.string,
      let date = json["date"]?.string, let total = json["total"]?.int,
      let rows = json["items"]?.array
    else { return nil }
    func numbers(_ value: JSONValue?) -> [String: Int] {
      guard case .object(let members)? = value else { return [:] }
      return members.compactMapValues { $0.int.map(Int.init(clamping:)) }
    }
    func texts(_ value: JSONValue?) -> [String: String] {
      guard case .object(let members)? = value else { return [:] }
      return members.compactMapValues(\.string)
    }
    self.init(
      widget: widget, title: title, icon: json["icon"]?.string ?? "", date: date,
      rows: rows.map(Row.init), total: Int(clamping: total), texts: texts(json["texts"]),
      buttons: (json["buttons"]?.array ?? []).map {
        Button(title: $0["title"]?.string ?? "", action: $0["run"]?.string ?? "")
      }, tap: json["tap"]?.string,
      actions: (json["actions"]?.array ?? []).compactMap(\.string),
      hasSearch: json["search"] == true, rowsByFamily: numbers(json["rows"]),
      stale: json["stale"]?.string)
  }

  /// Makes the entry of a run's result.
  init(_ result: JSONValue, of action: ActionDefinition, named name: String, date: String) {
    let widget = action.widget
    func texts(_ value: JSONValue?) -> [String: String] {
      guard case .object(let members)? = value else { return [:] }
      return members.compactMapValues(\.string)
    }
    self.init(
      widget: name,
      title: action.title ?? name, icon: action.icon ?? "", date: date,
      rows: (result["items"]?.array ?? []).map(Row.init),
      total: Int(clamping: result["total"]?.int ?? 0), texts: texts(result["texts"]),
      buttons: widget?.buttons.map {
        Button(title: $0.title, action: $0.action?.text ?? "")
      } ?? [], tap: widget?.tap?.text, actions: widget?.actions.map(\.text) ?? [],
      hasSearch: widget?.hasSearch ?? false,
      rowsByFamily: Dictionary(
        uniqueKeysWithValues: (widget?.rows ?? [:]).map { ($0.key.rawValue, $0.value) }),
      stale: nil)
  }

  private init(
    widget: String, title: String, icon: String, date: String, rows: [Row], total: Int,
    texts: [String: String], buttons: [Button], tap: String?, actions: [String], hasSearch: Bool,
    rowsByFamily: [String: Int], stale: String?
  ) {
    self.widget = widget
    self.title = title
    self.icon = icon
    self.date = date
    self.rows = rows
    self.total = total
    self.texts = texts
    self.buttons = buttons
    self.tap = tap
    self.actions = actions
    self.hasSearch = hasSearch
    self.rowsByFamily = rowsByFamily
    self.stale = stale
  }
}

extension WidgetEntry.Row {
  fileprivate init(_ json: JSONValue) {
    title = json["title"]?.string ?? ""
    detail = json["detail"]?.string ?? ""
    warning = json["warning"]?.string ?? ""
    switch json["progress"] {
    case .double(let share)?: progress = min(max(share, 0), 1)
    case .int(let share)?: progress = min(max(Double(share), 0), 1)
    default: progress = nil
    }
    if case .bool(let done)? = json["done"] { isDone = done }
    reference = json["ref"]?.string
  }

  fileprivate var json: JSONValue {
    [
      "title": .string(title), "detail": .string(detail), "warning": .string(warning),
      "progress": progress.map(JSONValue.double) ?? .null,
      "done": isDone.map(JSONValue.bool) ?? .null,
      "ref": reference.map(JSONValue.string) ?? .null,
    ]
  }
}
