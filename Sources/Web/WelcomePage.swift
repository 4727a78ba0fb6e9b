import ErrandKit

/// The beginning of a library: import, the extension, a phone, and three things to try.
struct WelcomePage: Page {
  let context: PageContext

  func render() throws -> Reply { try render(at: "/welcome") }

  /// Renders the page in place of another.
  func render(at path: String) throws -> Reply {
    try shell(
      title: "Welcome", kind: "wide", current: path,
      """
      <main class="pane" id="list"><div class="head">\(Self.sidebarLink)<h1>Welcome</h1></div>\
      <div class="in-pad measure mid">\(Welcome(context: context).html)</div></main>
      """)
  }
}

/// The ways in which a library begins.
struct Welcome: PagePart {
  let context: PageContext

  /// Whether nothing is in the library yet.
  var isNeeded: Bool {
    errand.definitions.allSatisfy { definition in
      definition.kind != "entity" || ["Counter", "File"].contains(definition.name)
        || ((try? reader.find(definition.name, limit: 1))?.isEmpty ?? true)
    }
  }

  var html: HTML {
    let phone: HTML =
      context.devices.address == nil
      ? "Once this page is served by https, a phone signs in with a code. <a href=\"/settings#devices\">What it needs</a>"
      : "It signs in with a code to scan. <a href=\"/settings#devices\">Sign in a phone</a>"
    return """
      <div class="stack loose"><section class="stack"><h2>Bring what you have</h2>\(ImportForm(context: context).html())\
      <p class="hint">Bookmarks of every browser and most services, calendars, feeds and tables. One change, which can be undone.</p></section>
      <section class="stack"><h2>Save from anywhere</h2><ul>\
      <li class="kv lead">\(HTML.icon("extension"))<div>Browser extension<p class="hint">Saves the page you are on, with its tags. <code>errand browser install</code> in a terminal sets it up.</p></div></li>\
      <li class="kv lead">\(HTML.icon("device"))<div>Phone<p class="hint">\(phone)</p></div></li></ul></section>
      <section class="stack"><h2>Three things to try</h2><ol class="cards">\
      \(card("link", "Save a link", "Its title, text and picture are fetched.", "/run/save"))\
      \(card("task", "Say a task", "Such as: call Ada on friday.", "/list/Task"))\
      \(card("bolt", "Run a shortcut", "Look through what comes with Errand.", "/gallery"))</ol></section></div>
      """
  }

  private func card(_ icon: String, _ title: String, _ text: String, _ path: String) -> HTML {
    """
    <li class="card act-card"><span class="tile k1">\(HTML.icon(icon))</span><h3><a href="\(path)">\(title)</a></h3><p>\(text)</p></li>
    """
  }
}
