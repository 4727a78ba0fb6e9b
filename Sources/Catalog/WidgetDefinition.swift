import CEL
import Items
package import Source
package import YAML

/// A widget without its steps: the source of its items, its families and its click actions.
///
/// The steps of a widget are generated from its document: a `find`, a loop with a value for each
/// item, and the texts of its families. So a widget is checked, compiled and run like a shortcut.
package struct WidgetDefinition: Sendable {
  /// The sizes in which widgets are shown.
  package enum Family: String, CaseIterable, Sendable {
    case small, medium, large, rectangular, circular, inline

    /// Whether it is one text, not rows.
    package var isText: Bool { self == .circular || self == .inline }

    /// The number of rows that fit.
    package var maxRows: Int {
      switch self {
      case .small: 1
      case .medium: 3
      case .large: 5
      case .rectangular: 2
      case .circular, .inline: 0
      }
    }
  }

  /// The source of the items.
  package enum Source: Sendable {
    case entity(String, where: String?)
    /// The result of an intent or a shortcut.
    case action
    /// A state of Errand itself at the moment.
    case given(Given)
    case none
  }

  /// Rows of a widget that are not from the library.
  package enum Given: String, CaseIterable, Sendable {
    /// Activities that are going on.
    case activities
    /// Actions that the person probably wants now.
    case suggestions
  }

  /// A button.
  package struct Button: Sendable {
    package internal(set) var title = ""
    package internal(set) var action: Scalar?
  }

  package internal(set) var source = Source.none
  /// The interval in seconds at which it is rendered again, even without changes.
  package internal(set) var refresh: Int64 = 900
  /// The intent or shortcut that a click on an item runs.
  package internal(set) var tap: Scalar?
  /// Further ones for an item.
  package internal(set) var actions: [Scalar] = []
  package internal(set) var buttons: [Button] = []
  /// The text shown without items.
  package internal(set) var empty = "Nothing is here."
  /// The rows of each family.
  package internal(set) var rows: [Family: Int] = [:]
  /// Whether the large family has a search field.
  package internal(set) var hasSearch = false
  package let span: Span

  /// The prefix of its name among those of intents and shortcuts.
  package static let prefix = "widget:"
  /// The most items that are kept for its families and a list.
  static let maxItems = 20

  private(set) var items: Node?
  private(set) var run: Node?
  private(set) var item: Node?
  private(set) var families: [Mapping.Entry] = []
  private(set) var entries: Node?

  init(_ name: Scalar, _ reader: inout DefinitionReader) {
    span = name.span
    reader.read(Self.keys, into: &self)
    readItems(reader.collector)
    readFamilies(reader.collector)
    let hasText = families.contains { Family(rawValue: $0.key.text)?.isText != false }
    // Another key may be meant for one of these, and is reported itself.
    let others: Set = [
      "widget", "title", "description", "icon", "language", "item", "refresh", "families", "empty",
    ]
    if !hasText, reader.mapping.entries.allSatisfy({ others.contains($0.key.text) }) {
      reader.collector.report(
        "missing-argument", "this widget shows nothing", at: name.span,
        help: "add `items: {entity: …}`, `run: …` or `buttons:`")
    }
    if let node = item { readItem(node, reader.collector) }
  }

  /// Keys of a widget besides its title, description and icon.
  static let keys: [Key<Self>] = [
    Key(
      "items", "Its items: those of an entity, `activities` or `suggestions`.",
      .other(.either([.text, .mapping { itemsKeys }])) { $0.items = $1.node("items") }),
    Key(
      "run", "The intent or shortcut whose result its items are.",
      .other(.either([.text, .mapping { runKeys }])) { $0.run = $1.node("run") }),
    Key(
      "refresh", "The time after which it is made anew; 15m by default.",
      .other(.text) { widget, reader in
        guard let scalar = reader.scalar("refresh") else { return }
        widget.refresh = seconds(scalar, reader.collector)
      }),
    Key(
      "item", "What is shown of an item.",
      .other(.mapping { itemKeys }) { $0.item = $1.node("item") }),
    Key(
      "families", "What each size shows.",
      .other(.mapping { familyKeys }) { $0.families = $1.entries("families") }),
    Key(
      "buttons", "Buttons.",
      .other(.list(of: .keys { Button.keys })) { $0.readButtons(&$1) }),
    Key("empty", "The text shown without items.", .text { $0.empty = $1 }),
    Key("entries", "Moments at which it changes by itself.", .value { $0.entries = $1 }),
  ]

  private static let itemsKeys = [
    KeyDeclaration("entity", .name(.entity), "The entity.", isRequired: true),
    KeyDeclaration("where", .expression, "A condition over `self`."),
    KeyDeclaration("sort", .list(of: .text), "Properties to sort by."),
  ]
  private static let runKeys = [
    KeyDeclaration("name", .text, "Its name.", isRequired: true),
    KeyDeclaration("with", .names(of: .value), "Its parameters."),
  ]
  private static let itemKeys = [
    KeyDeclaration("title", .template, "Its title; the item's own by default."),
    KeyDeclaration("detail", .template, "A second line."),
    KeyDeclaration("warning", .template, "A text in red; empty for none."),
    KeyDeclaration("progress", .value, "A share from 0 to 1, shown as a bar."),
    KeyDeclaration("done", .value, "Whether it is checked off; null without a box."),
    KeyDeclaration("tap", .text, "The intent or shortcut that a click runs."),
    KeyDeclaration("actions", .list(of: .text), "Further intents or shortcuts for it."),
  ]
  private static let familyKeys: [KeyDeclaration] = Family.allCases.map {
    $0.isText
      ? KeyDeclaration($0.rawValue, .template, "Its text.")
      : KeyDeclaration(
        $0.rawValue,
        .mapping {
          [
            KeyDeclaration("rows", .int, "The number of rows."),
            KeyDeclaration("search", .text, "`search` for a search field."),
          ]
        }, "Its rows.")
  }

  private static func seconds(_ scalar: Scalar, _ collector: DiagnosticCollector) -> Int64 {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    if let unit = scalar.text.last.flatMap({ units[$0] }),
      let count = Int64(scalar.text.dropLast()), (1...10_000_000).contains(count)
    {
      return count * unit
    }
    collector.report(
      "invalid-value", "`refresh` must be a length of time such as 30s, 15m or 1d",
      at: scalar.span,
      help: Int64(scalar.text).map { "write the unit: `refresh: \($0)\($0 < 100 ? "m" : "s")`" }
        ?? "write `refresh: 15m`"
    )
    return 900
  }

  private mutating func readItems(_ collector: DiagnosticCollector) {
    if let items, let run {
      collector.report(
        "two-kinds", "a widget has either `items` or `run`", at: run.span,
        help: "remove one of them (`items` at line \(items.span.position.line))")
    }
    if run != nil { source = .action }
    guard let items else { return }
    if let word = items.scalar {
      if let given = Given(rawValue: word.text) {
        source = .given(given)
      } else {
        collector.report(
          "invalid-value", "`items` must be a mapping with `entity`, `activities` or `suggestions`",
          at: word.span, help: "write `items: {entity: \(word.text)}`")
      }
      return
    }
    guard var reader = DefinitionReader(items, what: "`items`", collector) else { return }
    reader.block = Self.itemsKeys
    let entity = reader.scalar("entity")
    let condition = reader.scalar("where")
    _ = reader.node("sort")
    for word in ["limit", "max", "count", "rows"] {
      reader.refuse(word) { node in
        "write `families: {medium: {rows: \(node.scalar?.text ?? "3")}}` for the number of rows"
      }
    }
    reader.finish()
    guard let entity else {
      collector.report(
        "missing-argument", "`items` needs an `entity`", at: items.span,
        help: "add `entity: Link`, or another one")
      return
    }
    var text = condition?.text.trimmed
    if let template = text, template.hasPrefix("{{"), template.hasSuffix("}}") {
      text = String(template.dropFirst(2).dropLast(2))
    }
    source = .entity(entity.text, where: text)
  }

  private mutating func readItem(_ node: Node, _ collector: DiagnosticCollector) {
    if let scalar = node.scalar {
      collector.report(
        "wrong-type", "`item` must be a mapping of keys, not text", at: node.span,
        help: "write `item: {title: \(scalar.span.text)}`")
      return
    }
    guard var reader = DefinitionReader(node, what: "`item`", collector) else { return }
    reader.block = Self.itemKeys
    for key in ["title", "detail", "warning", "progress", "done"] {
      if let scalar = reader.node(key)?.scalar { Self.check(scalar, of: key, collector) }
    }
    tap = reader.scalar("tap")
    actions = reader.scalars("actions") ?? []
    reader.finish()
  }

  /// Reports a value of an item that is text where an expression or a number was meant.
  private static func check(_ scalar: Scalar, of key: String, _ collector: DiagnosticCollector) {
    let text = scalar.text
    if text == "self" || text.hasPrefix("self."), !text.contains(" "), text.utf8.count < 100 {
      collector.report(
        "wrong-type", "`\(key)` is a text, so this shows the words “\(text)”",
        at: scalar.span, help: "write `\(key): '{{ \(text) }}'`")
    } else if key == "progress", !text.hasPart("{{"), Double(text) == nil {
      let share = text.hasSuffix("%") ? Double(text.dropLast()).map { $0 / 100 } : nil
      collector.report(
        "invalid-value", "`progress` must be a share from 0 to 1", at: scalar.span,
        help: "write `progress: \(share.map { "\($0)" } ?? "'{{ … }}'")`")
    }
  }

  private mutating func readFamilies(_ collector: DiagnosticCollector) {
    for entry in families {
      guard let family = Family(rawValue: entry.key.text) else {
        let words = Family.allCases.map(\.rawValue)
        collector.report(
          "unknown-key", "there is no family `\(entry.key.text)`", at: entry.key.span,
          help: Suggestion.help(for: entry.key.text, in: words))
        continue
      }
      if family.isText {
        if entry.value.scalar == nil {
          collector.report(
            "wrong-type", "the family `\(family.rawValue)` is one text", at: entry.value.span,
            help: "write `\(family.rawValue): '{{ total }}'`")
        }
        continue
      }
      guard
        var reader = DefinitionReader(
          entry.value, what: "a family", collector,
          help:
            "write `\(family.rawValue): {rows: \(min(max(entry.value.scalar.flatMap { Int($0.text) } ?? 1, 1), family.maxRows))}`"
        )
      else {
        continue
      }
      let count = reader.int("rows") ?? family.maxRows
      if let search = reader.scalar("search") {
        hasSearch = family == .large
        if family != .large || search.text != "search" {
          collector.report(
            "invalid-value", "only `large` has a field, written `search: search`",
            at: search.span)
        }
      }
      reader.finish()
      if !(0...family.maxRows).contains(count) {
        collector.report(
          "invalid-value",
          "`\(family.rawValue)` has at most \(family.maxRows) \(family.maxRows == 1 ? "row" : "rows")",
          at: entry.value.span,
          help: Family.allCases.first { !$0.isText && $0.maxRows >= count }.map {
            "write `rows: \(family.maxRows)`, or `\($0.rawValue): {rows: \(count)}`"
          } ?? "write `rows: \(family.maxRows)`")
      }
      rows[family] = min(max(count, 0), family.maxRows)
    }
  }

  private mutating func readButtons(_ reader: inout DefinitionReader) {
    let collector = reader.collector
    buttons = (reader.node("buttons")?.sequence ?? []).compactMap { node in
      let name = node.scalar?.text ?? "save"
      guard
        var reader = DefinitionReader(
          node, what: "a button", collector,
          help: "write `{title: \(name.prefix(1).uppercased() + name.dropFirst()), run: \(name)}`")
      else { return nil }
      var button = Button()
      reader.read(Button.keys, into: &button)
      reader.finish()
      return button.action == nil ? nil : button
    }
  }

  /// The widget with the texts of a translation.
  func translated(by translation: TranslationDefinition) -> WidgetDefinition {
    var widget = self
    widget.empty = translation.empty?.text ?? empty
    widget.buttons = buttons.map { button in
      var button = button
      button.title =
        translation.buttons.first { $0.title.text == button.title }?.text
        ?? button.title
      return button
    }
    func replaced(_ entries: [Mapping.Entry], by others: [Mapping.Entry]) -> [Mapping.Entry] {
      entries.map { entry in others.first { $0.key.text == entry.key.text } ?? entry }
    }
    widget.families = replaced(families, by: translation.families)
    if let item, let mapping = item.mapping, let texts = translation.item {
      let entries = replaced(mapping.entries, by: texts.entries)
      widget.item = Node(content: .mapping(Mapping(entries: entries)), span: item.span)
    }
    return widget
  }
}

extension WidgetDefinition.Button {
  static let keys: [Key<Self>] = [
    Key("title", "Its text.", isRequired: true, .text { $0.title = $1 }),
    Key(
      "run", "The intent or shortcut that it runs.", isRequired: true,
      .scalar { $0.action = $1 }),
  ]
}
