import ErrandKit

/// The pages on which definitions are edited and added.
extension Website {
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
}
