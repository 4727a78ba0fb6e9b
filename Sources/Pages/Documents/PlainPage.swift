import ForeignText

/// What plain text tells of itself.
enum PlainPage {
  /// How long a title may be, in characters.
  private static let titleLimit = 120

  /// A page of the text, whose title is its first line where that is short enough to be one.
  static func page(_ text: String) -> Page {
    var page = Page()
    page.kind = "text"
    page.text = shown(text)
    for line in page.text.split(separator: "\n", maxSplits: 50).prefix(50) {
      var line = line[...]
      // Headings of Markdown and the like.
      while let first = line.first, "#=*- ".contains(first) { line = line.dropFirst() }
      guard let title = CleanText.line(String(line)) else { continue }
      if title.count <= titleLimit { page.title = title }
      break
    }
    return page
  }

  /// The text with its lines, without what is invisible.
  private static func shown(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var count = 0
    var wasReturn = false
    for scalar in text.unicodeScalars {
      defer { wasReturn = scalar == "\r" }
      count += 1
      guard count <= 2 << 20 else { break }
      if scalar == "\n", wasReturn { continue }
      if scalar == "\r" || scalar == "\n" {
        result.append("\n")
      } else if scalar == "\t" || !CleanText.isInvisible(scalar) {
        result.append(scalar)
      }
    }
    let shown = String(result)
    return shown.trimmingBlanks
  }
}
