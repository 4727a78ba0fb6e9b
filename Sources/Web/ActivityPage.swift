import ErrandKit

/// The page of activities, jobs, runs and automations, with buttons to control each.
struct ActivityPage: Page {
  let context: PageContext

  func render() throws -> Reply {
    let filter = context.parameter("show") ?? "all"
    let chips = Self.chips(
      "/activity", chosen: filter,
      [
        ("all", "All"), ("waiting", "Waiting"), ("failed", "Failed"),
        ("automations", "Automations"),
      ])
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
      <main class="pane" id="list"><div class="head">\(Self.sidebarLink)<h1>Activity</h1><span class="grow"></span>\(pill())</div><div class="in-pad stack loose">
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
    form(path, "<button class=\"b small\">\(label)</button>")
  }

  private func row(
    _ icon: String, _ title: String, path: String? = nil, sentence: String?, state: String,
    facts: [HTML?], buttons: HTML?
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
      isOver ? "alert" : "clock", job["name"]?.string ?? "",
      sentence: job["error"]?["message"]?.string,
      state: state, facts: ["Job \(number), ", time(job["due"]?.string)],
      buttons: isOver || state == "suspended"
        ? button("/jobs/\(number)/retry", "Retry") : button("/jobs/\(number)/cancel", "Cancel"))
  }

  private func run(_ run: JSONValue) -> HTML {
    let number = run["run"]?.int ?? 0
    let name = run["name"]?.string ?? ""
    let state = run["state"]?.string ?? ""
    let isOpen = ["running", "suspended", "waiting"].contains(state)
    return row(
      "bolt", name, path: "/activity/\(number)", sentence: run["error"]?["message"]?.string,
      state: state,
      facts: ["Run \(number), ", time(run["began"]?.string)],
      buttons: isOpen
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
      "timer", name, path: "/source/\(name.pathEncoded)", sentence: on,
      state: automation["state"]?.string ?? "",
      facts: [last, next],
      buttons: canSwitch
        ? button(
          "/automations/\(name.pathEncoded)/\(isOff ? "on" : "off")", isOff ? "Turn on" : "Turn off"
        )
        : nil)
  }

  /// Retries or cancels a job, ends a run, or turns an automation on or off.
  func submit() throws -> Reply {
    if let name = context["automation"] {
      _ = try errand.setAutomation(name, isEnabled: context["action"] == "on")
      return .redirect("/activity?show=automations")
    }
    switch context["action"] {
    case "retry": _ = try writer().retry(jobs: [number("job")])
    case _ where context["job"] != nil: _ = try writer().cancel(jobs: [number("job")])
    default: try writer().cancel(run: number("run"))
    }
    return .redirect("/activity")
  }
}
