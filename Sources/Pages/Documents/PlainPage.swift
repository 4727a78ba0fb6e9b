import ForeignText

/// Reads plain text as a page.
enum PlainPage {
  /// The maximum length of a title, in characters.
  private static let titleLimit = 120

  /// Makes a page of the text, titled with its first line if that is short enough.
  static func page(_ text: String) -> Page {
    var page = Page()
    page.kind = "text"
    page.text = shown(text)
    for line in page.text.split(separator: "\n", maxSplits: 50).prefix(50) {
      var line = line[...]
      // Skip markers of headings, as in Markdown.
      while let first = line.first, "#=*- ".contains(first) { line = line.dropFirst() }
      guard let title = CleanText.line(String(line)) else { continue }
      if title.count <= titleLimit { page.title = title }
      break
    }
    return page
  }

  /// The text with normalized line breaks and without invisible characters.
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
