import ErrandKit

/// The bar that acts on the selected rows of a list.
struct BulkBar: PagePart {
  let context: PageContext
  let view: ListView
  /// The number of items of the list; nil if it is not known.
  let total: Int?

  /// The states that items can be given, by entity: the name of the action, its label and icon.
  private var states: [(String, String, String)] {
    switch view.list.entity {
    case "Link":
      [
        ("unread", "To read", "read"), ("read", "Read", "check"), ("plain", "Not to read", "minus"),
        ("favourite", "Favourite", "star-on"), ("unfavourite", "No favourite", "star"),
        ("pin", "Pin", "tack"), ("unpin", "Unpin", "tack"),
      ]
    case "Task":
      [("undone", "Open again", "circle"), ("pin", "Pin", "tack"), ("unpin", "Unpin", "tack")]
    case "Note": [("pin", "Pin", "tack"), ("unpin", "Unpin", "tack")]
    default: []
    }
  }

  /// The action that is used most.
  private var first: (String, String, String)? {
    switch view.list.entity {
    case "Link":
      view.list.path == "/list/archive"
        ? ("plain", "Take out", "archive") : ("archive", "Archive", "archive")
    case "Task": ("done", "Done", "check")
    default: nil
    }
  }

  func html() -> HTML {
    func button(_ action: (String, String, String), _ kind: String) -> HTML {
      "<button class=\"\(kind)\" name=\"do\" value=\"\(action.0)\">\(HTML.icon(action.2, isSmall: true))\(action.1)</button>"
    }
    let main: HTML? = first.map { name, label, icon in
      """
      <button class="b small" name="do" value="\(name)" aria-label="\(label)">\(HTML.icon(icon, isSmall: true))<span class="roomy">\(label)</span></button>
      """
    }
    let entity = view.list.entity
    let tagging: HTML? =
      ["Link", "Task", "Note"].contains(entity)
      ? """
      <details class="drop up"><summary class="ib" aria-label="Tags" title="Tags">\(HTML.icon("tag"))</summary><div class="menu"><div class="stack tight">\
      <label class="label" for="bulk-tag">Tag</label>\
      <input class="in" id="bulk-tag" name="tag" data-tags="many" autocomplete="off" dir="auto">\
      <span class="line no"><button class="b" name="do" value="tag">Add tag</button>\
      <button class="b" name="do" value="untag">Remove tag</button></span></div></div></details>
      """ : nil
    return """
      <form class="bulk line no" id="bulk" method="post" action="/bulk" aria-label="Selected">\(formToken)\
      <input type="hidden" name="back" value="\(view.saved)">\
      <input type="hidden" name="entity" value="\(entity)">\
      <input type="hidden" name="condition" value="\(view.condition ?? "")">\
      <input type="hidden" name="words" value="\(view.words ?? "")">\
      <span id="chosen" role="status" data-total="\(total ?? 0)">Choose rows</span><span class="grow"></span>\
      <label class="line no"><input class="box" type="checkbox" name="all" value="1" id="all">All \(total.map(Self.grouped) ?? "")</label>\
      \(tagging)\(main)\
      <details class="drop up end"><summary class="ib" aria-label="More" title="More">\(HTML.icon("more"))</summary><div class="menu">\
      \(states.map { button($0, "act") })\(button(("delete", "Delete", "trash"), "red"))</div></details></form>
      """
  }
}
