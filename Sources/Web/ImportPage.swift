import ErrandKit

/// The page that imports a file, and the report of an import.
struct ImportPage: Page {
  let context: PageContext

  private var folder: ImportFolder? { errand.places.map { ImportFolder(state: $0.state) } }

  func render() throws -> Reply { try render(problem: nil) }

  private func render(problem: String?) throws -> Reply {
    guard let name = context["import"] else { return try form(problem: problem) }
    guard let report = folder?.report(name) else { throw ErrandError.missingPage(name) }
    let isRunning = report["state"] == "running"
    return try page(
      report["file"]?.string ?? "Import", back: "/import",
      """
      \(isRunning ? "<noscript><meta http-equiv=\"refresh\" content=\"1\"></noscript>" as HTML : nil)\
      <div class="stack" id="now">\(isRunning ? progress(report) : result(report))</div>
      """)
  }

  private func page(_ title: String, back: String, status: Int = 200, _ content: HTML) throws
    -> Reply
  {
    try shell(
      title: title, kind: "wide", current: "/settings", status: status,
      """
      <main class="pane" id="list"><div class="head"><a class="ib" href="\(back)" aria-label="Back">\
      \(HTML.icon("left flip"))</a><h1 dir="auto">\(title)</h1></div>
      <div class="in-pad stack loose measure mid">\(content)</div></main>
      """)
  }

  private func form(problem: String?) throws -> Reply {
    let earlier: [HTML] = (folder?.reports ?? []).map { name, report in
      let created = report["counts"]?["created"]?.int
      let note =
        created.map { "\(Self.grouped(Int($0))) new" }
        ?? (report["state"] == "running" ? "Running" : "Failed")
      return """
        <li class="kv"><a href="/import/\(name)" dir="auto">\(report["file"]?.string ?? "")</a>\
        <span class="hint num">\(note), \(time(report["began"]?.string))</span></li>

        """
    }
    return try page(
      "Import", back: "/settings#data", status: problem == nil ? 200 : 422,
      """
      <section class="stack">\(ImportForm(context: context).html(problem))\
      <p class="hint">Bookmarks of Chrome, Firefox, Safari and Edge, of Raindrop.io, Pocket, Pinboard, linkding, Instapaper, Wallabag and others, \
      as HTML, CSV, JSON, OPML, Markdown or a list of addresses; feeds, calendars, and JSON Lines of Errand. \
      The kind is found out, what is there already is not added again, and all of it is one change that can be undone.</p></section>
      \(earlier.isEmpty ? nil : "<section class=\"section\"><h2>Earlier</h2><ul>\(earlier)</ul></section>" as HTML)
      """)
  }

  private func progress(_ report: JSONValue) -> HTML {
    let done = Self.number(report["done"])
    let total = Self.number(report["total"])
    let bar: HTML =
      total > 0 ? " max=\"\(total)\" value=\"\(done)\"" : ""
    return """
      <h2>Importing</h2><progress aria-label="Import"\(bar)></progress>\
      <p class="hint num" role="status">\(done > 0 ? "\(Self.grouped(done)) read\(total > 0 ? " of about \(Self.grouped(total))" : "")" : "It begins.")</p>\
      <p class="hint">It goes on if you leave this page.</p>
      """
  }

  private static func number(_ value: JSONValue?) -> Int {
    switch value {
    case .int(let number): Int(number)
    case .double(let number) where number.isFinite && abs(number) < 1e15: Int(number)
    default: 0
    }
  }

  private func result(_ report: JSONValue) -> HTML {
    let change = report["change"]?.int
    let undo: HTML? = change.flatMap { number in
      isUndone(number)
        ? "<span class=\"hint\">Undone.</span>"
        : self.form(
          "/undo/\(number)", with: ["back": "/" + context.path.joined(separator: "/")],
          "<button class=\"b\">\(HTML.icon("undo"))Undo the import</button>")
    }
    let next: HTML = """
      <div class="line"><a class="b main" href="/list/links">Show the links</a>\(undo)\
      <a class="b" href="/import">Import another file</a></div>
      """
    guard let counts = report["counts"] else {
      return """
        <div class="notice bad" role="alert">\(HTML.icon("alert"))<div><h2>The import failed</h2>\
        <p dir="auto">\(Self.sentenceCase(report["message"]?.string ?? "It ended")).</p>\
        \(report["help"]?.string.map { "<p dir=\"auto\">\(Self.sentenceCase($0)).</p>" as HTML })</div></div>\(next)
        """
    }
    let rows = [
      ("New", "created"), ("Already here, completed", "merged"), ("Left out", "skipped"),
      ("Could not be read", "bad"),
    ]
    let facts: [HTML] = rows.compactMap { title, name in
      let count = Self.number(counts[name])
      return count == 0 && name != "created"
        ? nil : "<dt>\(title)</dt><dd>\(Self.grouped(count))</dd>"
    }
    let problems: [HTML] = (counts["problems"]?.array ?? []).map {
      "<tr><td class=\"num\">\(Self.number($0["line"]))</td><td dir=\"auto\">\($0["message"]?.string ?? "")</td></tr>\n"
    }
    let table: HTML =
      """
      <section class="section"><h2>Lines to look at</h2><div class="scroll" tabindex="0" role="region" aria-label="Lines to look at">\
      <table><thead><tr><th scope="col">Line</th><th scope="col">What is wrong</th></tr></thead><tbody>\(problems)</tbody></table></div>\
      <p class="hint">Mend them in the file and import it again: what is here already is not added twice.</p></section>
      """
    return """
      <div class="notice good" role="status">\(HTML.icon("check"))<div><h2>The import is done</h2>\
      <dl class="facts num">\(facts)</dl></div></div>\
      \(counts["damaged"] == true ? "<p class=\"err\">\(HTML.icon("alert", isSmall: true))The file is damaged; what could be read is here.</p>" as HTML : nil)\
      \(next)\(problems.isEmpty ? nil : table)
      """
  }

  private func isUndone(_ number: Int64) -> Bool {
    (try? reader.changes(after: number - 1, limit: 1))?.first?["undone"] == true
  }

  /// Begins the import of the uploaded file.
  func submit() throws -> Reply {
    guard let folder, let file = context.uploads.first(where: { $0.name == "file" })?.path else {
      return try render(problem: "Choose a file first.")
    }
    return .redirect("/import/\(try folder.start(file, errand))")
  }
}

/// The form that takes the file of an import.
struct ImportForm: PagePart {
  let context: PageContext

  func html(_ problem: String? = nil) -> HTML {
    """
    <form class="stack tight drop-file" method="post" action="/import"\(Self.multipart) data-send>\(formToken)\
    <label class="label" for="import-file">\(HTML.icon("download"))A file to import</label>\
    <input class="in" type="file" id="import-file" name="file" required\(problem == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"import-e\"" as HTML)>\
    <p class="hint">Drop it here, or choose it.</p>\
    \(problem.map { "<p class=\"err\" id=\"import-e\">\(HTML.icon("alert", isSmall: true))\($0)</p>" as HTML })\
    <div class="line"><button class="b main">Import</button></div></form>
    """
  }
}
