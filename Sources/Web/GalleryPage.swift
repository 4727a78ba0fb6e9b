import ErrandKit

/// The page of all intents and shortcuts.
struct GalleryPage: Page {
  let context: PageContext

  func render() throws -> Reply {
    let words = context.parameter("q")?.lowercased()
    let show = context.parameter("show") ?? "all"
    let all = errand.definitions.filter {
      ["intent", "shortcut"].contains($0.kind) && Self.origins.contains($0.origin)
    }
    let shown = all.filter { definition in
      (words.map { (definition.name + " " + definition.description).lowercased().contains($0) }
        ?? true)
        && (show == "own"
          ? definition.origin == "your own" : show == "all" || show == definition.kind)
    }
    let chips = Self.chips(
      "/gallery", chosen: show,
      [("all", "All"), ("shortcut", "Shortcuts"), ("intent", "Intents"), ("own", "Own")])
    let sayings = errand.sayings
    func section(_ title: String, _ kind: String) -> HTML? {
      let cards = shown.filter { $0.kind == kind }.map { card($0, sayings) }
      guard !cards.isEmpty else { return nil }
      return "<h2 class=\"small quiet\">\(title)</h2><ul class=\"cards\">\(cards)</ul>"
    }
    return try shell(
      title: "Gallery", kind: "wide", current: "/gallery",
      """
      <main class="pane" id="list"><div class="head">\(Self.sidebarLink)<h1>Gallery</h1><span class="count num">\(all.count)</span><span class="grow"></span>\
      <a class="b" href="/gallery/add">Add</a><a class="b main" href="/make/shortcut">\(HTML.icon("plus"))New</a></div>
      <div class="stack tight tools"><form class="search" action="/do"><label class="sr" for="do">What is to be done</label>\
      \(HTML.icon("talk"))<input class="in" id="do" name="q" placeholder="Say it: remind me to call Ada on friday" autocomplete="off"></form>\
      <form class="search" role="search" action="/gallery"><label class="sr" for="q">Search the gallery</label>\
      \(HTML.icon("search"))<input class="in" id="q" name="q" type="search" value="\(context.parameter("q") ?? "")" placeholder="A name, or what is to be done"></form>\
      <nav class="line" aria-label="Show">\(chips)</nav></div>
      <div class="in-pad stack" id="rows">\(shown.isEmpty ? Self.empty("Nothing has these words.", icon: "search", next: "<a class=\"b\" href=\"/gallery\">Show all</a>") : nil)\
      \(words == nil && show == "all" ? suggested() : nil)\(section("Shortcuts", "shortcut"))\(section("Intents", "intent"))</div></main>
      """)
  }

  /// Suggestions of actions, each with a reason, and buttons to have it started by itself and to see
  /// it never again.
  private func suggested() -> HTML? {
    // A device changes neither definitions nor settings.
    let isDevice = context.devices.isDevice
    // Without a library that can be read, the gallery is still there.
    let rows = ((try? errand.suggestions()) ?? []).map { entry -> HTML in
      let automate: HTML? = (isDevice ? nil : entry.automation).map { _ in
        form(
          "/gallery/suggested/automate", with: ["name": entry.name],
          "<button class=\"b small\">Make it an automation</button>")
      }
      let dismiss: HTML? =
        isDevice
        ? nil
        : form(
          "/gallery/suggested/dismiss", with: ["name": entry.name],
          "<button class=\"b small\">Not again</button>")
      return """
        <li class="row act"><span class="tile k2" aria-hidden="true">\(HTML.icon(Self.icon(errand.icon(of: entry.name))))</span>\
        <div><a class="title" href="/run/\(entry.name.pathEncoded)">\(entry.title)</a><p class="sum">\(entry.reason)</p></div>\
        \(automate)\(dismiss)</li>

        """
    }
    return rows.isEmpty
      ? nil : "<h2 class=\"small quiet\">Now</h2><ol class=\"rows flush\">\(rows)</ol>"
  }

  /// Dismisses a suggestion, or makes an automation of it.
  func submit() throws -> Reply {
    let name = context.field("name") ?? ""
    guard context["action"] == "automate" else {
      try errand.dismissSuggestion(name)
      return .redirect("/gallery")
    }
    _ = try errand.automate(name)
    return .redirect("/activity#automations")
  }

  private func card(_ summary: Errand.DefinitionSummary, _ sayings: [String: [String]]) -> HTML {
    let definition = try? errand.definition(summary.name)
    var (icon, text) = definition.map(Self.access) ?? ("alert", "Has a mistake")
    if let phrase = sayings[summary.name]?.first, definition?.capabilities.isEmpty == true {
      (icon, text) = ("talk", "“\(phrase)”")
    }
    let hue = summary.name.utf8.reduce(0) { $0 + Int($1) } % 6 + 1
    return """
      <li class="card act-card"><span class="tile k\(hue)">\(HTML.icon(Self.icon(errand.icon(of: summary.name))))</span>\
      <h3><a href="/run/\(summary.name.pathEncoded)">\(definition?.title ?? summary.name)</a></h3>\
      <p>\(summary.description)</p><p class="meta\(definition == nil ? " red" : "")">\(HTML.icon(icon, isSmall: true))<span>\(text)</span></p></li>

      """
  }

  /// The icon and the text for a definition’s capabilities: the first one, and a count of the rest.
  private static func access(_ definition: Errand.Definition) -> (icon: String, text: String) {
    guard let first = definition.capabilities.first else { return ("shield", "Library only") }
    let more = definition.capabilities.count - 1
    let (icon, text) = words(ofAccess: first)
    return (icon, text + (more > 0 ? " and \(more) more" : ""))
  }

  /// The icon of the sprite for the name of a definition's icon.
  private static func icon(_ name: String?) -> String {
    guard let name else { return "bolt" }
    let names = [
      "bookmark": "link", "magnifyingglass": "search", "doc": "text", "note": "note", "sun": "sun",
      "clock": "clock", "timer": "timer", "folder": "folder", "tag": "tag", "archivebox": "archive",
      "square.and.arrow.up": "share", "checkmark": "check", "envelope": "inbox",
    ]
    let start = name.split(separator: ".").first.map(String.init) ?? name
    let known = [
      "plus", "share", "star", "archive", "open", "play", "trash", "task", "list", "link", "file",
      "read", "history", "calendar", "globe", "book", "copy", "search",
    ]
    return names[name] ?? names[start] ?? (known.contains(start) ? start : "bolt")
  }
}
