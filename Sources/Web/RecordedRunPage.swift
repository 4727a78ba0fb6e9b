import ErrandKit

/// The page of a recorded run: its steps as a tree with their times.
struct RecordedRunPage: Page {
  let context: PageContext

  func render() throws -> Reply {
    let number = context["run"] ?? ""
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
}

extension PagePart {
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
}
