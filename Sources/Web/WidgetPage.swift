import ErrandKit

/// The page of a widget alone, for embedding, or of all widgets; and their buttons.
struct WidgetPage: Page {
  let context: PageContext

  func render() throws -> Reply {
    guard let name = context["name"] else { return try all() }
    let word = context.parameter("family") ?? "large"
    guard let family = WidgetEntry.Family(rawValue: word) else {
      throw ErrandError(code: "invalid-value", message: "there is no family “\(word)”")
    }
    let entry = try errand.widget(name)
    let ground: HTML = context.parameter("bedside") == nil ? "" : " dark bedside"
    return .page(
      status: 200,
      PageContext.document(
        title: entry.title, theme: errand.settings.first { $0.name == "theme" }?.value ?? "",
        """
        <body class="app alone\(ground)"><main class="in-pad" id="rows"><h1 class="sr">\(entry.title)</h1>\(markup(entry, family))</main></body>
        """))
  }

  /// Performs the action of a widget’s button.
  func submit() throws -> Reply {
    let action = context.field("action") ?? ""
    _ = try errand.press(
      context.field("press") ?? "", action: action.isEmpty ? nil : action, of: context["name"] ?? ""
    )
    return .redirect(back ?? "/widgets")
  }

  /// All widgets, each in the size that shows most.
  private func all() throws -> Reply {
    let widgets: [HTML] = errand.widgetNames.map { name in
      func label(_ title: String) -> HTML {
        "<figcaption><a href=\"/widgets/\(name.pathEncoded)\">\(title)</a></figcaption>"
      }
      do {
        let entry = try errand.widget(name)
        let family: WidgetEntry.Family = entry.buttons.isEmpty ? .medium : .large
        return
          "<figure>\(markup(entry, entry.rows.isEmpty ? .small : family))\(label(entry.title))</figure>\n"
      } catch {
        let reason = (error as? ErrandError).map(Self.sentence) ?? "\(error)"
        return "<figure><p class=\"err\">\(reason)</p>\(label(name))</figure>\n"
      }
    }
    return try shell(
      title: "Widgets", kind: "wide", current: "/widgets",
      """
      <main class="pane" id="list"><div class="head">\(Self.sidebarLink)<h1>Widgets</h1><span class="count num">\(errand.widgetNames.count)</span></div>
      <div class="in-pad ws" id="rows">\(widgets)</div></main>
      """)
  }

  private func markup(_ entry: WidgetEntry, _ family: WidgetEntry.Family) -> HTML {
    let path = "/widgets/\(entry.widget.pathEncoded)/press"
    let back = "/" + context.path.joined(separator: "/")
    return WidgetMarkup(entry, family).html { press, action, button in
      form(path, with: ["press": press, "action": action ?? "", "back": back], button)
    }
  }
}
