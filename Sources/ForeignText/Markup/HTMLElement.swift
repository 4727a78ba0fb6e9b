/// Classifies HTML elements by their lowercase names.
package enum HTMLElement {
  /// Returns whether the content is not part of the text: never displayed, or the reading of ruby.
  package static func isNeverShown(_ name: String) -> Bool {
    switch name {
    case "script", "style", "template", "title", "noscript", "iframe", "svg", "textarea", "canvas",
      "datalist", "rt", "rp", "rtc":
      true
    default: false
    }
  }

  /// Returns the number of line breaks around the element; 0 for an inline element.
  package static func gap(_ name: String) -> Int {
    switch name {
    case "article", "blockquote", "dl", "figure", "form", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
      "main", "ol", "p", "pre", "section", "table", "ul":
      2
    case "address", "aside", "body", "caption", "center", "dd", "details", "dialog", "dir", "div",
      "dt", "fieldset", "figcaption", "footer", "header", "hgroup", "html", "legend", "li", "menu",
      "nav", "option", "search", "summary", "tbody", "tfoot", "thead", "tr":
      1
    default: 0
    }
  }

  /// Returns whether it starts a new line or cell.
  package static func isBlock(_ name: String) -> Bool {
    gap(name) > 0 || name == "br" || name == "td" || name == "th"
  }
}
