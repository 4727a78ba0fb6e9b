import ErrandKit

/// The page of settings.
struct SettingsPage: Page {
  let context: PageContext

  /// Renders the page; a reloaded form address redirects to it.
  func render() throws -> Reply {
    switch context["action"] {
    case nil: try render(notice: nil)
    case "assistants": try assistants()
    default: .redirect("/settings")
    }
  }

  func render(
    notice: HTML? = nil, status: Int = 200, problem: (name: String, text: String)? = nil
  ) throws -> Reply {
    let names = [
      ("General", "general"), ("Your data", "data"), ("Access", "access"),
      ("Notifications", "notifications"), ("Runs", "runs"), ("Hub", "hub"), ("Doctor", "doctor"),
      ("Storage", "storage"), ("Terminal", "terminal"),
    ]
    let chips: [HTML] = names.map { "<a class=\"chip\" href=\"#\($1)\">\($0)</a>" }
    func section(_ subject: SettingRow.Subject, _ title: String, _ more: HTML? = nil) -> HTML {
      """
      <section class="section" id="\(subject.rawValue)"><h2>\(title)</h2>\(rows(subject, problem))\(more)</section>

      """
    }
    return try shell(
      title: "Settings", kind: "wide", current: "/settings", status: problem == nil ? status : 422,
      """
      <main class="pane" id="list"><div class="head">\(Self.sidebarLink)<h1 class="grow">Settings</h1></div>
      <div class="in-pad stack loose measure mid"><nav class="line" aria-label="Sections">\(chips)</nav>\(notice)
      \(section(.general, "General"))\(data)
      \(section(.access, "Access", access()))\(try devices())\(try tokens())
      \(notifications(rows(.notifications, problem)))\(section(.runs, "Runs"))\(try hub())
      <section class="section" id="doctor"><h2>Doctor</h2><div class="cut" id="doctor-result">\
      <form class="line" method="post" action="/settings/doctor">\(formToken)<button class="b">Look at everything</button>\
      <button class="b" name="repair" value="1">Repair what can be repaired</button></form></div></section>
      \(storage())\(section(.terminal, "Terminal"))</div></main>
      """)
  }

  private func rows(
    _ subject: SettingRow.Subject, _ problem: (name: String, text: String)?
  ) -> [HTML] {
    let known = Dictionary(errand.settings.map { ($0.name, $0) }) { first, _ in first }
    return SettingRow.all.filter { $0.subject == subject }.compactMap { row in
      known[row.setting.rawValue].map {
        setting($0, row, problem?.name == $0.name ? problem?.text : nil)
      }
    }
  }

  private func setting(_ setting: Errand.Setting, _ row: SettingRow, _ problem: String?) -> HTML {
    let name = setting.name
    let isFixed = setting.origin == .environment
    let hint = isFixed ? "Set by a variable of the environment" : row.hint
    let choices = row.setting.choices
    if choices == ["on", "off"], !isFixed {
      let isOn = setting.value == "on"
      return """
        <div class="kv"><div>\(row.title)<p class="hint">\(hint)</p></div>\
        \(switched("/settings/set", row.title, isOn: isOn, with: ["name": name, "value": isOn ? "off" : "on"]))</div>

        """
    }
    let value = problem == nil ? setting.value : context.field("value") ?? setting.value
    let disabled: HTML = isFixed ? " disabled" : ""
    let mistaken: HTML =
      problem == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"\(name)-e\""
    let control: HTML
    if choices.isEmpty {
      control =
        "<input class=\"in\" id=\"s-\(name)\" name=\"value\" value=\"\(value)\"\(disabled)\(mistaken)>"
    } else {
      let options: [HTML] = choices.map {
        "<option value=\"\($0)\"\($0 == value ? " selected" : "" as HTML)>\(row.values[$0] ?? Self.sentenceCase($0))</option>"
      }
      control =
        "<select class=\"in\" id=\"s-\(name)\" name=\"value\"\(disabled) data-send>\(options)</select>"
    }
    return """
      <form class="kv wrap" method="post" action="/settings/set">\(formToken)<input type="hidden" name="name" value="\(name)">\
      <label for="s-\(name)">\(row.title)<span class="hint">\(hint)</span></label>\
      <span class="line no">\(control)\(isFixed ? nil : "<button class=\"b small save\" aria-label=\"Save: \(row.title)\">Save</button>" as HTML)</span>\
      \(problem.map { "<p class=\"err full\" id=\"\(name)-e\">\(HTML.icon("alert", isSmall: true))\($0)</p>" as HTML })</form>

      """
  }

  /// Import, export and backup.
  private var data: HTML {
    let formats: [HTML] = [
      ("netscape", "Bookmarks for a browser (HTML)"),
      ("jsonl", "Everything, for Errand (JSON Lines)"),
      ("csv", "A table (CSV)"), ("markdown", "Notes (Markdown)"), ("opml", "An outline (OPML)"),
      ("ical", "A calendar (iCalendar)"),
    ].map { "<option value=\"\($0)\">\($1)</option>" }
    return """
      <section class="section" id="data"><h2>Your data</h2>\
      <div class="kv"><div>Import<p class="hint">Bookmarks of browsers and services, feeds, calendars, tables</p></div><a class="b" href="/import">Import a file</a></div>
      <form class="kv wrap" action="/export" target="_self"><label for="export-to">Export<span class="hint">Private links are only in the file for Errand</span></label>\
      <span class="line no"><select class="in" id="export-to" name="to">\(formats)</select><button class="b">\(HTML.icon("download", isSmall: true))Export</button></span></form>
      <form class="kv" method="post" action="/settings/storage">\(formToken)<div>Backup<p class="hint">A copy of the whole library, on this machine</p></div>\
      <button class="b" name="do" value="backup">Back up now</button></form></section>

      """
  }

  /// The choice of what assistants may run, in the section of what others may do.
  private func access() -> HTML {
    let tools = errand.assistantTools()
    return """
      <div class="kv"><div>Assistants may run<p class="hint">\(tools.count { $0.isAllowed }) of \(tools.count); what cannot be undone is always asked</p></div>\
      <a class="b" href="/settings/assistants">Choose</a></div>
      """
  }

  /// The page of what assistants may run.
  private func assistants() throws -> Reply {
    let rows: [HTML] = errand.assistantTools().map { tool in
      let name = tool.definition.summary.name
      return """
        <li class="kv"><div><b>\(tool.definition.title)</b><p class="hint">\(tool.definition.summary.description)</p></div>\
        \(switched("/settings/assistant", tool.definition.title, isOn: tool.isAllowed, with: ["name": name, "allowed": tool.isAllowed ? "no" : "yes"]))</li>

        """
    }
    return try shell(
      title: "Assistants", kind: "wide", current: "/settings",
      """
      <main class="pane" id="list"><div class="head"><a class="ib" href="/settings#access" aria-label="Back to the settings">\
      \(HTML.icon("left flip"))</a><h1>Assistants may run</h1></div>
      <div class="in-pad stack measure mid"><p class="hint">What cannot be undone is always asked.</p><ul>\(rows)</ul></div></main>
      """)
  }

  private func tokens() throws -> HTML {
    let entries = try context.tokenAccess.list()
    let rows: [HTML] = entries.map { token in
      let end =
        token.expires.flatMap { Day(Errand.day(atSecond: $0)) }.flatMap { day in
          Day(context.today).map { "ends \(day.words(from: $0))" }
        } ?? "does not end"
      return """
        <li class="kv"><div><b dir="auto">\(token.name)</b> <span class="badge\(token.isValid ? "" : " amber")">\
        \(token.isValid ? Self.sentenceCase(token.scope) : "Ended")</span><p class="hint">\(end)</p></div>\
        <form method="post" action="/settings/revoke">\(formToken)<input type="hidden" name="name" value="\(token.name)">\
        <button class="b bad">Revoke</button></form></li>

        """
    }
    let scopes: [HTML] = ["read", "share", "calendar", "all"].map { "<option>\($0)</option>" }
    return """
      <section class="section" id="tokens"><h2>Tokens of programs</h2>\(rows.isEmpty ? "<p class=\"hint cut\">No program has one.</p>" as HTML : "<ul>\(rows)</ul>")\
      <form class="line cut" method="post" action="/settings/token">\(formToken)<label class="sr" for="token-name">Name of the token</label>\
      <input class="in" id="token-name" name="name" placeholder="Phone" required><label class="sr" for="token-scope">It may</label>\
      <select class="in" id="token-scope" name="scope">\(scopes)</select><label class="sr" for="token-days">Days</label>\
      <input class="in" id="token-days" name="days" type="number" min="1" value="90" size="4"><span class="hint">days</span>\
      <button class="b">\(HTML.icon("plus"))New token</button></form></section>

      """
  }

  private func storage() -> HTML {
    guard let sizes = try? errand.storageSizes() else { return "" }
    let total = sizes.reduce(0) { $0 + $1.bytes }
    let facts: [HTML] = sizes.enumerated().map { index, size in
      "<dt><i class=\"dot u\(index % 4 + 1)\"></i>\(size.title)</dt><dd>\(Self.megabytes(size.bytes))</dd>"
    }
    var start = 0
    let bars: [HTML] = sizes.enumerated().map { index, size in
      let width = total == 0 ? 0 : max(size.bytes * 300 / total, size.bytes > 0 ? 2 : 0)
      defer { start += width }
      return "<rect class=\"u\(index % 4 + 1)\" x=\"\(start)\" width=\"\(width)\" height=\"8\"/>"
    }
    return """
      <section class="section" id="storage"><h2>Storage</h2><div class="cut stack tight">\
      <svg class="use" viewBox="0 0 300 8" preserveAspectRatio="none" role="img" aria-label="\(Self.megabytes(total)) in all">\(bars)</svg>\
      <dl class="facts num">\(facts)</dl><form class="line" method="post" action="/settings/storage">\(formToken)\
      <button class="b" name="do" value="vacuum">Make the library small</button></form></div></section>
      """
  }

  private static func megabytes(_ bytes: Int) -> String {
    bytes < 1 << 20 ? "\((bytes + 1023) >> 10) KB" : "\(grouped((bytes + (1 << 19)) >> 20)) MB"
  }

  // MARK: Changes

  /// The time limit of a command that reads the whole library.
  private static let commandLimit = Duration.seconds(120)

  static func notice(_ kind: String, icon: String, title: String, _ text: HTML) -> HTML {
    """
    <div class="notice \(kind)" role="status">\(HTML.icon(icon))<div class="grow"><h3>\(title)</h3>\(text)</div></div>
    """
  }

  /// Processes one of the forms.
  func submit() throws -> Reply {
    let name = context.field("name") ?? ""
    switch context["action"] {
    case "set":
      let value = context.field("value") ?? ""
      do { try errand.set(name, to: value.isEmpty ? nil : value) } catch {
        return try render(problem: (name, Self.sentence(error)))
      }
      let subject = SettingRow.all.first { $0.setting.rawValue == name }?.subject ?? .general
      return .redirect("/settings#\(subject.rawValue)")
    case "assistant":
      try errand.setAssistantAccess(to: [name], allowed: context.field("allowed") == "yes")
      return .redirect("/settings/assistants")
    case "revoke":
      try context.tokenAccess.revoke(name)
      return .redirect("/settings#tokens")
    case "token":
      let secret = try context.tokenAccess.create(
        name, context.field("scope") ?? "read", context.field("days").flatMap { Int64($0) })
      return try render(
        notice: Self.notice(
          "good", icon: "key", title: "New token for \(name)",
          """
          <p>It is shown this once. Only its fingerprint is kept.</p><div class="line no"><code class="in code" tabindex="0">\(secret)</code>\
          <button class="ib" type="button" aria-label="Copy the token" data-copy-text="\(secret)">\(HTML.icon("copy"))</button></div>
          """))
    case "push-key": return try pushKey()
    case "push", "push-remove", "push-test": return try changePush(context["action"] ?? "")
    case "worker":
      try errand.set("worker", to: "on")
      return .redirect(back ?? "/settings")
    case "invite", "device", "sign-out": return try changeDevices(context["action"] ?? "")
    case "sync": return try sync()
    case "conflict": return try settleConflict()
    case "doctor":
      let words = ["doctor", "--json"] + (context.field("repair") == nil ? [] : ["--repair"])
      return try render(notice: doctor(errand.result(of: words, within: Self.commandLimit)))
    case "storage":
      let isBackup = context.field("do") == "backup"
      let result = try errand.result(
        of: isBackup ? ["backup", "--json"] : ["vacuum", "--json"], within: Self.commandLimit)
      let path = result["path"]?.string ?? result["file"]?.string
      return try render(
        notice: Self.notice(
          "good", icon: "check",
          title: isBackup ? "The library is backed up" : "The library is small",
          "<p>\(path ?? "")</p>"))
    default: throw ErrandError.missingPage(context["action"] ?? "")
    }
  }

  /// The findings of the doctor in words.
  private func doctor(_ report: JSONValue) -> HTML {
    let problems = report["problems"]?.array ?? []
    let lines: [HTML] = problems.map { "<li>\($0["message"]?.string ?? Self.text($0))</li>" }
    let mended = report["mended"]?.array?.count ?? 0
    let done: HTML? = mended > 0 ? "<p>\(mended) repaired.</p>" : nil
    return report["ok"] == true
      ? Self.notice(
        "good", icon: "check", title: "The library is sound",
        "<p>\(Int(report["definitions"]?["count"]?.int ?? 0)) definitions and all searches agree.</p>\(done)"
      )
      : Self.notice("warn", icon: "alert", title: "Something is wrong", "\(done)<ul>\(lines)</ul>")
  }
}
