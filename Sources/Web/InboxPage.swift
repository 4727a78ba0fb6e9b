import ErrandKit

/// The page of shares that are not imported yet.
struct InboxPage: Page {
  let context: PageContext

  func render() throws -> Reply {
    let shares = try reader.shares()
    let rows: [HTML] = shares.map { share in
      let name = share["share"]?.string ?? ""
      let state = share["state"]?.string ?? ""
      let reason = share["reason"]?.string
      return """
        <li class="row act"><span class="tile k3" aria-hidden="true">\(HTML.icon(reason == nil ? "clock" : "alert"))</span><div>\
        <b class="title" dir="auto">\(share["what"]?.string ?? name)</b>\
        \(reason.map { "<p class=\"sum\" dir=\"auto\">\($0)</p>" as HTML })\
        <p class="meta"><span class="badge\(reason == nil ? "" : " red")">\(Self.sentenceCase(state))</span>\
        \(share["from"]?.string.map { "<span>\($0)</span>" as HTML })\(time(share["time"]?.string))</p></div>\
        <form method="post" action="/inbox/discard">\(formToken)<input type="hidden" name="share" value="\(name)">\
        <button class="b small bad">Discard</button></form></li>

        """
    }
    return try shell(
      title: "Inbox", kind: "wide", current: "/inbox",
      """
      <main class="pane" id="list"><div class="head">\(Self.sidebarLink)<h1>Inbox</h1>\(shares.isEmpty ? nil : "<span class=\"count num\">\(shares.count)</span>" as HTML)<span class="grow"></span>\
      <form method="post" action="/inbox/take-in">\(formToken)<button class="b">Take in now</button></form></div>
      <div id="now" class="in-pad measure">\(workerNotice(back: "/inbox"))</div>
      <div id="rows">\(shares.isEmpty ? Self.empty("Nothing waits here.", icon: "inbox", next: "<a class=\"b\" href=\"/welcome\">See how to share to it</a>") : "<ol class=\"rows\">\(rows)</ol>" as HTML)</div></main>
      """)
  }

  /// Imports the waiting shares, or discards one.
  func submit() throws -> Reply {
    if context["action"] == "discard" {
      try writer().discard(share: context.field("share") ?? "")
    } else {
      try writer().takeInShares()
    }
    return .redirect("/inbox")
  }
}
