/// The kinds of elements of HTML by their names, in lower case.
package enum HTMLElement {
  /// Whether nobody is ever shown what is in it: it is no markup, or for programs only.
  package static func isNeverShown(_ name: String) -> Bool {
    switch name {
    case "script", "style", "template", "title", "noscript", "iframe", "svg", "textarea", "canvas",
      "datalist":
      true
    default: false
    }
  }

  /// How many line ends stand before and after it; 0 within a line.
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

  /// Whether it begins a line, or a cell, of its own.
  package static func isBlock(_ name: String) -> Bool {
    gap(name) > 0 || name == "br" || name == "td" || name == "th"
  }
}
