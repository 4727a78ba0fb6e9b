import ForeignText

extension Errand {
  /// The sanitized HTML of a text in Markdown.
  package static func html(ofMarkdown text: String) -> String { MarkdownText.html(of: text) }
}
