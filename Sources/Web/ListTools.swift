import ErrandKit

/// The tools of a list: its order and look, its filter, what is done with the list itself, and the
/// selection.
struct ListTools: PagePart {
  let context: PageContext
  let view: ListView
  /// The smart list that is shown.
  let saved: SmartLists.Entry?
  let look: ListLooks.Look

  func html() throws -> HTML {
    let filter: HTML? =
      view.filterName.map { name in
        """
        <p class="line"><a class="chip on" href="\(view.with { $0.filter = nil })" aria-label="Remove the filter \(name)">\
        <span dir="auto">\(name)</span>\(HTML.icon("close", isSmall: true))</a></p>
        """
      }
    return """
      <div class="line no">\(try sorting())\(filtering)\(listMenu)<span class="grow"></span>\
      <a class="b plain small" href="\(view.with { $0.isSelecting.toggle() })">\(view.isSelecting ? "Done" : "Select")</a></div>\
      \(filter)\(try merging())
      """
  }

  private func drop(_ title: String, icon: String, isOn: Bool = false, _ menu: HTML) -> HTML {
    """
    <details class="drop"><summary class="chip\(isOn ? " on" : "")">\(HTML.icon(icon, isSmall: true))\(title)</summary>\
    <div class="menu">\(menu)</div></details>
    """
  }

  // MARK: Order and look

  private func sorting() throws -> HTML {
    let orders = try self.orders(of: view.list.entity)
    let current = view.sort ?? (view.words == nil ? view.list.order.first : nil)
    let sorts: [HTML] = orders.map { title, sort in
      "<a href=\"\(view.with { $0.sort = sort })\"\(sort == current ? " aria-current=\"true\"" : "" as HTML)>\(title)</a>"
    }
    let looks: [HTML] = ListLooks.Look.allCases.map { one in
      """
      <button class="b small" name="look" value="\(one.rawValue)" aria-pressed="\(one == look ? "true" : "false")">\
      \(HTML.icon(one.icon, isSmall: true))\(one.title)</button>
      """
    }
    let looking: HTML? =
      view.list.entity == "Link"
      ? form(
        "/lists/look", with: ["title": saved?.path ?? view.list.path, "back": view.place],
        "<span class=\"label\">Show as</span><span class=\"line no\">\(looks)</span>")
      : nil
    let title = orders.first { $0.sort == current }?.title ?? "Best first"
    return drop(title, icon: "sort", "\(sorts)\(looking)")
  }

  /// The orders that a list of an entity offers, in a person's words.
  private func orders(of entity: String) throws -> [(title: String, sort: String)] {
    let times = [
      ("Newest first", ListView.newest), ("Oldest first", "createdAt"),
      ("Changed last", "-updatedAt"),
    ]
    if entity == "Link" {
      return times + [
        ("Title, A to Z", "title"), ("Title, Z to A", "-title"), ("Address, A to Z", "url"),
        ("Looked at last", "-fetched"),
      ]
    }
    let hidden: Set = ["notes", "text", "ical", "rank", "repeat"]
    let properties = try errand.definition(entity).parameters.filter { !hidden.contains($0.name) }
    return times
      + properties.prefix(12).flatMap { property -> [(String, String)] in
        let (name, title) = (property.name, Self.words(property.title))
        return switch property.baseType {
        case "string": [("\(title), A to Z", name)]
        case "enum": [("By \(title.lowercased())", name)]
        case "date", "when", "timestamp":
          [("\(title), first to last", name), ("\(title), last to first", "-" + name)]
        case "int", "double":
          [("\(title), highest first", "-" + name), ("\(title), lowest first", name)]
        default: []
        }
      }
  }

  // MARK: Filter

  private var filtering: HTML {
    let presets: [HTML] = (view.list.entity == "Link" ? ListView.linkFilters : []).map {
      name, filter in
      let isOn = view.filter == filter
      return
        "<a href=\"\(view.with { $0.filter = isOn ? nil : filter })\"\(isOn ? " aria-current=\"true\"" : "" as HTML)>\(name)</a>"
    }
    let keep: HTML? =
      saved == nil
      ? """
      <form class="stack tight" method="post" action="/lists">\(formToken)\
      <input type="hidden" name="path" value="\(view.saved)">\
      <label class="label" for="list-title">Save as a list</label>\
      <span class="line no"><input class="in" id="list-title" name="title" value="\(context.parameter("was") ?? "")" placeholder="Its name" required maxlength="60">\
      <button class="b">Save</button></span></form>
      """ : nil
    return drop(
      "Filter", icon: "filter", isOn: view.filter != nil,
      """
      \(presets)<form class="stack tight" action="\(view.list.path)">\(view.hidden(except: ["where"]))\
      <label class="label" for="where">Condition</label><span class="line no">\
      <input class="in mono" id="where" name="where" value="\(view.filter ?? "")" placeholder="'swift' in self.tags" spellcheck="false">\
      <button class="b">Use</button></span></form>\(keep)
      """)
  }

  // MARK: The list itself

  /// A field and a button that change a list or a tag.
  private func field(
    _ path: String, _ label: String, _ name: String, _ value: String, with fields: HTML,
    _ button: String, _ more: HTML = ""
  ) -> HTML {
    """
    <form class="stack tight" method="post" action="\(path)">\(formToken)\(fields)\
    <label class="label">\(label)<span class="line no"><input class="in" name="\(name)" value="\(value)" required maxlength="200" dir="auto"\(more)>\
    <button class="b">\(button)</button></span></label></form>
    """
  }

  private func hidden(_ name: String, _ value: String) -> HTML {
    "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
  }

  /// The menu of a smart list or a tag.
  private var listMenu: HTML? {
    if let saved {
      let title = hidden("title", saved.title)
      return drop(
        "List", icon: "smart",
        """
        \(field("/lists/rename", "Name", "to", saved.title, with: title, "Rename"))\
        <form method="post" action="/lists/move">\(formToken)\(title)<span class="line no">\
        <button class="b small" name="by" value="-1">\(HTML.icon("up", isSmall: true))Move up</button>\
        <button class="b small" name="by" value="1">\(HTML.icon("down", isSmall: true))Move down</button></span></form>\
        <form method="post" action="/lists/remove">\(formToken)\(title)\
        <button class="b small bad">\(HTML.icon("trash", isSmall: true))Delete list</button></form>
        """)
    }
    guard let tag = view.list.tag else { return nil }
    let hiddenTag = hidden("tag", tag)
    let current = TagColours(in: errand.places?.data)[tag]
    let colours: [HTML] = (TagColours.names.map(Optional.some) + [nil]).map { colour in
      """
      <button class="swatch\(colour.map { " \(Self.class(ofColour: $0))" } ?? "")" name="colour" value="\(colour ?? "none")" \
      aria-label="\(Self.sentenceCase(colour ?? "no colour"))" aria-pressed="\(colour == current ? "true" : "false")">\
      \(colour == nil ? HTML.icon("close", isSmall: true) : nil)</button>
      """
    }
    return drop(
      "Tag", icon: "tag",
      """
      \(field("/tags/rename", "Name; a/b is b below a", "to", tag, with: hiddenTag, "Rename"))\
      \(field("/tags/merge", "Merge into", "to", "", with: hiddenTag, "Merge", " data-tags=\"one\" autocomplete=\"off\""))\
      <form method="post" action="/tags/colour">\(formToken)\(hiddenTag)<span class="label">Colour</span><span class="line no">\(colours)</span></form>\
      <form method="post" action="/tags/delete">\(formToken)\(hiddenTag)\
      <button class="b small bad">\(HTML.icon("trash", isSmall: true))Delete this tag</button></form>
      """)
  }

  /// The question whether a tag is to be merged with the one whose name it was to have.
  private func merging() throws -> HTML? {
    guard let tag = view.list.tag, let other = context.parameter("merge") else { return nil }
    return """
      <div class="notice warn" role="alert">\(HTML.icon("tag"))<div><p>The tag “\(other)” exists already.</p>\
      <div class="line">\(form("/tags/merge", with: ["tag": tag, "to": other], "<button class=\"b main\">Merge \(tag) into \(other)</button>"))\
      <a class="b plain" href="\(view.list.path)">Keep both</a></div></div></div>
      """
  }
}
