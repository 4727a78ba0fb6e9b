package import ErrandKit

/// A widget as HTML and SVG, in the sizes of its family.
package struct WidgetMarkup {
  private let entry: WidgetEntry
  private let family: WidgetEntry.Family

  package init(_ entry: WidgetEntry, _ family: WidgetEntry.Family) {
    self.entry = entry
    self.family = family
  }

  /// The width and the height of a family in pixels.
  package static func size(of family: WidgetEntry.Family) -> (width: Int, height: Int) {
    switch family {
    case .small: (160, 160)
    case .medium: (336, 160)
    case .large: (336, 344)
    case .rectangular: (176, 80)
    case .circular: (80, 80)
    case .inline: (336, 24)
    }
  }

  private static let classes: [WidgetEntry.Family: String] = [
    .small: "sm", .medium: "md", .large: "lg", .rectangular: "rect", .circular: "circ",
  ]

  private var icon: String {
    [
      "clock": "clock", "book": "read", "note": "note", "checkmark": "task", "bolt": "activity",
      "clipboard": "clipboard", "calendar": "calendar",
    ][entry.icon] ?? "bolt"
  }

  // MARK: HTML

  /// The widget for a page.
  ///
  /// - Parameter form: Makes a form with a button for an action of the widget; nil for a picture.
  func html(_ form: ((_ press: String, _ action: String?, _ button: HTML) -> HTML)?) -> HTML {
    let icon = HTML.icon(icon, isSmall: true)
    switch family {
    case .inline:
      return "<p class=\"inl\" dir=\"auto\">\(icon)<span>\(entry.text(of: .inline))</span></p>"
    case .circular:
      let share = entry.rows.first?.progress
      let mark: HTML =
        share.map { share in
          """
          <svg class="ring" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="6"/>\
          <circle cx="8" cy="8" r="6" pathLength="100" stroke-dasharray="\(Int(share * 100)) 100"/></svg>
          """
        } ?? icon
      let text = entry.text(of: .circular)
      return """
        <div class="w circ" role="img" aria-label="\(entry.title): \(text)">\(mark)<b class="num">\(text)</b></div>
        """
    case .small, .medium, .large, .rectangular:
      let count: HTML? =
        entry.total > 0 ? "<b class=\"num\">\(PageShell.grouped(entry.total))</b>" : nil
      return """
        <div class="w \(Self.classes[family] ?? "")" role="group" aria-label="\(entry.title), \(family.rawValue)">\
        <p class="wh">\(icon)\(entry.title)\(count)</p>\(search)\(body(form))\(buttons(form))\(stale)</div>
        """
    }
  }

  private var search: HTML? {
    guard family == .large, entry.hasSearch else { return nil }
    return """
      <form class="search" action="/list/links"><label class="sr" for="q-\(entry.widget)">Search</label>\
      \(HTML.icon("search"))<input class="in" id="q-\(entry.widget)" name="q" placeholder="Search"></form>
      """
  }

  private var stale: HTML? {
    entry.stale.map {
      """
      <p class="hint line no">\(HTML.icon("lock", isSmall: true))\($0). As of \(entry.date.dropFirst(11).prefix(5)).</p>
      """
    }
  }

  private func body(_ form: ((String, String?, HTML) -> HTML)?) -> HTML {
    let rows = entry.rows(in: family)
    guard !rows.isEmpty else {
      return entry.rows.isEmpty
        ? "<p class=\"wt quiet\" dir=\"auto\">\(entry.texts["empty"] ?? "")</p>" : ""
    }
    if family == .rectangular {
      return HTML(joining: rows.map { "<p class=\"one\" dir=\"auto\">\($0.title)</p>" })
    }
    if family == .small, let row = rows.first, row.progress == nil {
      return """
        <p class="wt" dir="auto">\(title(of: row))</p><p class="hint" dir="auto">\(row.warning.isEmpty ? row.detail : row.warning)</p>
        """
    }
    if rows.contains(where: { $0.isDone != nil }) {
      let lines: [HTML] = rows.map { row in
        let due: HTML =
          row.warning.isEmpty
          ? "<span class=\"due\">\(row.detail)</span>"
          : "<span class=\"due red\">\(HTML.icon("alert", isSmall: true))\(row.warning)</span>"
        let box: HTML = """
          <button class="done\(row.isDone == true ? " on" : "")" aria-label="\(row.title): done"></button>
          """
        let check =
          row.isDone == nil
          ? HTML.icon(icon, isSmall: true) : row.reference.flatMap { form?($0, nil, box) } ?? box
        return "<li>\(check)<label dir=\"auto\">\(row.title)</label>\(due)</li>"
      }
      return "<ul class=\"wtodo\">\(lines)</ul>"
    }
    if rows.contains(where: { $0.progress != nil }) {
      return HTML(
        joining: rows.map { row in
          let bar: HTML? = row.progress.map {
            "<progress max=\"100\" value=\"\(Int($0 * 100))\" aria-label=\"\(row.title)\">\(Int($0 * 100))</progress>"
          }
          return """
            <p class="line no"><span class="grow" dir="auto">\(row.title)</span><span class="num hint">\(row.detail)</span></p>\(bar)
            """
        })
    }
    let lines: [HTML] = rows.map {
      "<li>\(title(of: $0))<span dir=\"auto\">\($0.detail)</span></li>"
    }
    return "<ul class=\"wl\">\(lines)</ul>"
  }

  private func title(of row: WidgetEntry.Row) -> HTML {
    let parts = (row.reference ?? "").split(separator: ":").map(String.init)
    guard parts.count == 2 else { return "<b dir=\"auto\">\(row.title)</b>" }
    let entity = parts[0].prefix(1).uppercased() + parts[0].dropFirst()
    return
      "<a href=\"/item/\(entity.pathEncoded)/\(parts[1].pathEncoded)\" dir=\"auto\">\(row.title)</a>"
  }

  private func buttons(_ form: ((String, String?, HTML) -> HTML)?) -> HTML? {
    guard family != .rectangular, let form, let button = entry.buttons.first,
      family == .small && entry.rows.isEmpty || family != .small
    else { return nil }
    return form(
      button.title, nil, "<button class=\"b main\">\(HTML.icon("plus"))\(button.title)</button>")
  }

  /// A self-contained document, without external resources.
  ///
  /// - Parameter isBedside: Whether it is large and of high contrast, for the night.
  package func document(isBedside: Bool) -> String {
    let style = String(decoding: Asset("style.css")?.bytes ?? [], as: UTF8.self)
    let sprite = String(decoding: Asset("icons.svg")?.bytes ?? [], as: UTF8.self)
    let widget = html(nil).markup.replacing("/assets/icons.svg#", with: "#")
    let title: HTML = "\(entry.title)"
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title.markup)</title><style>\(style)</style></head>
      <body class="\(isBedside ? "dark bedside" : "")"><div hidden>\(sprite)</div><main class="in-pad">\(widget)</main></body></html>

      """
  }

  // MARK: SVG

  /// A picture for lock screens and e-paper.
  ///
  /// - Parameter isBedside: Whether it is large and of high contrast, for the night.
  package func svg(isBedside: Bool) -> String {
    let (width, height) = Self.size(of: family)
    let ink = isBedside ? "#ffb454" : "#15201f"
    let quiet = isBedside ? "#c98a3c" : "#5b6766"
    let ground = isBedside ? "#000000" : "#ffffff"
    let late = isBedside ? "#ff7a5c" : "#b3261e"
    let scale = isBedside ? 1.2 : 1.0
    var parts: [HTML] = []
    func text(
      _ text: String, x: Int, y: Int, size: Double, bold: Bool = false, fill: String,
      room: Int, anchor: String = "start"
    ) {
      let fitted = Self.fitted(text, room: room, size: size)
      if fitted.isEmpty { return }
      parts.append(
        """
        <text x="\(x)" y="\(y)" font-size="\(Self.number(size))" fill="\(fill)" text-anchor="\(anchor)"\
        \(bold ? " font-weight=\"600\"" : "" as HTML)>\(fitted)</text>

        """)
    }
    switch family {
    case .inline:
      text(entry.text(of: .inline), x: 4, y: 17, size: 14, fill: ink, room: width - 8)
    case .circular:
      text(
        entry.text(of: .circular), x: 40, y: 47, size: 20 * scale, bold: true, fill: ink, room: 64,
        anchor: "middle")
    case .small, .medium, .large, .rectangular:
      let isSmall = family == .rectangular
      let pad = isSmall ? 10 : 16
      let size = (isSmall ? 12.0 : 15.0) * scale
      let count = entry.total > 0 ? "\(entry.total)" : ""
      text(
        entry.title, x: pad, y: pad + Int(size * 0.9), size: size * 0.87, bold: true,
        fill: quiet, room: width - 2 * pad - 30)
      text(
        count, x: width - pad, y: pad + Int(size * 0.9), size: size, bold: true, fill: ink,
        room: 40, anchor: "end")
      let rows = entry.rows(in: family)
      let start = pad + Int(size * 2.2)
      let end = height - (entry.stale == nil ? pad : pad + 18)
      if rows.isEmpty, entry.rows.isEmpty {
        text(
          entry.texts["empty"] ?? "", x: pad, y: start + Int(size), size: size, fill: quiet,
          room: width - 2 * pad)
      }
      let step = isSmall ? Int(size * 1.5) : Int(size * 2.6)
      for (index, row) in rows.enumerated() {
        let y = start + index * step + Int(size)
        guard y <= end else { break }
        text(row.title, x: pad, y: y, size: size, bold: true, fill: ink, room: width - 2 * pad)
        let detail = row.warning.isEmpty ? row.detail : row.warning
        if !isSmall, y + Int(size * 1.2) <= end {
          text(
            detail, x: pad, y: y + Int(size * 1.2), size: size * 0.87,
            fill: row.warning.isEmpty ? quiet : late, room: width - 2 * pad)
        }
      }
      if let stale = entry.stale {
        text(
          "\(stale). As of \(entry.date.dropFirst(11).prefix(5)).", x: pad, y: height - pad,
          size: 12, fill: quiet, room: width - 2 * pad)
      }
    }
    let radius = family == .circular ? 40 : family == .inline ? 0 : 22
    let image: HTML = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
      font-family="system-ui, sans-serif" role="img" aria-label="\(entry.title)">
      <rect width="\(width)" height="\(height)" rx="\(radius)" fill="\(ground)"/>
      \(parts)</svg>

      """
    return image.markup
  }

  /// A text cut to a width in pixels, by an estimate of its letters’ widths.
  private static func fitted(_ text: String, room: Int, size: Double) -> String {
    var width = 0.0
    var fitted = ""
    for letter in text where !letter.isNewline {
      guard let scalar = letter.unicodeScalars.first, !("\u{202A}"..."\u{202E}" ~= scalar) else {
        continue
      }
      let isWide = scalar.value >= 0x1100 && !("\u{0590}"..."\u{08FF}" ~= scalar)
      width += size * (isWide ? 1.05 : letter.isUppercase ? 0.72 : 0.56)
      if width > Double(room) { return fitted.dropLast() + "…" }
      fitted.append(letter)
    }
    return fitted
  }

  private static func number(_ size: Double) -> String { "\((size * 10).rounded() / 10)" }
}
