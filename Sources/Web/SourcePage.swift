import ErrandKit

/// The page of a definition's text, with the messages of the checker.
struct SourcePage: Page {
  let context: PageContext

  private var name: String { context["name"] ?? "" }

  func render() throws -> Reply {
    let file = try errand.text(of: name)
    if file.isOwn { return try editor(file).render(.init(text: file.text), old: file.text) }
    let path = "/source/\(name.pathEncoded)"
    let words: HTML =
      file.isBuiltIn
      ? "It is built in. A copy of your own takes its place."
      : "Its file is not among your own definitions: \(file.path)"
    return try editor(
      name, back: "/run/\(name.pathEncoded)", action: path,
      note: "<div class=\"notice\">\(HTML.icon("lock"))<p>\(words)</p></div>",
      text: file.text, old: file.text, findings: [], isReadOnly: true,
      buttons: file.isBuiltIn
        ? "<div class=\"line\"><button class=\"b main\">\(HTML.icon("copy"))Copy to change it</button></div>"
        : nil)
  }

  private func editor(_ file: Errand.DefinitionText) -> DefinitionEditor {
    DefinitionEditor(
      context, action: "/source/\(name.pathEncoded)", path: file.path, name: name)
  }

  /// Changes the text of a definition of the person, or saves it unless it has mistakes; copies a
  /// built-in one.
  func submit() throws -> Reply {
    guard context["name"] != nil else { return try check() }
    let file = try errand.text(of: name)
    if file.isBuiltIn {
      // What is copied is the built-in text, whatever a form says.
      let path = try errand.newPath(named: name)
      if let mistake = try errand.save(file.text, at: path, replacing: nil).first {
        throw ErrandError(code: mistake.code, message: mistake.message, help: mistake.help)
      }
      return .redirect("/source/\(name.pathEncoded)?saved=1")
    }
    guard file.isOwn else {
      throw ErrandError(code: "not-allowed", message: "\(file.path) is not one of your files")
    }
    let editor = editor(file)
    let what = context.field("do")
    // The result of a run becomes a test of the saved text.
    var outcome =
      what == "test" ? editor.expecting(in: file.text) : editor.edited()
    let old = what == "test" ? file.text : context.text("old")
    guard what == nil || ["save", "try"].contains(what), outcome.problem == nil else {
      return try editor.render(outcome, old: old)
    }
    do {
      if try errand.save(outcome.text, at: file.path, replacing: old).isEmpty {
        return .redirect(
          what == "try" ? "/run/\(name.pathEncoded)" : "/source/\(name.pathEncoded)?saved=1")
      }
      outcome.problem = "it is not saved yet: first mend what is marked"
    } catch {
      outcome.problem = Self.sentence(error)
    }
    return try editor.render(outcome, old: old, status: 422)
  }

  /// The mistakes of a text being edited, for scripts.
  private func check() throws -> Reply {
    let text = context.text("text")
    let name = context.field("name") ?? ""
    let file = (try? errand.text(of: name)).flatMap { $0.isBuiltIn ? nil : $0.path }
    let path = try file ?? errand.newPath(named: "new-definition")
    let findings = try errand.check(text, at: path).filter { $0.place?.file == path }
    return .json(["html": .string(HTML(joining: findings.map(Self.line)).markup)])
  }
}

/// The editor of definitions.
extension PagePart {
  func editor(
    _ title: String, back: String, action: String, note: HTML, text: String, old: String,
    findings: [Finding], isReadOnly: Bool = false, buttons: HTML?
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

  static func line(_ finding: Finding) -> HTML {
    let isError = finding.severity == .error
    let place: HTML? = finding.place.map { "Line \($0.line): " }
    return """
      <li class="notice \(isError ? "bad" : "warn")">\(HTML.icon("alert"))<p>\(place)\(sentence(ErrandError(code: finding.code, message: finding.message, help: finding.help)))</p></li>
      """
  }
}
