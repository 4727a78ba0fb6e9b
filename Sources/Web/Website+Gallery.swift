import ErrandKit

extension Website {
  /// The layers whose definitions the page offers.
  private static let origins: Set = ["built in", "your own"]

  /// The page of all intents and shortcuts.
  func gallery() throws -> Reply {
    let words = request.parameter("q")?.lowercased()
    let show = request.parameter("show") ?? "all"
    let all = errand.definitions.filter {
      ["intent", "shortcut"].contains($0.kind) && Self.origins.contains($0.origin)
    }
    let shown = all.filter { definition in
      (words.map { (definition.name + " " + definition.description).lowercased().contains($0) }
        ?? true)
        && (show == "own"
          ? definition.origin == "your own" : show == "all" || show == definition.kind)
    }
    let chips: [HTML] = [
      ("all", "All"), ("shortcut", "Shortcuts"), ("intent", "Intents"), ("own", "Own"),
    ].map { name, title in
      "<a class=\"chip\(name == show ? " on" : "")\" href=\"/gallery\(name == "all" ? "" : "?show=\(name)")\"\(name == show ? " aria-current=\"true\"" : "" as HTML)>\(title)</a>"
    }
    let sayings = errand.sayings
    func section(_ title: String, _ kind: String) -> HTML? {
      let cards = shown.filter { $0.kind == kind }.map { card($0, sayings) }
      guard !cards.isEmpty else { return nil }
      return "<h2 class=\"small quiet\">\(title)</h2><ul class=\"cards\">\(cards)</ul>"
    }
    return try shell(
      title: "Gallery", kind: "wide", current: "/gallery",
      """
      <main class="pane" id="list"><div class="head"><a class="ib only-narrow" href="#side" aria-label="Show the sidebar">\
      \(HTML.icon("side"))</a><h1>Gallery</h1><span class="count num">\(all.count)</span><span class="grow"></span>\
      <a class="b" href="/gallery/add">\(HTML.icon("plus"))Add</a></div>
      <div class="stack tight tools"><form class="search" action="/do"><label class="sr" for="do">What is to be done</label>\
      \(HTML.icon("talk"))<input class="in" id="do" name="q" placeholder="Say it: remind me to call Ada on friday" autocomplete="off"></form>\
      <form class="search" role="search" action="/gallery"><label class="sr" for="q">Search the gallery</label>\
      \(HTML.icon("search"))<input class="in" id="q" name="q" type="search" value="\(request.parameter("q") ?? "")" placeholder="A name, or what is to be done"></form>\
      <nav class="line" aria-label="Show">\(chips)</nav></div>
      <div class="in-pad stack" id="rows">\(shown.isEmpty ? Self.empty("Nothing has these words.", icon: "search") : nil)\
      \(section("Shortcuts", "shortcut"))\(section("Intents", "intent"))</div></main>
      """)
  }

  /// The form of the action that a sentence asks for, with the values filled in; nothing runs before
  /// a click.
  func spoken() throws -> Reply {
    let sentence = request.parameter("q") ?? ""
    let found = try errand.understand(String(sentence.prefix(2_000)))
    guard let understood = found.first else {
      let near = errand.nearestPhrases(to: sentence).map { phrase -> HTML in
        "<li><a href=\"/run/\(phrase.action.pathEncoded)\">\(phrase.action)</a> “\(phrase.phrase)”</li>"
      }
      return try shell(
        title: "Gallery", kind: "wide", current: "/gallery",
        """
        <main class="pane" id="list"><div class="head"><h1>Nothing fits “\(sentence)”</h1></div>\
        <div class="in-pad stack"><ul>\(near)</ul><p><a class="b" href="/gallery">Back</a></p></div></main>
        """)
    }
    let values = understood.arguments.map {
      "\($0.name.pathEncoded)=\($0.text.pathEncoded)"
    }
    return .redirect("/run/\(understood.action.pathEncoded)?\(values.joined(separator: "&"))")
  }

  private func card(
    _ summary: Errand.DefinitionSummary, _ sayings: [String: [String]]
  ) -> HTML {
    let definition = try? errand.definition(summary.name)
    let meta: HTML
    if let definition {
      if let phrase = sayings[summary.name]?.first, definition.capabilities.isEmpty {
        meta = "\(HTML.icon("talk", isSmall: true))<span>“\(phrase)”</span>"
      } else {
        let (icon, text) = Self.touched(definition)
        meta = "\(HTML.icon(icon, isSmall: true))<span>\(text)</span>"
      }
    } else {
      meta = "\(HTML.icon("alert", isSmall: true))<span>Has a mistake</span>"
    }
    let hue = summary.name.utf8.reduce(0) { $0 + Int($1) } % 6 + 1
    return """
      <li class="card act-card"><span class="tile k\(hue)">\(HTML.icon(Self.icon(errand.icon(of: summary.name))))</span>\
      <h3><a href="/run/\(summary.name.pathEncoded)">\(definition?.title ?? summary.name)</a></h3>\
      <p>\(summary.description)</p><p class="meta\(definition == nil ? " red" : "")">\(meta)</p></li>

      """
  }

  /// The icon and the words of what a definition touches.
  private static func touched(_ definition: Errand.Definition) -> (icon: String, text: String) {
    guard let first = definition.capabilities.first else { return ("shield", "Library only") }
    let more = definition.capabilities.count - 1
    let (icon, text) = words(ofAccess: first)
    return (icon, text + (more > 0 ? " and \(more) more" : ""))
  }

  /// The icon and the words of an access such as `http:example.org`.
  private static func words(ofAccess access: String) -> (icon: String, text: String) {
    let parts = access.split(separator: ":", maxSplits: 1).map(String.init)
    let what = parts.count > 1 ? parts[1] : ""
    let isAny = what == "*"
    return switch parts.first {
    case "http": ("globe", isAny ? "Any host" : what)
    case "exec": ("terminal", isAny ? "Any program" : "Runs \(what)")
    case "read": ("file", isAny ? "Reads any file" : "Reads \(what)")
    case "write": ("file", isAny ? "Writes any file" : "Writes \(what)")
    case "secret": ("key", "The secret \(what)")
    case "clipboard": ("clipboard", "Clipboard")
    case "open": ("open", "Opens pages")
    case "env": ("terminal", "The variable \(what)")
    default: ("shield", sentenceCase(access))
    }
  }

  static func accessRows(_ capabilities: [String]) -> [HTML] {
    capabilities.map { access in
      let (icon, text) = words(ofAccess: access)
      return "<li class=\"line no\">\(HTML.icon(icon, isSmall: true))<span>\(text)</span></li>"
    }
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

  func action(_ name: String) throws -> Errand.Definition {
    let definition = try errand.definition(name)
    guard Self.origins.contains(definition.summary.origin), definition.summary.kind != "entity"
    else { throw Self.missing(name) }
    return definition
  }

  /// The form of an intent or a shortcut.
  ///
  /// - Parameter problem: Why the values of a sent form do not do, and what to do about it.
  func runForm(
    _ name: String, problem: (text: String, help: String?)? = nil, status: Int = 200
  ) throws -> Reply {
    let definition = try action(name)
    let inputs = definition.parameters.map {
      Self.field(
        $0, request.field($0.name) ?? request.parameter($0.name) ?? Self.text($0.schema["default"]))
    }
    let notice = problem.map { self.problem($0.text, $0.help, definition) }
    let access = Self.accessRows(definition.capabilities)
    let phrases: HTML? =
      definition.phrases.isEmpty
      ? nil
      : "<p class=\"meta\">\(HTML.icon("talk", isSmall: true))\((errand.sayings[definition.summary.name] ?? []).prefix(4).map { "<span>“\($0)”</span>" as HTML })</p>"
    let path = name.pathEncoded
    return try galleryPage(
      definition.title, status: status,
      """
      \(notice)<p class="ink2">\(definition.summary.description)</p>\(phrases)
      \(access.isEmpty ? nil : "<div class=\"notice warn\">\(HTML.icon("shield"))<div><h3>What it may use</h3><ul>\(access)</ul></div></div>" as HTML)
      <form class="stack" method="post" action="/run/\(path)">\(formToken)
      \(inputs)<div class="line"><button class="b main">\(HTML.icon("play"))Run</button>\
      <a class="b" href="/source/\(path)">\(HTML.icon("pencil"))Edit</a>\
      <button class="b" form="test">\(HTML.icon("check"))Test</button></div></form>
      <form id="test" method="post" action="/test/\(path)">\(formToken)</form>
      <details class="section"><summary class="line"><b>Steps</b></summary><ul class="tree">\(errand.steps(of: name).map(step))</ul></details>
      """)
  }

  /// The notice of values that do not do, with a button that takes a proposed one.
  private func problem(
    _ text: String, _ help: String?, _ definition: Errand.Definition
  ) -> HTML {
    let name = definition.parameters.map(\.name).first { text.hasPrefix("`\($0)`") }
    let proposal = help.flatMap {
      $0.firstRange(of: "did you mean ").map { range in
        String(help?[range.upperBound...].prefix { $0 != "?" && $0 != " " } ?? "")
          .filter { $0 != "`" && $0 != "“" && $0 != "”" }
      }
    }
    var take: HTML?
    if let name, let proposal, !proposal.isEmpty {
      let fields: [HTML] = (request.form ?? []).filter { $0.name != "form" && $0.name != name }.map
      {
        "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">"
      }
      take = """
        <form method="post" action="/run/\(definition.summary.name.pathEncoded)">\(formToken)\(fields)\
        <button class="b main" name="\(name)" value="\(proposal)">Use \(proposal)</button></form>
        """
    }
    return """
      <div class="notice bad" role="alert">\(HTML.icon("alert"))<div><h2>It did not start</h2>\
      <p dir="auto">\(text)</p>\(help.map { "<p>\($0)</p>" as HTML })<div class="line">\(take)</div></div></div>
      """
  }

  private func step(_ step: StepOutline) -> HTML {
    let icons: [StepOutline.Shape: String] = [
      .choice: "branch", .loop: "again", .attempt: "shield", .parallel: "list",
    ]
    let blocks: [HTML] = step.blocks.map { block in
      "<ul><li class=\"quiet\">\(block.label)<ul>\(block.steps.map { self.step($0) })</ul></li></ul>"
    }
    let condition = step.condition.map { "if \($0)" } ?? ""
    let name = step.binding.map { "as \($0)" } ?? ""
    return """
      <li><div class="line">\(HTML.icon(icons[step.shape] ?? "circle"))<span dir="auto"><b>\(step.head)</b> \(step.detail) \
      <span class="quiet">\(condition) \(name)</span></span></div>\(blocks)</li>

      """
  }

  /// Runs the tests of an intent or a shortcut.
  func test(_ name: String) throws -> Reply {
    let outcomes = try errand.test([name])
    let failed = outcomes.count { !$0.failures.isEmpty }
    let rows: [HTML] = outcomes.map { outcome in
      let failures: [HTML] = outcome.failures.map { "<p class=\"err\">\($0.message)</p>" }
      return """
        <li class="kv"><div class="line no top">\(HTML.icon(outcome.failures.isEmpty ? "check" : "alert"))<div>\(outcome.name)\(failures)</div></div></li>

        """
    }
    let sentence =
      outcomes.isEmpty
      ? "It has no tests."
      : failed == 0
        ? "All \(outcomes.count) tests passed." : "\(failed) of \(outcomes.count) tests failed."
    return try galleryPage(
      try action(name).title,
      """
      <div class="notice \(failed == 0 ? "good" : "bad")" role="status">\(HTML.icon(failed == 0 ? "check" : "alert"))<p>\(sentence)</p></div>\
      <ul>\(rows)</ul><div class="line"><a class="b" href="/run/\(name.pathEncoded)">Back</a>\
      <form method="post" action="/test/\(name.pathEncoded)">\(formToken)<button class="b">\(HTML.icon("again"))Test again</button></form></div>
      """)
  }

  /// A page below the gallery, with the way back to it.
  func galleryPage(_ title: String, status: Int = 200, _ content: HTML) throws -> Reply {
    try shell(
      title: title, kind: "wide", current: "/gallery", status: status,
      """
      <main class="pane" id="list"><div class="head"><a class="ib" href="/gallery" aria-label="Back to the gallery">\
      \(HTML.icon("left"))</a><h1>\(title)</h1></div>
      <div class="in-pad stack measure">\(content)</div></main>
      """)
  }
}
