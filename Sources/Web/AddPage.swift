import ErrandKit

/// The page that adds a definition from a text or a file, after showing it with its capabilities.
struct AddPage: Page {
  let context: PageContext

  func render() throws -> Reply { try render(problem: nil) }

  private func render(problem: String?) throws -> Reply {
    var text = context.text("text")
    var name = context.field("name") ?? ""
    let address = context.field("address") ?? ""
    var problem = problem
    if context.field("fetch") != nil {
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
    if context.form != nil, problem == nil {
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
      } catch { problem = Self.sentence(error) }
    }
    if let problem {
      note =
        note
        + "<div class=\"notice bad\" role=\"alert\">\(HTML.icon("alert"))<p>\(problem)</p></div>"
    }
    return try editor(
      "Add", back: "/gallery", action: "/gallery/add", note: note, text: text, old: "",
      findings: findings, buttons: buttons)
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

  /// Adds the previewed definition.
  func submit() throws -> Reply {
    guard context.field("trust") != nil else { return try render() }
    do {
      let path = try errand.newPath(named: context.field("name") ?? "")
      // Trust covers the displayed text; the address is not fetched again.
      let text = context.text("text")
      let mistakes = try errand.save(text, at: path, replacing: nil)
      return mistakes.isEmpty ? .redirect("/gallery?show=own") : try render()
    } catch let error as ErrandError {
      return try render(problem: Self.sentence(error))
    }
  }
}
