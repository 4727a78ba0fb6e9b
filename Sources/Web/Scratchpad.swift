import ErrandKit

/// The pane of the scratchpad, and its form.
struct Scratchpad: Page {
  let context: PageContext

  /// The first line of the note that is the scratchpad.
  private static let padTitle = "Scratchpad"

  /// The scratchpad: the newest note whose first line is `Scratchpad`; nil if there is none yet.
  private func pad() throws -> ItemSnapshot? {
    try reader.find(
      "Note", where: "self.text == 'Scratchpad' || self.text.startsWith('Scratchpad\\n')", limit: 1
    ).first
  }

  private static func padText(_ note: ItemSnapshot?) -> String {
    let text = note?["text"]?.string ?? padTitle
    return String(text.dropFirst(padTitle.count).drop { $0 == "\n" || $0 == "\r\n" })
  }

  func html() throws -> HTML {
    let note = try pad()
    return """
      <section class="pane" aria-labelledby="pad-h" id="pad-pane"><div class="head"><h2 class="grow h1" id="pad-h">Scratchpad</h2>\
      <span class="hint line" id="pad-state" role="status"></span></div>
      <form class="in-pad stack" method="post" action="/pad" id="pad-form">\(formToken)\
      <input type="hidden" name="version" value="\(note?.version ?? "")">\
      <label class="sr" for="pad">Scratchpad</label>\
      <textarea class="pad" id="pad" name="text" dir="auto" placeholder="Write here">\n\(Self.padText(note))</textarea>\
      <div class="line"><button class="b" id="pad-save">Save</button></div></form></section>
      """
  }

  /// Saves the scratchpad; text saved elsewhere in the meantime is appended.
  func submit() throws -> Reply {
    let text = context.text("text")
    let isScript = context.field("script") != nil
    let version = context.field("version") ?? ""
    let note = try pad()
    guard let note else {
      let change = try writer().create("Note", ["text": .string(Self.padTitle + "\n" + text)])
      return answer(change.items.first, merged: nil, isScript)
    }
    var kept = text
    if note.version != version, Self.padText(note) != text {
      kept = text + "\n\n— Changed elsewhere —\n" + Self.padText(note)
    }
    let current = note.version
    let change = try writer().update(
      [note.reference], set: ["text": .string(Self.padTitle + "\n" + kept)],
      expecting: { item in
        if item.version != current {
          throw ErrandError(code: "conflict", message: "the scratchpad was changed meanwhile")
        }
      })
    return answer(change.items.first, merged: kept == text ? nil : kept, isScript)
  }

  private func answer(_ note: ItemSnapshot?, merged: String?, _ isScript: Bool) -> Reply {
    guard isScript else { return .redirect("/list/Task") }
    return .json([
      "version": .string(note?.version ?? ""), "text": merged.map(JSONValue.string) ?? .null,
    ])
  }
}
