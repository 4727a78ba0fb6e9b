package import ErrandKit

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

  private static func accessRows(_ capabilities: [String]) -> [HTML] {
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

  private func action(_ name: String) throws -> Errand.Definition {
    let definition = try errand.definition(name)
    guard Self.origins.contains(definition.summary.origin), definition.summary.kind != "entity"
    else { throw Self.missing(name) }
    return definition
  }

  /// The form of an intent or a shortcut.
  func runForm(_ name: String) throws -> Reply {
    let definition = try action(name)
    let inputs = definition.parameters.map {
      Self.field($0, request.parameter($0.name) ?? Self.text($0.schema["default"]))
    }
    let access = Self.accessRows(definition.capabilities)
    let phrases: HTML? =
      definition.phrases.isEmpty
      ? nil
      : "<p class=\"meta\">\(HTML.icon("talk", isSmall: true))\((errand.sayings[definition.summary.name] ?? []).prefix(4).map { "<span>“\($0)”</span>" as HTML })</p>"
    let path = name.pathEncoded
    return try run(
      definition.title,
      """
      <p class="ink2">\(definition.summary.description)</p>\(phrases)
      \(access.isEmpty ? nil : "<div class=\"notice warn\">\(HTML.icon("shield"))<div><h3>What it may use</h3><ul>\(access)</ul></div></div>" as HTML)
      <form class="stack" method="post" action="/run/\(path)">\(formToken)
      \(inputs)<div class="line"><button class="b main">\(HTML.icon("play"))Run</button>\
      <a class="b" href="/source/\(path)">\(HTML.icon("pencil"))Edit</a>\
      <button class="b" form="test">\(HTML.icon("check"))Test</button></div></form>
      <form id="test" method="post" action="/test/\(path)">\(formToken)</form>
      <details class="section"><summary class="line"><b>Steps</b></summary><ul class="tree">\(errand.steps(of: name).map(step))</ul></details>
      """)
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
    return try run(
      try action(name).title,
      """
      <div class="notice \(failed == 0 ? "good" : "bad")" role="status">\(HTML.icon(failed == 0 ? "check" : "alert"))<p>\(sentence)</p></div>\
      <ul>\(rows)</ul><div class="line"><a class="b" href="/run/\(name.pathEncoded)">Back</a>\
      <form method="post" action="/test/\(name.pathEncoded)">\(formToken)<button class="b">\(HTML.icon("again"))Test again</button></form></div>
      """)
  }

  // MARK: Editing

  /// The page of a definition's text, with the messages of the checker.
  func source(_ name: String, text: String? = nil, findings: [Finding] = [], saved: Bool = false)
    throws -> Reply
  {
    let file = try errand.text(of: name)
    let isOwn = file.isOwn
    let note: HTML =
      isOwn
      ? ""
      : "<div class=\"notice\">\(HTML.icon("lock"))<p>It is built in. `errand new … --from \(name)` makes a copy of your own.</p></div>"
    let button: HTML? =
      isOwn
      ? "<div class=\"line\"><button class=\"b main\">Save</button><span class=\"hint\">\(saved ? "Saved" : "")</span></div>"
      : nil
    return try editor(
      name, back: "/run/\(name.pathEncoded)", action: "/source/\(name.pathEncoded)", note,
      text ?? file.text, old: file.text, findings, isReadOnly: !isOwn, button)
  }

  private func editor(
    _ title: String, back: String, action: String, _ note: HTML, _ text: String, old: String,
    _ findings: [Finding], isReadOnly: Bool = false, _ buttons: HTML?
  ) throws -> Reply {
    try shell(
      title: title, kind: "wide", current: "/gallery",
      status: findings.contains { $0.severity == .error } ? 422 : 200,
      """
      <main class="pane" id="list"><div class="head"><a class="ib" href="\(back)" aria-label="Back">\(HTML.icon("left flip"))</a>\
      <h1>\(title)</h1></div><form class="in-pad stack" method="post" action="\(action)" id="editor">\(formToken)\(note)
      <textarea class="hidden" name="old" hidden>\n\(old)</textarea>
      <label class="sr" for="text">The definition</label>\
      <textarea class="in mono code-area" id="text" name="text" rows="28" spellcheck="false"\(isReadOnly ? " readonly" : "" as HTML) \
      data-check="\(isReadOnly ? "" : "/check")">\n\(text)</textarea>
      <ul id="findings" aria-live="polite">\(findings.map(Self.line))</ul>\(buttons)</form></main>
      """)
  }

  private static func line(_ finding: Finding) -> HTML {
    let isError = finding.severity == .error
    let place: HTML? = finding.place.map { "Line \($0.line): " }
    return """
      <li class="notice \(isError ? "bad" : "warn")">\(HTML.icon("alert"))<p>\(place)\(sentence(ErrandError(code: finding.code, message: finding.message, help: finding.help)))</p></li>
      """
  }

  /// Saves the text of one of the person's definitions, unless it has mistakes.
  func saveSource(_ name: String) throws -> Reply {
    let file = try errand.text(of: name)
    func text(_ field: String) -> String {
      (request.field(field) ?? "").replacing("\r\n", with: "\n")
    }
    let mistakes = try errand.save(text("text"), at: file.path, replacing: text("old"))
    guard mistakes.isEmpty else {
      return try source(name, text: text("text"), findings: mistakes)
    }
    return .redirect("/source/\(name.pathEncoded)?saved=1")
  }

  /// The mistakes of a text that is being written, for scripts.
  func check() throws -> Reply {
    let text = (request.field("text") ?? "").replacing("\r\n", with: "\n")
    let name = request.field("name") ?? ""
    let path = try (try? errand.text(of: name).path) ?? errand.newPath(named: "new-definition")
    let findings = try errand.check(text, at: path).filter { $0.place?.file == path }
    return .json(["html": .string(HTML(joining: findings.map(Self.line)).markup)])
  }

  /// The page that adds a definition from a text or a file: what it is and may do is shown before.
  func adding(problem: String? = nil) throws -> Reply {
    var text = (request.field("text") ?? "").replacing("\r\n", with: "\n")
    var name = request.field("name") ?? ""
    let address = request.field("address") ?? ""
    var problem = problem
    if request.field("fetch") != nil {
      do {
        text = try errand.text(at: address)
        let file = address.split(separator: "/").last.map(String.init) ?? ""
        if name.isEmpty { name = String(file.prefix { $0 != "." && $0 != "?" }) }
      } catch {
        problem = (error as? ErrandError).map(Self.sentence) ?? "\(error)"
      }
    }
    var note: HTML = """
      <p class="ink2">Give a definition’s address, choose its file, or paste it. It is shown with what it may do before it is added.</p>\
      <div class="field"><label for="address">Address</label><div class="line no"><input class="in grow" type="url" id="address" name="address" value="\(address)" placeholder="https://">\
      <button class="b" name="fetch" value="1" formnovalidate>Fetch</button></div></div>\
      <div class="field"><label for="file">File</label><input class="in" type="file" id="file" accept=".yaml,.yml,text/*" data-into="text"></div>\
      <div class="field"><label for="name">Name of its file</label><input class="in" id="name" name="name" value="\(name)" required placeholder="tidy-downloads"></div>
      """
    var findings: [Finding] = []
    var buttons: HTML =
      "<div class=\"line\"><button class=\"b main\" name=\"look\" value=\"1\">Look at it</button></div>"
    var message = problem
    if request.form != nil, message == nil {
      do {
        let path = try errand.newPath(named: name)
        let preview = try errand.preview(text, at: path)
        findings = preview.findings
        if !preview.definitions.isEmpty {
          note = note + access(of: preview.definitions)
          buttons = """
            <div class="line"><button class="b" name="look" value="1">Look again</button>\
            <button class="b main" name="trust" value="1">Trust and add</button></div>
            """
        }
      } catch { message = Self.sentence(error) }
    }
    if let message {
      note =
        note
        + "<div class=\"notice bad\" role=\"alert\">\(HTML.icon("alert"))<p>\(message)</p></div>"
    }
    return try editor(
      "Add", back: "/gallery", action: "/gallery/add", note, text, old: "", findings, buttons)
  }

  private func access(of definitions: [Errand.Definition]) -> HTML {
    let parts: [HTML] = definitions.map { definition in
      let rows = Self.accessRows(definition.capabilities)
      return """
        <h3>\(Self.sentenceCase(definition.summary.kind)) \(definition.title)</h3><p>\(definition.summary.description)</p>\
        \(rows.isEmpty ? "<p>It touches nothing outside of the library.</p>" as HTML : "<ul>\(rows)</ul>")
        """
    }
    return "<div class=\"notice warn\">\(HTML.icon("shield"))<div>\(parts)</div></div>"
  }

  /// Adds a definition that was looked at.
  func addDefinition() throws -> Reply {
    guard request.field("trust") != nil else { return try adding() }
    do {
      let path = try errand.newPath(named: request.field("name") ?? "")
      // A click on Trust takes what was shown, never what the address gives by now.
      let text = (request.field("text") ?? "").replacing("\r\n", with: "\n")
      let mistakes = try errand.save(text, at: path, replacing: nil)
      return mistakes.isEmpty ? .redirect("/gallery?show=own") : try adding()
    } catch let error as ErrandError {
      return try adding(problem: Self.sentence(error))
    }
  }

  /// A value as the text of an input; empty for none.
  static func text(_ value: JSONValue?) -> String {
    switch value {
    case nil, .null: ""
    case .array(let list) where list.allSatisfy({ $0.string != nil }):
      list.compactMap(\.string).joined(separator: ", ")
    case .object(let members) where members["ref"]?.string != nil: members["ref"]?.string ?? ""
    case let value?: value.string ?? (try? value.text()) ?? ""
    }
  }

  private func run(_ title: String, _ content: HTML, status: Int = 200) throws -> Reply {
    try shell(
      title: title, kind: "wide", current: "/gallery", status: status,
      """
      <main class="pane" id="list"><div class="head"><a class="ib" href="/gallery" aria-label="Back to the gallery">\
      \(HTML.icon("left"))</a><h1>\(title)</h1></div>
      <div class="in-pad stack measure">\(content)</div></main>
      """)
  }

  /// The parameters of a sent form.
  package func parameters(of name: String) throws -> JSONValue {
    .object(values(try action(name).parameters).filter { $0.value != .null })
  }

  /// The page of a run as the API tells of it: what it says, and its question or its result.
  ///
  /// - Parameters:
  ///   - status: The status of the API's answer.
  ///   - back: The page to go back to once it has ended well; nil to show its result.
  package func conversation(
    _ name: String, _ value: JSONValue, status: Int, back: String? = nil
  ) -> Reply {
    let isEnded = value["detail"] == nil && (value["question"] ?? .null) == .null
    if let back, Self.isOurs(back), status < 400, isEnded {
      let change = ((try? reader.changes(limit: 1)) ?? []).first {
        $0["run"]?.string == value["run"]?.string
      }
      return .redirect(
        change?["number"]?.int.map { Self.noting($0, name, at: back) } ?? back)
    }
    let says: [HTML] = (value["dialog"]?.array ?? []).compactMap(\.string).map {
      "<p class=\"say\" dir=\"auto\">\($0)</p>"
    }
    let content: HTML
    if let detail = value["detail"]?.string {
      let help: HTML? = value["help"]?.string.map { "<p>\($0)</p>" }
      content = """
        <div class="notice bad" role="alert">\(HTML.icon("alert"))<div><h2>It failed</h2><p dir="auto">\(detail)</p>\(help)\
        \(remedy(value["code"]?.string ?? "", detail, name))</div></div>
        """
    } else if let question = value["question"], question != .null {
      content = ask(name, value["run"]?.string ?? "", question)
    } else {
      content = "\(result(value["result"] ?? .null))"
    }
    let isOpen = value["question"].map { $0 != .null } ?? false
    let again: HTML? =
      isOpen
      ? nil
      : """
      <div class="line"><a class="b" href="/run/\(name.pathEncoded)">\(HTML.icon("again"))Run again</a></div>
      """
    do {
      return try run(
        action(name).title, "<div class=\"talk\">\(says)\(content)</div>\(again)",
        status: status < 400 ? 200 : status)
    } catch {
      return Self.problem(status: 500, "\(error)", help: nil)
    }
  }

  /// A button to the place where a failure can be mended.
  private func remedy(_ code: String, _ detail: String, _ name: String) -> HTML? {
    let path = name.pathEncoded
    let place: (path: String, title: String)? =
      switch code {
      case "invalid-value", "missing": ("/run/\(path)", "Change what it was given")
      case "not-found" where detail.contains("secret"): ("/settings", "Settings")
      case "not-allowed": ("/source/\(path)", "See what it does")
      case "network", "timeout", "busy": ("/run/\(path)", "Try again")
      case "store", "unwritable": ("/settings#doctor", "Check the library")
      default: nil
      }
    return place.map {
      "<div class=\"line\"><a class=\"b\" href=\"\($0.path)\">\($0.title)</a></div>"
    }
  }

  private func ask(_ name: String, _ run: String, _ question: JSONValue) -> HTML {
    let kind = question["event"]?.string ?? "ask"
    let problem: HTML? = question["problem"]?.string.map { "<p class=\"err\">\($0)</p>" }
    let control: HTML
    switch kind {
    case "confirm":
      control = """
        <div class="line"><button class="b main" name="answer" value="true">Yes</button>\
        <button class="b" name="answer" value="false">No</button></div>
        """
    case "choose":
      let isMany = question["many"] == true
      let choices: [HTML] = (question["choices"]?.array ?? []).map { choice in
        let number = choice["number"]?.int ?? 0
        return """
          <div class="line"><input type="\(isMany ? "checkbox" : "radio")" id="c\(number)" name="answer" value="\(number)">\
          <label for="c\(number)" dir="auto">\(choice["title"]?.string ?? "") \
          <span class="quiet">\(choice["subtitle"]?.string ?? "")</span></label></div>

          """
      }
      control = "\(choices)<div class=\"line\"><button class=\"b main\">Choose</button></div>"
    default:
      control = """
        <input class="in" name="answer" aria-label="Answer" value="\(Self.text(question["default"]))" dir="auto">\
        <div class="line"><button class="b main">Answer</button></div>
        """
    }
    return """
      <form class="ask" method="post" action="/run/\(name.pathEncoded)/\(run.pathEncoded)">\(formToken)\
      <input type="hidden" name="number" value="\(question["number"]?.int ?? 0)">\
      <input type="hidden" name="kind" value="\(kind)">\
      <input type="hidden" name="many" value="\(question["many"] == true ? "true" : "false")">
      <h2 dir="auto">\(question["prompt"]?.string ?? "")</h2>\(problem)\(control)</form>
      """
  }

  /// The answer of a sent form, in the form of the API.
  package func answer() throws -> JSONValue {
    let texts = (request.form ?? []).filter { $0.name == "answer" }.map(\.value)
    let number = Int64(request.field("number") ?? "") ?? 0
    let answer: JSONValue
    switch request.field("kind") {
    case "confirm": answer = .bool(texts.first == "true")
    case "choose":
      let numbers = texts.compactMap { Int64($0) }.map(JSONValue.int)
      answer = request.field("many") == "true" ? .array(numbers) : numbers.first ?? .null
    default: answer = .string(texts.first ?? "")
    }
    return ["number": .int(number), "answer": answer]
  }

  private func result(_ value: JSONValue) -> HTML {
    switch value {
    case .null: return "<p class=\"quiet\">Done.</p>"
    case .array(let list):
      return
        "<div class=\"results\"><ol class=\"rows\">\(list.prefix(200).map { "<li class=\"row\"><div>\(line($0))</div></li>" as HTML })</ol></div>"
    default:
      return
        "<div class=\"results\"><ol class=\"rows\"><li class=\"row\"><div>\(line(value))</div></li></ol></div>"
    }
  }

  /// An element of a result: an item as a link, else its text.
  private func line(_ value: JSONValue) -> HTML {
    if let entity = value["entity"]?.string, let id = value["id"]?.int {
      let title =
        value["title"]?.string ?? value["text"]?.string ?? value["url"]?.string ?? "\(entity) \(id)"
      return "<a class=\"title\" dir=\"auto\" href=\"/item/\(entity)/\(id)\">\(title)</a>"
    }
    return "<span class=\"title\" dir=\"auto\">\(Self.text(value))</span>"
  }
}
