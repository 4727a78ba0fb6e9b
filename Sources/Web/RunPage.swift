package import ErrandKit

/// The page of a run: its transcript, the open question, and buttons for the next step.
package struct RunPage: PagePart {
  let context: PageContext
  /// The name of the intent or shortcut.
  private let name: String
  /// The number of the run; empty before it has started.
  private let id: String

  package init(context: PageContext) {
    self.context = context
    name = context.path.dropFirst().first ?? ""
    id = context.path.dropFirst(2).first ?? ""
  }

  // MARK: Forms

  /// The parameters of a sent form.
  package func parameters() throws -> JSONValue {
    .object(values(try action(name).parameters).filter { $0.value != .null })
  }

  /// The answer of a sent form, in the form of the API.
  package func answer() throws -> JSONValue {
    let texts = (context.form ?? []).filter { $0.name == "answer" }.map(\.value)
    let number = JSONValue.int(Int64(context.field("number") ?? "") ?? 0)
    let answer: JSONValue
    switch context.field("kind") {
    case "confirm": answer = .bool(texts.first == "true")
    case "choose":
      let numbers = texts.compactMap { Int64($0) }.map(JSONValue.int)
      answer = context.field("many") == "true" ? .array(numbers) : numbers.first ?? .null
    case "list": answer = .array(texts.map(JSONValue.string))
    default: answer = .string(texts.first ?? "")
    }
    return ["number": number, "answer": answer]
  }

  /// The address of the form that starts a run.
  package var formPath: String { "/run/\(name.pathEncoded)" }

  /// The address of a run of the same intent or shortcut.
  package func path(ofRun run: String) -> String { "/run/\(name.pathEncoded)/\(run.pathEncoded)" }

  /// The reply to a form that started a run: its page, the form again if its values are wrong, or
  /// the page named by the form if the run has already succeeded.
  package func started(_ answer: JSONValue, status: Int) -> PageContext.Reply {
    let problem = answer["detail"]?.string ?? "It did not start"
    let isWrong = (try? action(name))?.parameters.contains { problem.hasPrefix("`\($0.name)`") }
    guard let run = answer["run"]?.string, status < 400 || isWrong != true else {
      do {
        return try ActionPage(context: context).render(
          name, problem: (problem, answer["help"]?.string), status: status < 400 ? 500 : status)
      } catch {
        return PageContext.problem(status: status, problem, help: answer["help"]?.string)
      }
    }
    guard let back, status < 400, answer["result"] != nil else {
      return .redirect(path(ofRun: run))
    }
    return .redirect(Self.noting(change(by: run), name, at: back))
  }

  /// The number of the change that a run made; nil if it made none that can be undone.
  private func change(by run: String) -> Int64? {
    let changes = (try? reader.changes(limit: 50)) ?? []
    return changes.first { $0["run"]?.string == run && $0["undone"] != true }?["number"]?.int
  }

  // MARK: The page

  /// Renders the page.
  ///
  /// - Parameter live: The transcript so far, if the server runs it; nil for the recorded one.
  package func render(live: JSONValue?) throws -> PageContext.Reply {
    let path = path(ofRun: id)
    guard let transcript = live ?? (try? reader.transcript(ofRun: id)).flatMap({ $0 }),
      transcript["name"]?.string == name
    else {
      return try galleryPage(
        (try? action(name).title) ?? name, status: 404,
        """
        <p>What this run said is not kept any more.</p><div class="line">\(again)</div>
        """)
    }
    let entries = transcript["entries"]?.array ?? []
    let ended = entries.last { $0["kind"] == "ended" }
    let state = ended?["state"]?.string ?? transcript["state"]?.string ?? ""
    let open = ended == nil || state == "suspended" ? Self.openQuestion(entries) : nil
    let isRunning = ended == nil && live != nil
    let isSilent = !entries.contains {
      ["say", "show", "error"].contains($0["kind"]?.string ?? "")
    }
    let last = entries.compactMap { $0["number"]?.int }.max() ?? 0
    let omitted = transcript["omitted"]?.int ?? 0
    let said: [HTML] = entries.map { entry in
      entry["number"] == open?["number"] ? "" : self.entry(entry, isSilent: isSilent)
    }
    let since = entries.first?["time"]?.string ?? ""
    let elapsed: HTML? =
      isRunning ? "<span class=\"hint num\" id=\"elapsed\" data-since=\"\(since)\"></span>" : nil
    let follows: HTML = isRunning ? " data-live=\"\(path)/live?from=\(last + 1)\"" : ""
    return try galleryPage(
      (try? action(name).title) ?? name,
      """
      \(isRunning && open == nil ? "<noscript><meta http-equiv=\"refresh\" content=\"1\"></noscript>" as HTML : nil)\
      <div class="talk" id="talk"\(follows)><div class="talk" id="said" aria-live="polite">\
      \(omitted > 0 ? "<p class=\"quiet\">\(omitted) entries are left out.</p>" as HTML : nil)\(said)</div>
      <div id="asked">\(open.map { RunQuestion(context: context, question: $0).html(action: path) })</div>
      <div class="line"><div class="line" id="runbar">\(bar(entries, state, isRunning: isRunning))</div>\(elapsed)</div></div>
      \(ended == nil ? nil : expectation(transcript))\(ended == nil ? nil : steps)
      """)
  }

  /// The question that waits for an answer; nil if there is none.
  private static func openQuestion(_ entries: [JSONValue]) -> JSONValue? {
    guard let last = entries.last(where: { $0["kind"] == "question" }), last["answer"] == nil,
      last["left"] == nil
    else { return nil }
    return last
  }

  private var again: HTML {
    "<a class=\"b\" href=\"/run/\(name.pathEncoded)\">\(HTML.icon("again"))Run again</a>"
  }

  /// The line below the conversation: the state of the run, its duration, and its buttons.
  private func bar(_ entries: [JSONValue], _ state: String, isRunning: Bool) -> HTML {
    let path = path(ofRun: id)
    func button(_ action: String, _ icon: String, _ title: String) -> HTML {
      form("\(path)/\(action)", "<button class=\"b\">\(HTML.icon(icon))\(title)</button>")
    }
    if isRunning {
      return """
        \(button("stop", "stop", "Stop"))<span class="hint">\
        \(Self.openQuestion(entries) == nil ? "Running" : "Waits for you")</span>
        """
    }
    let undo: HTML? = change(by: id).map {
      form(
        "/undo/\($0)", with: ["back": path], "<button class=\"b\">\(HTML.icon("undo"))Undo</button>"
      )
    }
    let words =
      switch state {
      case "cancelled": "Stopped."
      case "suspended": "It waits, and can go on."
      case "failed": "Failed."
      case "interrupted": "Its process has ended; it can go on if it is durable."
      case "running", "waiting": "It runs elsewhere."
      default: "Done."
      }
    let took = Self.length(entries)
    return """
      \(undo)\(state == "running" || state == "waiting" ? nil : again)\
      <span class="hint num grow" role="status">\(words)\(took.map { " \($0)" })</span>
      """
  }

  /// The time from the first to the last entry, if it is worth telling.
  private static func length(_ entries: [JSONValue]) -> String? {
    guard let first = entries.first?["time"]?.string.flatMap(Errand.seconds),
      let last = entries.last?["time"]?.string.flatMap(Errand.seconds), last - first >= 1
    else { return nil }
    let seconds = Int(last - first)
    return seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
  }

  private var steps: HTML? {
    guard let steps = (try? reader.run(id))?["steps"]?.array, !steps.isEmpty else { return nil }
    return """
      <details class="section"><summary class="line"><b>Steps</b></summary>\
      <ul class="tree">\(steps.prefix(500).map(recordedStep))</ul></details>
      """
  }

  // MARK: Entries

  private func entry(_ entry: JSONValue, isSilent: Bool) -> HTML {
    let time = entry["time"]?.string ?? ""
    let content: HTML
    switch entry["kind"]?.string {
    case "say": content = "<p class=\"say lines\" dir=\"auto\">\(entry["text"]?.string ?? "")</p>"
    case "show": content = shown(entry)
    case "progress": content = progress(entry)
    case "activity": content = activity(entry)
    case "question":
      let answer: HTML =
        entry["left"] == true
        ? "<p class=\"you quiet\">Left</p>"
        : "<p class=\"you\" dir=\"auto\">\(Self.answerText(entry))</p>"
      content = """
        <p class="say lines" dir="auto">\(entry["prompt"]?.string ?? "")</p>\
        \(entry["answer"] == nil && entry["left"] == nil ? nil : answer)
        """
    case "result":
      content =
        entry["as"] == .null
        ? isSilent && entry["value"] == .null ? "<p class=\"quiet\">Done.</p>" : "" : shown(entry)
    case "error": content = failure(entry)
    default: return ""
    }
    return content.markup.isEmpty ? "" : "<div title=\"\(time)\">\(content)</div>\n"
  }

  private static func answerText(_ entry: JSONValue) -> String {
    if entry["control"] == "secret" { return "••••••" }
    return switch entry["answer"] {
    case "true" where entry["control"] == "switch": "Yes"
    case "false" where entry["control"] == "switch": "No"
    case .bool(let isYes): isYes ? "Yes" : "No"
    case .array(let list): list.isEmpty ? "None" : list.map { text($0) }.joined(separator: ", ")
    case let answer: text(answer).isEmpty ? "–" : text(answer)
    }
  }

  /// A presentation or a result.
  private func shown(_ entry: JSONValue) -> HTML {
    switch entry["as"]?.string {
    case "card":
      let cards = entry["cards"]?.array ?? []
      let more = (entry["count"]?.int ?? 0) - Int64(cards.count)
      if cards.isEmpty { return "<p class=\"quiet\">Nothing was found.</p>" }
      return """
        <div class="results"><ol class="rows">\(cards.map(card))</ol></div>\
        \(more > 0 ? "<p class=\"quiet\">\(Self.grouped(Int(more))) more</p>" as HTML : nil)
        """
    case "table": return table(entry)
    case "fields":
      guard case .object(let fields)? = entry["fields"] else { return "" }
      let rows: [HTML] = fields.sorted { $0.key < $1.key }.map {
        "<div class=\"kv\"><dt class=\"quiet\" dir=\"auto\">\($0.key)</dt><dd dir=\"auto\">\(Self.text($0.value))</dd></div>"
      }
      return "<dl class=\"results in-pad\">\(rows)</dl>"
    default:
      let text = entry["text"]?.string ?? ""
      guard entry["as"] == "markdown" || entry["as"] == "text" && Self.isMarkdown(text) else {
        return "<p class=\"shown lines\" dir=\"auto\">\(text)</p>"
      }
      return
        "<div class=\"shown prose\" dir=\"auto\">\(HTML(trusted: Errand.html(ofMarkdown: text)))</div>"
    }
  }

  /// Whether a text of several lines has the headings and lists of Markdown.
  private static func isMarkdown(_ text: String) -> Bool {
    let lines = text.split(separator: "\n")
    return lines.count > 1 && lines.contains { $0.hasPrefix("# ") || $0.hasPrefix("## ") }
  }

  private func card(_ card: JSONValue) -> HTML {
    let title = card["title"]?.string ?? ""
    let item = card["ref"]?.string.flatMap { try? reader.item($0) }
    let tile: HTML? = item.map {
      Self.tile(of: $0)
    }
    let shown: HTML =
      item.map { "<a class=\"title\" dir=\"auto\" href=\"\(Self.path($0))\">\(title)</a>" }
      ?? "<span class=\"title\" dir=\"auto\">\(title)</span>"
    let meta: HTML? = card["subtitle"]?.string.map { "<p class=\"meta\"><bdi>\($0)</bdi></p>" }
    return "<li class=\"row\">\(tile)<div>\(shown)\(meta)</div><span class=\"end\"></span></li>\n"
  }

  private func table(_ entry: JSONValue) -> HTML {
    let heads: [HTML] = (entry["columns"]?.array ?? []).map {
      "<th scope=\"col\" dir=\"auto\">\(Self.text($0))</th>"
    }
    let all = entry["rows"]?.array ?? []
    let rows: [HTML] = all.map { row in
      let cells: [HTML] = (row.array ?? []).map { "<td dir=\"auto\">\(Self.text($0))</td>" }
      return "<tr>\(cells)</tr>\n"
    }
    let more = (entry["count"]?.int ?? 0) - Int64(all.count)
    return """
      <div class="results tablebox" tabindex="0" role="region" aria-label="Table"><table><thead><tr>\(heads)</tr></thead>\
      <tbody>\(rows)</tbody></table></div>\
      \(more > 0 ? "<p class=\"quiet\">\(Self.grouped(Int(more))) more rows</p>" as HTML : nil)
      """
  }

  private func progress(_ entry: JSONValue) -> HTML {
    let label = entry["label"]?.string ?? "Progress"
    let done = Self.text(entry["done"])
    let isTime = entry["unit"] == "seconds"
    guard let total = entry["total"], total != .null else {
      return "<p class=\"hint num\">\(label): \(done)\(isTime ? " s" : "")</p>"
    }
    return """
      <div><progress max="\(Self.text(total))" value="\(done)" aria-label="\(label)"></progress>\
      <p class="hint num">\(label): \(done) of \(Self.text(total))\(isTime ? " s" : "")</p></div>
      """
  }

  private func activity(_ entry: JSONValue) -> HTML {
    let bar: HTML? =
      entry["state"] == "active" && entry["total"] != nil && entry["total"] != .null
      ? "<progress max=\"\(Self.text(entry["total"]))\" value=\"\(Self.text(entry["done"]))\" aria-label=\"\(entry["title"]?.string ?? "")\"></progress>"
      : nil
    let detail = entry["detail"]?.string.map { ": \($0)" } ?? ""
    return """
      <div>\(bar)<p class="hint" dir="auto">\(entry["title"]?.string ?? "")\(detail)</p></div>
      """
  }

  private func failure(_ entry: JSONValue) -> HTML {
    let steps = (entry["path"]?.array ?? []).compactMap(\.string).joined(separator: " › ")
    return """
      <div class="notice bad" role="alert">\(HTML.icon("alert"))<div><h2>It failed</h2>\
      <p class="lines" dir="auto">\(entry["message"]?.string ?? "")</p>\
      \(entry["help"]?.string.map { "<p class=\"lines\">\($0)</p>" as HTML })\
      \(steps.isEmpty ? nil : "<p class=\"hint\">In \(steps)</p>" as HTML)\
      <div class="line">\((entry["remedies"]?.array ?? []).map(remedy))</div></div></div>
      """
  }

  /// A remedy of a failure: a button, or a text to copy.
  private func remedy(_ remedy: JSONValue) -> HTML {
    func link(_ path: String, _ title: String) -> HTML {
      "<a class=\"b\" href=\"\(path)\">\(title)</a>"
    }
    let path = formPath
    switch remedy["do"]?.string {
    case "retry":
      return form(
        "\(path)/\(id.pathEncoded)/retry",
        "<button class=\"b\">\(HTML.icon("again"))Try again</button>")
    case "answer": return link(path, "Change what it was given")
    case "open":
      return link("/list/\((remedy["entity"]?.string ?? "").pathEncoded)", "See what there is")
    case "save":
      return link("/run/save?url=\((remedy["url"]?.string ?? "").pathEncoded)", "Save it first")
    case "allow": return allowing ?? ""
    case "secret":
      let secret = remedy["name"]?.string ?? ""
      return form(
        "\(path)/\(id.pathEncoded)/secret", with: ["name": secret],
        """
        <div class="field"><label for="secret">\(secret)</label>\
        <input class="in" id="secret" name="value" type="password" autocomplete="off" required></div>\
        <button class="b main">Save and try again</button>
        """)
    case "command": return "<code>\(remedy["text"]?.string ?? "")</code>"
    case "install": return "<span>Install \(remedy["program"]?.string ?? "")</span>"
    default: return ""
    }
  }

  /// The whole access list of the definition, with a button that grants it.
  private var allowing: HTML? {
    guard let needed = neededAccess else { return nil }
    return """
      <details><summary class="b">\(HTML.icon("shield"))Allow…</summary><div class="stack"><h3>What it may use</h3>\
      <ul>\(Self.accessRows(needed))</ul><p class="hint">It holds until the definition, or one that it runs, changes.</p>\
      \(form(
        "/run/\(name.pathEncoded)/\(id.pathEncoded)/allow", with: ["seen": needed.joined(separator: "\n")],
        "<button class=\"b danger\">Allow all of it and try again</button>"))</div></details>
      """
  }

  /// The access of the definition, wherever it is from; nil if that is unknown or none.
  private var neededAccess: [String]? {
    let needed = (try? errand.definition(name))?.capabilities ?? []
    return needed.isEmpty ? nil : needed
  }

  /// Grants the access that the person has seen.
  package func allow() throws -> JSONValue {
    guard let needed = neededAccess, context.text("seen") == needed.joined(separator: "\n") else {
      throw ErrandError(
        code: "conflict", message: "what `\(name)` may use has changed meanwhile",
        help: "load the page of the run again, and look")
    }
    try errand.allow(name)
    return .null
  }

  /// Saves the secret that the run lacked.
  package func saveSecret() throws -> JSONValue {
    try errand.setSecret(context.field("name") ?? "", to: context.field("value") ?? "")
    return .null
  }
}
