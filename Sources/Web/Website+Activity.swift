import ErrandKit

extension Website {
  /// The page of what goes on: activities, jobs, runs and automations, each with what can be done
  /// about it.
  func activity() throws -> Reply {
    let filter = request.parameter("show") ?? "all"
    let chips: [HTML] = [
      ("all", "All"), ("waiting", "Waiting"), ("failed", "Failed"), ("automations", "Automations"),
    ].map { name, title in
      "<a class=\"chip\(name == filter ? " on" : "")\" href=\"/activity\(name == "all" ? "" : "?show=\(name)")\"\(name == filter ? " aria-current=\"true\"" : "" as HTML)>\(title)</a>"
    }
    var rows: [HTML] = []
    if filter != "automations" {
      let jobStates = ["waiting": ["waiting", "running", "suspended"], "failed": ["dead"]][filter]
      rows += try reader.jobs(jobStates ?? ["waiting", "running", "suspended", "dead"]).map(job)
      if filter != "waiting" {
        rows += try reader.runs(failed: filter == "failed", limit: 50).map(run)
      }
    } else {
      rows = try reader.automations().map(automation)
    }
    let list: HTML =
      rows.isEmpty
      ? Self.empty("Nothing is here.", icon: "activity")
      : "<ol class=\"rows flush\">\(rows)</ol>"
    return try shell(
      title: "Activity", kind: "wide", current: "/activity",
      """
      <main class="pane" id="list"><div class="head"><a class="ib only-narrow" href="#side" aria-label="Show the sidebar">\
      \(HTML.icon("side"))</a><h1>Activity</h1><span class="grow"></span>\(pill())</div><div class="in-pad stack loose">
      <div id="now">\(goingOn())</div>
      <section class="stack tight"><h2>Runs and jobs</h2><nav class="line" aria-label="Show">\(chips)</nav>
      <div id="rows">\(list)</div></section>
      </div></main>
      """)
  }

  /// The activities, as cards.
  private func goingOn() -> HTML? {
    let cards: [HTML] = errand.activities.map { activity in
      let title = activity["title"]?.string ?? ""
      let total = activity["total"]?.int
      let done = activity["done"]?.int ?? 0
      let bar: HTML? = total.map {
        "<progress max=\"\(max($0, 1))\" value=\"\(done)\" aria-label=\"\(title)\">\(done)</progress>"
      }
      return """
        <div class="card stack tight"><div class="line no"><span class="tile k1 sm">\(HTML.icon("bolt", isSmall: true))</span>\
        <h3 class="grow" dir="auto">\(title)</h3><span class="badge">\(activity["state"]?.string ?? "")</span></div>\(bar)\
        <div class="line hint"><span class="grow num">\(total.map { "\(Self.grouped(Int(done))) of \(Self.grouped(Int($0)))" } ?? "")</span>\
        <bdi>\(activity["detail"]?.string ?? "")</bdi></div></div>

        """
    }
    return cards.isEmpty ? nil : "<section class=\"stack\"><h2>Going on</h2>\(cards)</section>"
  }

  private func button(_ path: String, _ label: String) -> HTML {
    """
    <form method="post" action="\(path)">\(formToken)<button class="b small">\(label)</button></form>
    """
  }

  private func row(
    _ icon: String, _ title: String, path: String? = nil, _ sentence: String?, _ state: String,
    _ facts: [HTML?], _ buttons: HTML?
  ) -> HTML {
    let name: HTML =
      path.map { "<a class=\"title\" href=\"\($0)\">\(title)</a>" }
      ?? "<b class=\"title\">\(title)</b>"
    return """
      <li class="row act"><span class="tile k2" aria-hidden="true">\(HTML.icon(icon))</span><div>\(name)\
      \(sentence.map { "<p class=\"sum\" dir=\"auto\">\($0)</p>" as HTML })\
      <p class="meta">\(badge(state))<span class="num no">\(facts.compactMap { $0 })</span></p></div>\(buttons)</li>

      """
  }

  private func job(_ job: JSONValue) -> HTML {
    let number = job["job"]?.int ?? 0
    let state = job["state"]?.string ?? ""
    let isOver = ["dead", "cancelled"].contains(state)
    return row(
      isOver ? "alert" : "clock", job["name"]?.string ?? "", job["error"]?["message"]?.string,
      state, ["Job \(number), ", time(job["due"]?.string)],
      isOver || state == "suspended"
        ? button("/jobs/\(number)/retry", "Retry") : button("/jobs/\(number)/cancel", "Cancel"))
  }

  private func run(_ run: JSONValue) -> HTML {
    let number = run["run"]?.int ?? 0
    let name = run["name"]?.string ?? ""
    let state = run["state"]?.string ?? ""
    let isOpen = ["running", "suspended", "waiting"].contains(state)
    return row(
      "bolt", name, path: "/activity/\(number)", run["error"]?["message"]?.string, state,
      ["Run \(number), ", time(run["began"]?.string)],
      isOpen
        ? button("/runs/\(number)/cancel", "Cancel")
        : "<a class=\"b small\" href=\"/run/\(name.pathEncoded)\">Run again</a>")
  }

  private func automation(_ automation: JSONValue) -> HTML {
    let name = automation["name"]?.string ?? ""
    let on = automation["on"]?.array?.compactMap(\.string).joined(separator: "; ") ?? ""
    let isOff = automation["state"] == "off"
    let canSwitch = (try? errand.text(of: name))?.isOwn == true
    let last: HTML? = time(automation["last"]?.string).map { "Last \($0) " }
    let next: HTML? = time(automation["next"]?.string).map { "Next \($0)" }
    return row(
      "timer", name, path: "/source/\(name.pathEncoded)", on, automation["state"]?.string ?? "",
      [last, next],
      canSwitch
        ? button(
          "/automations/\(name.pathEncoded)/\(isOff ? "on" : "off")", isOff ? "Turn on" : "Turn off"
        )
        : nil)
  }

  private func badge(_ state: String) -> HTML {
    let (kind, icon) =
      switch state {
      case "failed", "interrupted", "dead": (" red", "alert")
      case "waiting", "suspended": (" amber", "clock")
      case "done", "finished": (" green", "check")
      case "cancelled", "off": ("", "close")
      default: (" acc", "play")
      }
    return
      "<span class=\"badge\(kind)\">\(HTML.icon(icon, isSmall: true))\(Self.sentenceCase(state))</span>"
  }

  // MARK: A run

  /// The page of a recorded run: its steps as a tree with their times.
  func recorded(_ number: String) throws -> Reply {
    let run = try reader.run(number)
    let name = run["name"]?.string ?? ""
    let error = run["error"]?["message"]?.string
    let failure: HTML? = error.map { text in
      """
      <div class="notice bad">\(HTML.icon("alert"))<div><h2>It failed</h2><p dir="auto">\(text)</p>\
      <div class="line"><a class="b" href="/run/\(name.pathEncoded)">\(HTML.icon("again"))Run again</a></div></div></div>
      """
    }
    let steps = run["steps"]?.array ?? []
    return try shell(
      title: "Run \(number)", kind: "wide", current: "/activity",
      """
      <main class="pane" id="list"><div class="head"><a class="ib" href="/activity" aria-label="Back to activity">\
      \(HTML.icon("left flip"))</a><h1>\(name)</h1><span class="count num">\(number)</span></div>
      <div class="in-pad stack measure"><p class="meta">\(badge(run["state"]?.string ?? ""))\(time(run["began"]?.string))</p>
      \(failure)<h2>Steps</h2>\(steps.isEmpty ? "<p class=\"quiet\">The steps of this run are not recorded.</p>" as HTML : nil)
      <ul class="tree">\(steps.prefix(500).map(recordedStep))</ul></div></main>
      """)
  }

  func recordedStep(_ step: JSONValue) -> HTML {
    let children = step["steps"]?.array ?? []
    let state = step["state"]?.string ?? ""
    let icon = state == "failed" ? "alert" : state == "done" ? "check" : "circle"
    let text = step["error"]?["message"]?.string ?? step["value"].map { Self.text($0) } ?? ""
    return """
      <li><div class="line">\(HTML.icon(icon))<span dir="auto">\(step["name"]?.string ?? "") <span class="quiet">\(text.prefix(120))</span></span>\
      \(step["took"].flatMap(Self.length).map { "<time>\($0)</time>" as HTML })</div>\
      \(children.isEmpty ? nil : "<ul>\(children.prefix(500).map { recordedStep($0) })</ul>" as HTML)</li>

      """
  }

  /// A number of seconds in words: `38 ms`, `1.4 s`, `1 min 12 s`.
  private static func length(_ value: JSONValue) -> String? {
    let seconds: Double
    switch value {
    case .int(let whole): seconds = Double(whole)
    case .double(let part): seconds = part
    default: return nil
    }
    if seconds < 1 { return "\(Int(seconds * 1000)) ms" }
    if seconds < 60 { return "\(Double(Int(seconds * 10)) / 10) s" }
    return "\(Int(seconds) / 60) min \(Int(seconds) % 60) s"
  }

  // MARK: Changes

  /// Turns one of the person's automations on or off.
  func switchAutomation(_ name: String, on: Bool) throws -> Reply {
    _ = try errand.setAutomation(name, isEnabled: on)
    return .redirect("/activity?show=automations")
  }
}
