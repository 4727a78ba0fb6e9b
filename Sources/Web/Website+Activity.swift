import ErrandKit

extension Website {
  /// The page of what goes on: runs and jobs, each with what can be done about it.
  func activity() throws -> Reply {
    let runs: [HTML] = try reader.runs(limit: 50).map { run in
      let error = run["error"]?["message"]?.string
      return """
        <tr><td class="num">\(run["run"]?.int ?? 0)</td><td>\(run["name"]?.string ?? "")</td>\
        <td>\(badge(run["state"]?.string ?? ""))</td><td>\(time(run["began"]?.string))</td>\
        <td dir="auto">\(error ?? "")</td></tr>

        """
    }
    let jobs: [HTML] = try reader.jobs().map { job in
      let number = job["job"]?.int ?? job["number"]?.int ?? 0
      let state = job["state"]?.string ?? ""
      let retry: HTML? =
        state == "failed"
        ? "<form method=\"post\" action=\"/jobs/\(number)/retry\">\(formToken)<button class=\"b small\">Retry</button></form>"
        : nil
      return """
        <tr><td class="num">\(number)</td><td>\(job["name"]?.string ?? "")</td><td>\(badge(state))</td>\
        <td>\(time(job["due"]?.string))</td><td>\(retry)</td></tr>

        """
    }
    func table(_ title: String, _ heads: [String], _ rows: [HTML], empty: String) -> HTML {
      let head: [HTML] = heads.map { "<th scope=\"col\">\($0)</th>" }
      let content: HTML =
        rows.isEmpty
        ? "<p class=\"quiet\">\(empty)</p>"
        : "<div class=\"scroll\"><table><thead><tr>\(head)</tr></thead><tbody>\(rows)</tbody></table></div>"
      return "<section class=\"stack section\"><h2>\(title)</h2>\(content)</section>"
    }
    return try shell(
      title: "Activity", kind: "wide", current: "/activity",
      """
      <main class="pane" id="list"><div class="head"><a class="ib only-narrow" href="#side" aria-label="Show the sidebar">\
      \(HTML.icon("side"))</a><h1>Activity</h1></div><div class="in-pad stack loose">
      \(table("Jobs", ["Job", "Name", "State", "Due", ""], jobs, empty: "Nothing waits."))
      \(table("Runs", ["Run", "Name", "State", "Began", ""], runs, empty: "Nothing ran yet."))
      </div></main>
      """)
  }

  private func badge(_ state: String) -> HTML {
    let kind =
      switch state {
      case "failed", "interrupted": " red"
      case "running", "waiting", "suspended": " amber"
      default: ""
      }
    return "<span class=\"badge\(kind)\">\(state)</span>"
  }
}
