import ErrandKit

/// The page of activities, jobs and runs, with the automations beside them, and buttons to control
/// each.
struct ActivityPage: Page {
  let context: PageContext

  /// The states of jobs that are not over, and of those that wait.
  private static let openStates = ["waiting", "running", "suspended", "dead"]
  /// The largest number of rows of each kind.
  private static let limit = 50

  func render() throws -> Reply {
    let filter = context.parameter("show") ?? "all"
    let queue = try reader.queue()
    let chips = Self.chips(
      "/activity", chosen: filter,
      [("all", "All"), ("waiting", "Waiting"), ("failed", "Failed")])
    let states = ["waiting": ["waiting", "running", "suspended"], "failed": ["dead"]][filter]
    var rows = try jobs(states ?? Self.openStates, queue)
    if filter != "waiting" {
      rows += try reader.runs(failed: filter == "failed", limit: Self.limit).map(run)
    }
    let list: HTML =
      rows.isEmpty
      ? Self.empty(
        filter == "all" ? "Nothing has run yet." : "Nothing is here.", icon: "activity",
        next: "<a class=\"b\" href=\"/gallery\">Run something</a>")
      : "<ol class=\"rows flush\">\(rows)</ol>"
    return try shell(
      title: "Activity", kind: "pair", current: "/activity",
      """
      <main class="pane" id="list"><div class="head">\(Self.sidebarLink)<h1>Activity</h1><span class="grow"></span>\(pill())</div><div class="in-pad stack loose">
      <div id="now" class="stack">\(workerNotice(back: "/activity"))\(goingOn())</div>
      <section class="stack tight"><h2>Runs and jobs</h2><nav class="line" aria-label="Show">\(chips)</nav>
      <div id="rows">\(list)</div></section>
      </div></main>
      <aside class="pane" id="automations" aria-labelledby="automations-h"><div class="head"><h2 class="h1 grow" id="automations-h">Automations</h2>\
      <a class="ib" href="/make/automation" aria-label="New automation">\(HTML.icon("plus"))</a></div>
      <div class="in-pad stack" id="beside">\(try automations())\(work(queue))</div></aside>
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

  private func button(
    _ path: String, _ label: String, with fields: KeyValuePairs<String, String> = [:]
  )
    -> HTML
  {
    form(path, with: fields, "<button class=\"b small\">\(label)</button>")
  }

  private func row(
    _ icon: String, _ title: String, path: String? = nil, sentence: String?, state: String,
    facts: [HTML?], buttons: HTML?
  ) -> HTML {
    let name: HTML =
      path.map { "<a class=\"title\" dir=\"auto\" href=\"\($0)\">\(title)</a>" }
      ?? "<b class=\"title\" dir=\"auto\">\(title)</b>"
    return """
      <li class="row act"><span class="tile k2" aria-hidden="true">\(HTML.icon(icon))</span><div>\(name)\
      \(sentence.map { "<p class=\"sum\" dir=\"auto\">\($0)</p>" as HTML })\
      <p class="meta">\(badge(state))<span class="num no">\(facts.compactMap { $0 })</span></p></div>\(buttons)</li>

      """
  }

  /// The title of a definition, or its name if there is none.
  private func title(_ name: String) -> String { (try? errand.definition(name).title) ?? name }

  // MARK: Jobs

  /// The jobs of some states; those of one name and state are one row.
  private func jobs(_ states: [String], _ queue: JSONValue) throws -> [HTML] {
    let all = try reader.jobs(states, limit: Self.limit)
    var groups: [(name: String, state: String, jobs: [JSONValue])] = []
    for job in all {
      let (name, state) = (job["name"]?.string ?? "", job["state"]?.string ?? "")
      if let index = groups.firstIndex(where: { $0.name == name && $0.state == state }) {
        groups[index].jobs.append(job)
      } else {
        groups.append((name, state, [job]))
      }
    }
    return groups.map { name, state, jobs in
      if jobs.count == 1, let job = jobs.first { return self.job(job) }
      let open = queue["names"]?.array?.first { $0["name"]?.string == name }?["open"]?.int ?? 0
      // Of a cut list, only the whole number is known.
      let count = all.count < Self.limit ? jobs.count : max(jobs.count, Int(open))
      let isOver = state == "dead"
      let fields: KeyValuePairs = ["name": name, "state": state]
      return row(
        isOver ? "alert" : "clock", title(name),
        sentence: jobs.lazy.compactMap { Self.reason($0) }.first, state: state,
        facts: ["\(Self.grouped(count)) jobs"],
        buttons: isOver || state == "suspended"
          ? button("/queue/retry", "Retry \(Self.grouped(count))", with: fields)
          : state == "waiting"
            ? button("/queue/cancel", "Cancel \(Self.grouped(count))", with: fields) : nil)
    }
  }

  private func job(_ job: JSONValue) -> HTML {
    let number = job["job"]?.int ?? 0
    let state = job["state"]?.string ?? ""
    let isOver = ["dead", "cancelled"].contains(state)
    return row(
      isOver ? "alert" : "clock", title(job["name"]?.string ?? ""), sentence: Self.reason(job),
      state: state, facts: ["Job \(number), ", time(job["due"]?.string)],
      buttons: isOver || state == "suspended"
        ? button("/jobs/\(number)/retry", "Retry") : button("/jobs/\(number)/cancel", "Cancel"))
  }

  /// The reason why a job failed last or waits, as far as it is known.
  private static func reason(_ job: JSONValue) -> String? {
    if let message = job["error"]?["message"]?.string { return message }
    guard job["state"] == "waiting" else { return nil }
    let words = [
      "network": "the network is there", "power": "this machine is on mains power",
      "idle": "nobody uses this machine", "vault": "the vault is open",
    ]
    let needed = (job["requires"]?.array ?? []).compactMap(\.string)
    return needed.isEmpty
      ? nil : "Starts when \(needed.map { words[$0] ?? $0 }.joined(separator: " and "))."
  }

  private func run(_ run: JSONValue) -> HTML {
    let number = run["run"]?.int ?? 0
    let name = run["name"]?.string ?? ""
    let state = run["state"]?.string ?? ""
    let isOpen = ["running", "suspended", "waiting"].contains(state)
    return row(
      "bolt", title(name), path: "/activity/\(number)",
      sentence: run["error"]?["message"]?.string,
      state: state,
      facts: ["Run \(number), ", time(run["began"]?.string)],
      buttons: isOpen
        ? button("/runs/\(number)/cancel", "Cancel")
        : "<a class=\"b small\" href=\"/run/\(name.pathEncoded)\">Run again</a>")
  }

  // MARK: Automations

  private func automations() throws -> HTML {
    let all = try reader.automations()
    if all.isEmpty {
      return Self.empty(
        "No automation yet.", icon: "timer",
        next: "<a class=\"b\" href=\"/make/automation\">Make one</a>")
    }
    return "<ul>\(all.map(automation))</ul>"
  }

  private func automation(_ automation: JSONValue) -> HTML {
    let name = automation["name"]?.string ?? ""
    let path = name.pathEncoded
    let state = automation["state"]?.string ?? ""
    let isOn = state != "off"
    let triggers: [HTML] = (automation["on"]?.array?.compactMap(\.string) ?? []).map {
      let words = TriggerWords($0)
      return
        "<span class=\"meta\">\(HTML.icon(words.icon, isSmall: true))<span dir=\"auto\">\(words.text)</span></span>"
    }
    let isFailed = state == "dead" || state.hasPrefix("needs") || state.hasPrefix("has mistakes")
    let note: HTML? =
      isFailed
      ? "<span class=\"red\">\(HTML.icon("alert", isSmall: true))\(state == "dead" ? "It failed" : Self.sentenceCase(state))</span> "
      : nil
    let times: [HTML] = [
      time(automation["next"]?.string).map { "Next: \($0)" },
      time(automation["last"]?.string).map { "Last: \($0)" },
    ].compactMap { $0 }
    let facts = times.enumerated().map { "\($0 > 0 ? ", " : "")\($1)" as HTML }
    let canSwitch = (try? errand.text(of: name))?.isOwn == true
    return """
      <li class="kv"><div><a class="ink" href="/source/\(path)"><b dir="auto">\(title(name))</b></a>\(triggers)</div>\
      \(canSwitch ? switched("/automations/\(path)/\(isOn ? "off" : "on")", title(name), isOn: isOn) : nil)\
      <span class="hint num">\(note)\(isOn ? facts : ["Off"])</span></li>

      """
  }

  /// The line about the work of the last day.
  private func work(_ queue: JSONValue) -> HTML? {
    let workers = queue["workers"]?.array?.count ?? 0
    guard workers > 0 else { return nil }
    let done = Int(queue["doneInADay"]?.int ?? 0)
    let failed = Int(queue["givenUpInADay"]?.int ?? 0)
    return """
      <div class="notice">\(HTML.icon("robot"))<div><h3>\(workers == 1 ? "A worker is there" : "\(workers) workers are there")</h3>\
      <p class="num">\(Self.grouped(done)) jobs done in a day\(failed > 0 ? ", \(Self.grouped(failed)) given up" : "").</p></div></div>
      """
  }

  /// Retries or cancels jobs, ends a run, or turns an automation on or off.
  func submit() throws -> Reply {
    if let name = context["automation"] {
      _ = try errand.setAutomation(name, isEnabled: context["action"] == "on")
      return .redirect("/activity#automations")
    }
    let isRetry = context["action"] == "retry"
    if context.path.first == "runs" {
      try writer().cancel(run: number("run"))
    } else {
      let jobs =
        context["job"] != nil
        ? [try number("job")]
        : try reader.jobs(
          [context.field("state") ?? ""], of: context.field("name"), limit: Self.largestGroup
        ).compactMap { $0["job"]?.int }
      _ = try isRetry ? writer().retry(jobs: jobs) : writer().cancel(jobs: jobs)
    }
    return .redirect("/activity")
  }

  /// The largest number of jobs that one button acts on.
  private static let largestGroup = 100_000
}
