import ErrandKit

/// The open question of a run: a form with the control of its type.
struct RunQuestion: PagePart {
  let context: PageContext
  let question: JSONValue

  /// The form, sent to an address.
  func html(action path: String) -> HTML {
    let kind = question["form"]?.string ?? "ask"
    let control = question["control"]?.string ?? "line"
    let isList = kind == "ask" && control == "many-of"
    let problem: HTML? = question["problem"]?.string.map {
      "<p class=\"err\" id=\"problem\" role=\"alert\">\($0)</p>"
    }
    return """
      <form class="ask" method="post" action="\(path)" aria-labelledby="ask-q"\(control == "file" ? Self.multipart : nil)>\(formToken)\
      <input type="hidden" name="number" value="\(question["question"]?.int ?? 0)">\
      <input type="hidden" name="kind" value="\(isList ? "list" : kind)">\
      <input type="hidden" name="many" value="\(question["many"] == true ? "true" : "false")">
      <p id="ask-q" class="lines" dir="auto"><b>\(question["prompt"]?.string ?? "")</b></p>\
      \(self.control(control, kind))\(problem)</form>
      """
  }

  /// The number of choices up to which each is a button.
  private static let buttonLimit = 6

  private func control(_ control: String, _ kind: String) -> HTML {
    let send: HTML = "<div class=\"line\"><button class=\"b main\">Answer</button></div>"
    switch (kind, control) {
    case ("confirm", _):
      let isDanger = question["danger"] == true
      return """
        <div class="line"><button class="b \(isDanger ? "danger" : "main")" name="answer" value="true"\
        \(isDanger ? "" : " autofocus" as HTML)>Yes</button>\
        <button class="b" name="answer" value="false"\(isDanger ? " autofocus" : "" as HTML)>No</button></div>
        """
    case ("choose", _):
      let choices = (question["choices"]?.array ?? []).map { choice in
        (
          value: Self.text(choice["number"]), title: choice["title"]?.string ?? "",
          detail: choice["subtitle"]?.string
        )
      }
      return self.choices(choices, isMany: question["many"] == true, chosen: [])
    case (_, "switch"):
      let preset = question["default"]?.string
      return self.choices(
        [("true", "Yes", nil), ("false", "No", nil)], isMany: false,
        chosen: preset.map { [$0] } ?? [])
    case (_, "one-of"), (_, "many-of"):
      let values = question["values"]?.array ?? question["suggestions"]?.array ?? []
      let chosen = (question["default"]?.string ?? "").split(separator: ",").map { part in
        String(part.drop { $0 == " " })
      }
      return self.choices(
        values.compactMap(\.string).map { ($0, $0, nil) }, isMany: control == "many-of",
        chosen: chosen)
    default: return "\(input(control))\(send)"
    }
  }

  /// Choices as buttons if there are few, else as a list with boxes.
  private func choices(
    _ choices: [(value: String, title: String, detail: String?)], isMany: Bool, chosen: [String]
  ) -> HTML {
    let isShort = choices.count <= Self.buttonLimit && choices.allSatisfy { $0.detail == nil }
    if !isMany, isShort {
      let focused = chosen.first ?? choices.first?.value
      let buttons: [HTML] = choices.map { choice in
        """
        <button class="b\(chosen.contains(choice.value) ? " main" : "")" name="answer" value="\(choice.value)"\
        \(choice.value == focused ? " autofocus" : "" as HTML) dir="auto">\(choice.title)</button>
        """
      }
      return "<div class=\"line wraps\">\(buttons)</div>"
    }
    let rows: [HTML] = choices.enumerated().map { index, choice in
      let isChosen = chosen.contains(choice.value)
      return """
        <div class="line"><input class="box" type="\(isMany ? "checkbox" : "radio")" id="c\(index)" name="answer" value="\(choice.value)"\
        \(isChosen ? " checked" : "" as HTML)\(isChosen || chosen.isEmpty && index == 0 ? " autofocus" : "" as HTML)\(isMany ? "" : " required" as HTML)>\
        <label for="c\(index)" dir="auto">\(choice.title) \(choice.detail.map { "<span class=\"quiet\">\($0)</span>" as HTML })</label></div>

        """
    }
    return "\(rows)<div class=\"line\"><button class=\"b main\">Choose</button></div>"
  }

  private func input(_ control: String) -> HTML {
    let preset = Self.text(question["default"])
    let limits = question["limits"] ?? [:]
    func limit(_ name: String, _ attribute: String) -> HTML? {
      limits[name].map { " \(attribute)=\"\(Self.text($0))\"" }
    }
    let suggestions = (question["suggestions"]?.array ?? []).compactMap(\.string)
    let list: HTML? =
      suggestions.isEmpty
      ? nil
      : "<datalist id=\"suggested\">\(suggestions.map { "<option value=\"\($0)\"></option>" as HTML })</datalist>"
    let isDay = preset.isEmpty || Self.isDay(preset)
    let type: HTML
    var hint: String?
    switch control {
    case "number":
      let step = question["type"]?.string?.hasPrefix("int") == true ? "1" : "any"
      type = " type=\"number\" step=\"\(step)\"\(limit("min", "min"))\(limit("max", "max"))"
    case "date" where isDay: type = " type=\"date\""
    case "date":
      (type, hint) = (" type=\"text\" data-words=\"date\"", "A day, such as tomorrow or 24 Dec")
    case "when":
      (type, hint) = (
        " type=\"text\" data-words=\"when\"",
        "A day, with a time or without: tomorrow, friday 17:00"
      )
    case "moment":
      (type, hint) = (
        " type=\"text\" data-words=\"timestamp\"",
        "A day and a time, such as tomorrow 9:00 or 24 Dec 18:30"
      )
    case "duration":
      (type, hint) = (" type=\"text\" data-words=\"duration\"", "Such as 90 min, 1h30m or 2 days")
    case "secret": type = " type=\"password\" autocomplete=\"off\""
    case "file": type = " type=\"file\""
    case "item", "items":
      let entity = question["entity"]?.string ?? ""
      (type, hint) = (
        " type=\"text\" data-entity=\"\(entity)\"",
        control == "items" ? "Titles or references, with commas" : nil
      )
    default:
      type = """
         type="\(question["type"] == "url" ? "url" : "text")"\(limit("minLength", "minlength"))\
        \(limit("maxLength", "maxlength"))
        """
    }
    let isItem = control == "item" || control == "items"
    let describes: HTML =
      question["problem"]?.string != nil
      ? " aria-describedby=\"problem\" aria-invalid=\"true\""
      : hint == nil ? "" : " aria-describedby=\"ask-hint\""
    return """
      <input class="in" id="answer" name="answer" aria-label="\(question["prompt"]?.string ?? "Answer")" \
      value="\(preset)" dir="auto" autofocus autocomplete="off"\(type)\
      \(isItem || !suggestions.isEmpty ? " list=\"\(isItem ? "answer-list" : "suggested")\"" as HTML : nil)\(describes)>\
      \(isItem ? "<datalist id=\"answer-list\">\(suggestions.map { "<option value=\"\($0)\"></option>" as HTML })</datalist>" as HTML : list)\
      \(hint.map { "<p class=\"hint\" id=\"ask-hint\">\($0)</p>" as HTML })
      """
  }

  /// Whether a text is a date such as `2026-11-23`.
  private static func isDay(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.count) == [4, 2, 2] && parts.allSatisfy { Int($0) != nil }
  }
}
