import Source

/// Lays out things with a title and a subtitle as aligned lines, such as
/// `link:42  Title  subtitle`.
struct RowLayout {
  /// One thing in the list.
  struct Row {
    /// What it can be picked by: a number or a reference.
    let lead: String
    let title: String
    let subtitle: String?
  }

  /// How parts of a line are set off.
  let style: Style
  /// How many columns there are; nil when lines may be of any length.
  let width: Int?
  /// Whether leads stand at the right of their column, as numbers do.
  var alignsLeadsRight = false

  /// Where a subtitle has less room than this it gets a line of its own.
  private static let leastWidthForOneLine = 56

  /// The lines for the rows.
  func lines(_ rows: [Row]) -> [String] {
    let rows = rows.map {
      Row(
        lead: $0.lead.harmless(), title: $0.title.harmless(), subtitle: $0.subtitle?.harmless())
    }
    let leadWidth = rows.map(\.lead.displayWidth).max() ?? 0
    let indentation = leadWidth == 0 ? 0 : leadWidth + 2
    guard let width else { return rows.map { line($0, leadWidth, titleWidth: nil, nil) } }
    let room = max(8, width - indentation)
    if room < Self.leastWidthForOneLine {
      return rows.flatMap { stacked($0, leadWidth, indentation, room) }
    }
    let titles = rows.map(\.title.displayWidth).max() ?? 0
    let subtitles = rows.compactMap { $0.subtitle?.displayWidth }.max() ?? 0
    if subtitles == 0 { return rows.map { line($0, leadWidth, titleWidth: room, nil) } }
    // The subtitle takes what titles leave, and two fifths of the room in any case.
    let subtitleWidth = min(subtitles, max(room * 2 / 5, room - titles - 2))
    let titleWidth = min(titles, room - subtitleWidth - 2)
    return rows.map { line($0, leadWidth, titleWidth: titleWidth, subtitleWidth) }
  }

  private func lead(_ row: Row, _ leadWidth: Int) -> String {
    if leadWidth == 0 { return "" }
    let padding = String(repeating: " ", count: leadWidth - row.lead.displayWidth)
    let lead = style.accent(row.lead)
    return (alignsLeadsRight ? padding + lead : lead + padding) + "  "
  }

  private func line(
    _ row: Row, _ leadWidth: Int, titleWidth: Int?, _ subtitleWidth: Int?
  ) -> String {
    var line = lead(row, leadWidth)
    let title = titleWidth.map { row.title.cut(to: $0) } ?? row.title
    guard let subtitle = row.subtitle, !subtitle.isEmpty else { return line + title }
    line += subtitleWidth == nil ? title : title.padded(to: titleWidth ?? 0)
    return line + "  " + style.dim(subtitleWidth.map { subtitle.cut(to: $0) } ?? subtitle)
  }

  /// The title, and the subtitle in a line of its own.
  private func stacked(
    _ row: Row, _ leadWidth: Int, _ indentation: Int, _ room: Int
  ) -> [String] {
    var lines = [lead(row, leadWidth) + row.title.cut(to: room)]
    if let subtitle = row.subtitle, !subtitle.isEmpty {
      lines.append(String(repeating: " ", count: indentation) + style.dim(subtitle.cut(to: room)))
    }
    return lines
  }
}
