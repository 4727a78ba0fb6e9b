import ErrandKit
import Items
import Source
import Store

/// Lays out titles and subtitles in aligned lines, such as `link:42  Title  subtitle`, with search
/// snippets below.
struct RowLayout {
  /// A list entry.
  struct Row {
    /// Text to choose the entry by: a number or a reference.
    let lead: String
    let title: MarkedText
    /// Text beside the title; marked parts need attention.
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

    /// The row with control characters escaped.
    fileprivate var harmless: Row {
      Row(
        lead: lead.harmless(), title: title.mapText { $0.harmless() },
        subtitle: subtitle?.mapText { $0.harmless() }, snippet: snippet?.mapText { $0.harmless() })
    }
  }

  /// Text style.
  let style: Style
  /// Line width in columns; nil for unlimited.
  let width: Int?
  /// Whether leads are right-aligned, as numbers are.
  var alignsLeadsRight = false

  /// Width below which subtitles go on their own line.
  private static let leastWidthForOneLine = 56
  /// Maximum length of a snippet.
  private static let snippetLength = 120

  /// Returns the lines of the rows.
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
      return rows.flatMap { stacked($0, leadWidth, indentation, room: room) }
    }
    let titles = Self.alignedWidth(rows.map(\.title.text.displayWidth))
    let subtitles = rows.compactMap { $0.subtitle?.text.displayWidth }.max() ?? 0
    if subtitles == 0 {
      return rows.flatMap { withSnippet(line($0, leadWidth, titleWidth: room, nil), $0) }
    }
    // Subtitles get the room left by titles, and at least a fifth.
    let subtitleWidth = min(subtitles, max(room / 5, room - titles - 2))
    let titleWidth = min(titles, room - subtitleWidth - 2)
    return rows.flatMap {
      withSnippet(line($0, leadWidth, titleWidth: titleWidth, subtitleWidth), $0)
    }
  }

  /// Widest title that still counts for alignment.
  private static let ordinaryTitle = 48

  /// Returns the width of the title column; outliers do not shift the subtitles of shorter titles.
  private static func alignedWidth(_ widths: [Int]) -> Int {
    let sorted = widths.sorted()
    guard let widest = sorted.last else { return 0 }
    return min(widest, max(ordinaryTitle, sorted[(sorted.count - 1) * 3 / 4]))
  }

  /// Returns a snippet cut to the available width.
  private func excerpt(_ snippet: MarkedText, _ indentation: Int) -> TerminalText {
    let room = min(Self.snippetLength, max(8, (width ?? Int.max) - indentation))
    return styled(snippet.excerpt(length: room).cut(to: room), style.bold, style.dim)
  }

  private static func spaces(_ count: Int) -> TerminalText {
    TerminalText(String(repeating: " ", count: max(0, count)))
  }

  /// Styles marked and unmarked parts of a text.
  private func styled(
    _ text: MarkedText, _ marked: (TerminalText) -> TerminalText,
    _ rest: (TerminalText) -> TerminalText
  ) -> TerminalText {
    text.runs.map { $0.isMarked ? marked("\($0.text)") : rest("\($0.text)") }.joined()
  }

  private func styled(title: MarkedText) -> TerminalText { styled(title, style.bold) { $0 } }

  /// Dims a subtitle except its marked parts.
  private func styled(subtitle: MarkedText) -> TerminalText {
    styled(subtitle, style.warning, style.dim)
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
    let room = width.map { $0 - (leadWidth == 0 ? 0 : leadWidth + 2) }
    guard let room, let titleWidth, subtitleWidth != nil, let subtitle = row.subtitle else {
      line += styled(title: room.map { row.title.cut(to: $0) } ?? row.title)
      return row.subtitle.map { line + "  " + styled(subtitle: $0) } ?? line
    }
    // The title has priority: beside a wide one, facts get at least a fifth of the line.
    let wide = max(titleWidth, row.title.text.displayWidth)
    let shown = subtitle.facts(within: max(room / 5, room - wide - 2))
    let title = row.title.cut(to: room - shown.text.displayWidth - 2)
    return line + styled(title: title) + Self.spaces(titleWidth - title.text.displayWidth) + "  "
      + styled(subtitle: shown)
  }

  /// Puts the subtitle on a line below the title.
  private func stacked(
    _ row: Row, _ leadWidth: Int, _ indentation: Int, room: Int
  ) -> [TerminalText] {
    var lines = [lead(row, leadWidth) + styled(title: row.title.cut(to: room))]
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
  /// Returns the leading facts, separated by ` · `, that fit a number of columns; the first is
  /// shortened if it does not fit.
  fileprivate func facts(within width: Int) -> MarkedText {
    var whole = ""
    for fact in text.split(separator: " · ") {
      let next = whole.isEmpty ? String(fact) : "\(whole) · \(fact)"
      if next.displayWidth > width { break }
      whole = next
    }
    return whole.isEmpty ? cut(to: width) : prefix(whole.count)
  }

  /// Returns the first characters, with their marks.
  private func prefix(_ count: Int) -> MarkedText {
    var room = count
    return MarkedText(
      runs.map { run in
        defer { room -= run.text.count }
        return Run(String(run.text.prefix(max(0, room))), isMarked: run.isMarked)
      })
  }

  /// Returns the text cut to a number of columns, with an ellipsis if shortened.
  fileprivate func cut(to width: Int) -> MarkedText {
    let cut = hasMarks ? text.cut(to: width) : text.shortened(to: width)
    guard cut != text else { return self }
    if !hasMarks { return MarkedText(cut) }
    let parts = prefix(cut.count - 1).runs
    return MarkedText(parts + (cut.isEmpty ? [] : [Run("…", isMarked: false)]))
  }
}
