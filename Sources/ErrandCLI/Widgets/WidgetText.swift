import ErrandKit
import Source

/// A widget as text: for a terminal, a pipe, tmux, and bars that read JSON lines.
struct WidgetText {
  private let entry: WidgetEntry
  private let family: WidgetEntry.Family
  /// The columns that no text exceeds.
  private let width: Int
  /// The columns of the edges of a box, with their blanks.
  private static let edges = 4

  /// - Parameter columns: The width of the terminal for a box.
  init(_ entry: WidgetEntry, _ family: WidgetEntry.Family, columns: Int = .max) {
    self.entry = entry
    self.family = family
    let room = columns - (family.isText ? 0 : Self.edges)
    width = min(Self.width(of: family), max(room, 4))
  }

  /// The columns of a family.
  private static func width(of family: WidgetEntry.Family) -> Int {
    switch family {
    case .small: 20
    case .medium, .large: 42
    case .rectangular: 22
    case .circular: 5
    case .inline: 60
    }
  }

  /// The lines between the title and the end, not of one text.
  private var rows: [(text: String, warning: String)] {
    let rows = entry.rows(in: family)
    if rows.isEmpty {
      let text = entry.rows.isEmpty ? entry.texts["empty"] ?? "" : ""
      let buttons = entry.buttons.map { "[\($0.title)]" }
      return ([text] + buttons).filter { !$0.isEmpty }.map { ($0.plainLine.cut(to: width), "") }
    }
    return rows.map { row in
      let box = row.isDone.map { $0 ? "✓ " : "○ " } ?? ""
      let bar = row.progress.map { " \(Int($0 * 100)) %" } ?? ""
      let end = row.warning.isEmpty ? family == .small ? "" : row.detail : row.warning
      let tail = (end.plainLine + bar).cut(to: width / 2)
      let room = width - tail.displayWidth - (tail.isEmpty ? 0 : 1)
      let title = (box + row.title.plainLine).cut(to: room)
      let line = tail.isEmpty ? title : title.padded(to: room) + " " + tail
      return (line, row.warning.isEmpty ? "" : row.warning)
    }
  }

  /// The title with the number of items.
  private var head: String {
    let count = entry.total > 0 ? "\(entry.total)" : ""
    let room = width - count.displayWidth - (count.isEmpty ? 0 : 1)
    return entry.title.plainLine.cut(to: room).padded(to: room) + (count.isEmpty ? "" : " " + count)
  }

  /// The line that marks an outdated entry; nil for a current one.
  private var foot: String? {
    entry.stale.map { "\($0). As of \(entry.date.prefix(16).replacing("T", with: " "))" }
  }

  /// Plain lines.
  var text: String {
    guard !family.isText else { return oneLine }
    let lines = [head] + rows.map(\.text) + (foot.map { [$0.cut(to: 60)] } ?? [])
    return lines.joined(separator: "\n")
  }

  /// The text of a family that is one text.
  private var oneLine: String {
    let mark = entry.stale == nil ? "" : " ?"
    return entry.text(of: family).plainLine.cut(to: width - mark.count) + mark
  }

  /// A box for a terminal.
  func terminal(_ style: Style) -> TerminalText {
    guard !family.isText else { return "\(oneLine)" }
    let line = String(repeating: "─", count: width + 2)
    var text: TerminalText = "\(style.dim("╭\(line)╮"))\n"
    func add(_ content: TerminalText, _ plain: String) {
      let room = String(repeating: " ", count: max(0, width - plain.displayWidth))
      text = text + "\(style.dim("│")) \(content)\(room) \(style.dim("│"))\n"
    }
    add(style.bold("\(head)"), head)
    for row in rows {
      guard !row.warning.isEmpty else {
        add("\(row.text)", row.text)
        continue
      }
      add(style.error("\(row.text)"), row.text)
    }
    if let foot {
      let cut = foot.cut(to: width)
      add(style.dim("\(cut)"), cut)
    }
    return text + "\(style.dim("╰\(line)╯"))"
  }

  /// One line of any family.
  private var bar: String {
    let lines = self.text.split(separator: "\n").map { line in
      line.split(separator: " ").joined(separator: " ")
    }
    return family.isText ? oneLine : lines.joined(separator: " · ")
  }

  /// A text for tmux's status line: `#` begins its formats.
  var tmux: String {
    let text = bar.replacing("#", with: "##")
    let isLate = entry.rows.contains { !$0.warning.isEmpty }
    return isLate ? "#[fg=red]\(text)#[default]" : text
  }

  /// A text for polybar, whose tags begin with `%{`.
  ///
  /// Polybar has no escape for them, so a zero-width space separates the two characters.
  var polybar: String { bar.replacing("%{", with: "%\u{200B}{") }

  /// A line of JSON for waybar, whose texts are Pango markup.
  var waybar: String {
    func escaped(_ text: String) -> String {
      text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
    let large = WidgetText(entry, .large)
    var members: [String: JSONValue] = [
      "text": .string(
        escaped(family.isText ? oneLine : WidgetText(entry, .inline).oneLine)),
      "tooltip": .string(escaped(large.text)), "alt": .string(entry.widget),
      "class": .array(
        [
          entry.total == 0 ? "empty" : "some", entry.stale == nil ? nil : "stale",
          entry.rows.contains { !$0.warning.isEmpty } ? "late" : nil,
        ].compactMap { $0.map(JSONValue.string) }),
    ]
    if let share = entry.rows.first?.progress { members["percentage"] = .int(Int64(share * 100)) }
    return (try? JSONValue.object(members).text()) ?? "{}"
  }
}

extension String {
  /// The text in one line without characters that control a terminal or turn text around.
  fileprivate var plainLine: String {
    TerminalText(self).text
  }
}
