import ErrandKit

/// The form of an item: what was changed in it is saved beside what others changed meanwhile.
extension Website {
  /// A field of a sent form: as the form was opened, as it was sent, and as the library has it.
  private struct Edit {
    let field: Errand.Parameter
    /// Nil if the form does not say.
    let was: String?
    let mine: String
    let theirs: String
    /// Whether the form asks for a decision about the field.
    let isAsked: Bool
    /// The decision of a person: `mine`, `theirs` or `both`.
    let decision: String?

    var type: String {
      field.type.hasSuffix("?") ? String(field.type.dropLast()) : field.type
    }

    /// The text of both values; nil if the type has none.
    var both: String? {
      switch type {
      case "string":
        [mine, theirs].joined(separator: Website.longTexts.contains(field.name) ? "\n\n" : " / ")
      case "list<string>":
        Website.text(
          .array(
            Website.list(theirs)
              + Website.list(mine).filter { !Website.list(theirs).contains($0) }))
      default: nil
      }
    }

    /// The text to save; nil if the library's value stays.
    ///
    /// - Throws: `Undecided` if both changed the field, and nobody has decided yet.
    func text() throws(Undecided) -> String? {
      if mine == theirs { return nil }
      guard isAsked || was != theirs && was != nil else { return mine }
      if !isAsked, mine == was { return nil }
      // A decision is about the value that was shown.
      switch was == theirs ? decision : nil {
      case "mine": return mine
      case "theirs": return nil
      case "both": return both ?? mine
      default: throw Undecided()
      }
    }
  }

  private struct Undecided: Error {}

  /// A value as the text of its field, as browsers send it: lines end in LF, and only long texts
  /// have several.
  private static func sent(_ text: String, _ field: Errand.Parameter) -> String {
    if field.type.hasPrefix("bool") { return text == "true" ? "true" : "false" }
    let text = text.replacing("\r\n", with: "\n")
    return longTexts.contains(field.name) && field.type.hasPrefix("string")
      ? text : text.replacing("\n", with: "").replacing("\r", with: "")
  }

  private func edits(of item: ItemSnapshot) throws -> [Edit] {
    let asked = (request.form ?? []).filter { $0.name == "asked." }.map(\.value)
    return try fields(of: item.entity).compactMap { field in
      let was = request.field("was." + field.name)
      // A box without a check is not sent.
      let missing: String? = field.type.hasPrefix("bool") && was != nil ? "false" : nil
      guard let mine = request.field(field.name) ?? missing else { return nil }
      return Edit(
        field: field, was: was.map { Self.sent($0, field) }, mine: Self.sent(mine, field),
        theirs: Self.sent(Self.text(item[field.name]), field),
        isAsked: asked.contains(field.name), decision: request.field("keep." + field.name))
    }
  }

  /// The form of an item.
  func editing(_ item: ItemSnapshot, problem: String? = nil) throws -> Reply {
    let fields = try fields(of: item.entity)
    var (values, was): ([String: String], [String: String]) = ([:], [:])
    for field in fields {
      let text = Self.text(item[field.name])
      was[field.name] = request.field("was." + field.name) ?? text
      values[field.name] = text
    }
    for edit in try edits(of: item) { values[edit.field.name] = edit.mine }
    return try form(item, values, was, problem)
  }

  private func form(
    _ item: ItemSnapshot, _ values: [String: String], _ was: [String: String],
    _ problem: String? = nil, conflict: HTML? = nil
  ) throws -> Reply {
    let hidden: [HTML] = was.sorted { $0.key < $1.key }.map { name, value in
      // A field of one line would lose the others.
      "<textarea hidden name=\"was.\(name)\">\n\(value)</textarea>"
    }
    return try form(
      item.entity, title: item.title, action: here(item, "/edit"), values, problem,
      notice: HTML(joining: hidden) + (conflict ?? ""))
  }

  /// Saves what the form changed. Only for a field that somebody else changed, too, it asks.
  func edit(_ item: ItemSnapshot) throws -> Reply {
    var item = item
    // Others may write between the look and the change; the last attempt says so.
    for attempt in 1...3 {
      do {
        var (set, asked): ([String: JSONValue], [Edit]) = ([:], [])
        var values: [String: String] = [:]
        for edit in try edits(of: item) {
          do {
            let text = try edit.text()
            values[edit.field.name] = text ?? edit.theirs
            if let text { set[edit.field.name] = Self.value(text, edit.type) }
          } catch {
            values[edit.field.name] = edit.mine
            asked.append(edit)
          }
        }
        if !asked.isEmpty {
          return try form(
            item, values, values.reduce(into: [:]) { $0[$1.key] = Self.text(item[$1.key]) },
            conflict: conflict(asked))
        }
        if set.isEmpty { return .redirect(here(item)) }
        let version = item.version
        let change = try writer().update(
          [item.reference], set: set,
          expecting: { current in
            if current.version != version {
              throw ErrandError(code: Self.changed, message: "the item was changed meanwhile")
            }
          })
        return .redirect(Self.noting(change, "edit", at: here(item)))
      } catch let error as ErrandError where error.code == Self.changed && attempt < 3 {
        item = try reader.item(item.reference)
      } catch let error as ErrandError {
        return try editing(item, problem: Self.sentence(error))
      }
    }
    return .redirect(here(item))
  }

  /// The code of an item that is not as the form had it.
  private static let changed = "changed"

  /// The notice with fields that were changed both here and elsewhere, each to be decided.
  private func conflict(_ edits: [Edit]) -> HTML {
    let parts: [HTML] = edits.map { edit in
      let name = edit.field.name
      func button(_ decision: String) -> HTML {
        """
        <button class="b small" name="keep.\(name)" value="\(decision)" formnovalidate \
        aria-label="Keep \(decision): \(Self.words(edit.field.title))">Keep \(decision)</button>
        """
      }
      return """
        <dt>\(Self.words(edit.field.title))</dt><dd>Mine <ins dir="auto">\(edit.mine.isEmpty ? "nothing" : edit.mine)</ins>, \
        theirs <del dir="auto">\(edit.theirs.isEmpty ? "nothing" : edit.theirs)</del>\
        <input type="hidden" name="asked." value="\(name)"><div class="line">\(button("mine"))\(button("theirs"))\
        \(edit.both == nil ? nil : button("both"))</div></dd>
        """
    }
    // Enter in a field presses the first button, which must decide nothing.
    return """
      <button hidden></button><div class="notice warn" role="alert">\(HTML.icon("conflict"))<div class="grow">\
      <h2>\(edits.count == 1 ? "One field" : "\(edits.count) fields") changed in two places</h2>\
      <p>Nothing of yours is saved yet. Choose for each; all else that you changed is saved with it.</p>\
      <dl class="facts">\(parts)</dl></div></div>
      """
  }
}
