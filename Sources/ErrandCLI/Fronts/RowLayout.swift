import ErrandKit
import Items
import Source
import Store

/// Lays out things with a title and a subtitle as aligned lines, such as
/// `link:42  Title  subtitle`; what a search found in other texts stands below.
struct RowLayout {
  /// One thing in the list.
  struct Row {
    /// What it can be picked by: a number or a reference.
    let lead: String
    let title: MarkedText
    /// What stands beside the title; what is marked in it needs attention.
    let subtitle: MarkedText?
    var snippet: MarkedText?

    init(lead: String, title: MarkedText, subtitle: MarkedText?, snippet: MarkedText? = nil) {
      self.lead = lead
      self.title = title
      self.subtitle = subtitle
      self.snippet = snippet
    }

    init(lead: String, title: String, subtitle: String?) {
      self.init(
        lead: lead, title: MarkedText(title),
        subtitle: subtitle.flatMap { $0.isEmpty ? nil : MarkedText($0) })
    }

    /// The row with nothing in it that would steer a terminal.
    fileprivate var harmless: Row {
      Row(
        lead: lead.harmless(), title: title.mapText { $0.harmless() },
        subtitle: subtitle?.mapText { $0.harmless() }, snippet: snippet?.mapText { $0.harmless() })
    }
  }

  /// How parts of a line are set off.
  let style: Style
  /// How many columns there are; nil when lines may be of any length.
  let width: Int?
  /// Whether leads stand at the right of their column, as numbers do.
  var alignsLeadsRight = false

  /// Where a subtitle has less room than this it gets a line of its own.
  private static let leastWidthForOneLine = 56
  /// A snippet is no longer than this, however wide the terminal is.
  private static let snippetLength = 120

  /// The lines for the rows.
  func lines(_ rows: [Row]) -> [TerminalText] {
    let rows = rows.map(\.harmless)
    let leadWidth = rows.map(\.lead.displayWidth).max() ?? 0
    let indentation = leadWidth == 0 ? 0 : leadWidth + 2
    func withSnippet(_ line: TerminalText, _ row: Row) -> [TerminalText] {
      guard let snippet = row.snippet else { return [line] }
      return [line, Self.spaces(indentation) + excerpt(snippet, indentation)]
    }
    guard let width else {
      return rows.flatMap { withSnippet(line($0, leadWidth, titleWidth: nil, nil), $0) }
    }
    let room = max(8, width - indentation)
    if room < Self.leastWidthForOneLine {
      return rows.flatMap { stacked($0, leadWidth, indentation, room) }
    }
    let titles = Self.alignedWidth(rows.map(\.title.text.displayWidth))
    let subtitles = rows.compactMap { $0.subtitle?.text.displayWidth }.max() ?? 0
    if subtitles == 0 {
      return rows.flatMap { withSnippet(line($0, leadWidth, titleWidth: room, nil), $0) }
    }
    // The subtitle takes what titles leave, and two fifths of the room in any case.
    let subtitleWidth = min(subtitles, max(room * 2 / 5, room - titles - 2))
    let titleWidth = min(titles, room - subtitleWidth - 2)
    return rows.flatMap {
      withSnippet(line($0, leadWidth, titleWidth: titleWidth, subtitleWidth), $0)
    }
  }

  /// Titles that are no wider than this have their subtitles below one another.
  private static let ordinaryTitle = 48

  /// The column up to which titles go; one that is far wider than most moves no other's subtitle.
  private static func alignedWidth(_ widths: [Int]) -> Int {
    let sorted = widths.sorted()
    guard let widest = sorted.last else { return 0 }
    return min(widest, max(ordinaryTitle, sorted[(sorted.count - 1) * 3 / 4]))
  }

  /// What was found, in what room there is for it.
  private func excerpt(_ snippet: MarkedText, _ indentation: Int) -> TerminalText {
    let room = min(Self.snippetLength, max(8, (width ?? Int.max) - indentation))
    return snippet.excerpt(length: room).cut(to: room).runs.map { run in
      run.isMarked ? style.bold("\(run.text)") : style.dim("\(run.text)")
    }.joined()
  }

  private static func spaces(_ count: Int) -> TerminalText {
    TerminalText(String(repeating: " ", count: max(0, count)))
  }

  /// A title with its marks set off.
  private func styled(_ title: MarkedText) -> TerminalText {
    title.runs.map { $0.isMarked ? style.bold("\($0.text)") : "\($0.text)" }.joined()
  }

  /// A subtitle, dimmed but for what needs attention.
  private func styled(subtitle: MarkedText) -> TerminalText {
    subtitle.runs.map { run in
      run.isMarked ? style.warning("\(run.text)") : style.dim("\(run.text)")
    }.joined()
  }

  private func lead(_ row: Row, _ leadWidth: Int) -> TerminalText {
    if leadWidth == 0 { return "" }
    let padding = Self.spaces(leadWidth - row.lead.displayWidth)
    let lead = style.accent("\(row.lead)")
    return (alignsLeadsRight ? padding + lead : lead + padding) + "  "
  }

  private func line(
    _ row: Row, _ leadWidth: Int, titleWidth: Int?, _ subtitleWidth: Int?
  ) -> TerminalText {
    var line = lead(row, leadWidth)
    // A wide title takes what its own subtitle leaves.
    var titleRoom = titleWidth
    if let width, let titleWidth, subtitleWidth != nil {
      let subtitle = min(row.subtitle?.text.displayWidth ?? 0, subtitleWidth ?? 0)
      let indentation = leadWidth == 0 ? 0 : leadWidth + 2
      titleRoom = max(titleWidth, width - indentation - (subtitle == 0 ? 0 : subtitle + 2))
    }
    let title = titleRoom.map { row.title.cut(to: $0) } ?? row.title
    line += styled(title)
    guard let subtitle = row.subtitle else { return line }
    if subtitleWidth != nil, let titleWidth {
      line += Self.spaces(titleWidth - title.text.displayWidth)
    }
    let shown = subtitleWidth.map { subtitle.cut(to: $0) } ?? subtitle
    return line + "  " + styled(subtitle: shown)
  }

  /// The title, and the subtitle in a line of its own.
  private func stacked(
    _ row: Row, _ leadWidth: Int, _ indentation: Int, _ room: Int
  ) -> [TerminalText] {
    var lines = [lead(row, leadWidth) + styled(row.title.cut(to: room))]
    if let subtitle = row.subtitle {
      lines.append(Self.spaces(indentation) + styled(subtitle: subtitle.cut(to: room)))
    }
    if let snippet = row.snippet {
      lines.append(Self.spaces(indentation) + excerpt(snippet, indentation))
    }
    return lines
  }
}

extension MarkedText {
  /// The text cut to a number of columns, with an ellipsis where something is missing.
  fileprivate func cut(to width: Int) -> MarkedText {
    let cut = hasMarks ? text.cut(to: width) : text.shortened(to: width)
    guard cut != text else { return self }
    if !hasMarks { return MarkedText(cut) }
    var room = cut.count - 1
    var parts: [Run] = []
    for run in runs where room > 0 {
      let part = String(run.text.prefix(room))
      parts.append(Run(part, isMarked: run.isMarked))
      room -= part.count
    }
    return MarkedText(parts + (cut.isEmpty ? [] : [Run("…", isMarked: false)]))
  }
}
