import ErrandKit

extension Website {
  /// The page of all widgets, each in the size that shows most.
  func widgets() throws -> Reply {
    let widgets: [HTML] = errand.widgetNames.map { name in
      let label: HTML = """
        <figcaption><a href="/widgets/\(name.pathEncoded)">\(name)</a></figcaption>
        """
      do {
        let entry = try errand.widget(name)
        let family: WidgetEntry.Family = entry.buttons.isEmpty ? .medium : .large
        return "<figure>\(markup(entry, entry.rows.isEmpty ? .small : family))\(label)</figure>\n"
      } catch {
        let reason = (error as? ErrandError).map(Self.sentence) ?? "\(error)"
        return "<figure><p class=\"err\">\(reason)</p>\(label)</figure>\n"
      }
    }
    return try shell(
      title: "Widgets", kind: "wide", current: "/widgets",
      """
      <main class="pane" id="list"><div class="head"><a class="ib only-narrow" href="#side" aria-label="Show the sidebar">\
      \(HTML.icon("side"))</a><h1>Widgets</h1><span class="count num">\(errand.widgetNames.count)</span></div>
      <div class="in-pad ws" id="rows">\(widgets)</div></main>
      """)
  }

  /// The page of a widget alone, for embedding.
  func widget(_ name: String) throws -> Reply {
    let word = request.parameter("family") ?? "large"
    guard let family = WidgetEntry.Family(rawValue: word) else {
      throw ErrandError(code: "invalid-value", message: "there is no family “\(word)”")
    }
    let entry = try errand.widget(name)
    let ground: HTML = request.parameter("bedside") == nil ? "" : " dark bedside"
    return .page(
      status: 200,
      Self.document(
        title: entry.title, theme: errand.settings.first { $0.name == "theme" }?.value ?? "",
        """
        <body class="app alone\(ground)"><main class="in-pad" id="rows"><h1 class="sr">\(entry.title)</h1>\(markup(entry, family))</main></body>
        """))
  }

  private func markup(_ entry: WidgetEntry, _ family: WidgetEntry.Family) -> HTML {
    let path = "/widgets/\(entry.widget.pathEncoded)/press"
    let back = "/" + request.path.joined(separator: "/")
    return WidgetMarkup(entry, family).html { press, action, button in
      """
      <form method="post" action="\(path)">\(formToken)<input type="hidden" name="press" value="\(press)">\
      <input type="hidden" name="action" value="\(action ?? "")"><input type="hidden" name="back" value="\(back)">\(button)</form>
      """
    }
  }

  /// Does what a click on a widget does.
  func press(widget name: String) throws -> Reply {
    let action = request.field("action") ?? ""
    _ = try errand.press(
      request.field("press") ?? "", action: action.isEmpty ? nil : action, of: name)
    let back = request.field("back") ?? ""
    return .redirect(Self.isOurs(back) ? back : "/widgets")
  }
}
