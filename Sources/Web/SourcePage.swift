import ErrandKit

/// The page of a definition's text, with the messages of the checker.
struct SourcePage: Page {
  let context: PageContext

  private var name: String { context["name"] ?? "" }

  func render() throws -> Reply { try render(text: nil, findings: []) }

  private func render(text: String?, findings: [Finding]) throws -> Reply {
    let file = try errand.text(of: name)
    let isOwn = file.isOwn
    var note: HTML = ""
    var button: HTML?
    if isOwn {
      button =
        "<div class=\"line\"><button class=\"b main\">Save</button><span class=\"hint\">\(context.parameter("saved") == nil ? "" : "Saved")</span></div>"
    } else if file.isBuiltIn {
      note =
        "<div class=\"notice\">\(HTML.icon("lock"))<p>It is built in. A copy of your own takes its place.</p></div>"
      button =
        "<div class=\"line\"><button class=\"b main\">\(HTML.icon("copy"))Copy to change it</button></div>"
    } else {
      note =
        "<div class=\"notice\">\(HTML.icon("lock"))<p>Its file is not among your own definitions: \(file.path)</p></div>"
    }
    return try editor(
      name, back: "/run/\(name.pathEncoded)", action: "/source/\(name.pathEncoded)", note: note,
      text: text ?? file.text, old: file.text, findings: findings, isReadOnly: !isOwn,
      buttons: button)
  }

  /// Saves the text of a definition of the person, unless it has mistakes; copies a built-in one.
  func submit() throws -> Reply {
    guard let name = context["name"] else { return try check() }
    let file = try errand.text(of: name)
    // What is copied is the built-in text, whatever a form says.
    let text = file.isBuiltIn ? file.text : context.text("text")
    let mistakes =
      file.isBuiltIn
      ? try errand.save(text, at: errand.newPath(named: name), replacing: nil)
      : try errand.save(text, at: file.path, replacing: context.text("old"))
    guard mistakes.isEmpty else { return try render(text: text, findings: mistakes) }
    return .redirect("/source/\(name.pathEncoded)?saved=1")
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
