import ErrandKit

/// The edit form of an item; its changes are merged with those saved by others in the meantime.
struct EditPage: Page {
  let context: PageContext

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

    /// The text of both values; nil if the type has none.
    var both: String? {
      switch field.baseType {
      case "string":
        [mine, theirs].joined(separator: EditPage.longTexts.contains(field.name) ? "\n\n" : " / ")
      case "list<string>":
        EditPage.text(
          .array(
            EditPage.list(theirs)
              + EditPage.list(mine).filter { !EditPage.list(theirs).contains($0) }))
      default: nil
      }
    }

    /// The text to save; nil if the library's value stays.
    ///
    /// - Throws: `Undecided` if both sides changed the field and no choice was made.
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
    let asked = (context.form ?? []).filter { $0.name == "asked." }.map(\.value)
    return try fields(of: item.entity).compactMap { field in
      let was = context.field("was." + field.name)
      // A box without a check is not sent.
      let missing: String? = field.type.hasPrefix("bool") && was != nil ? "false" : nil
      guard let mine = context.field(field.name) ?? missing else { return nil }
      return Edit(
        field: field, was: was.map { Self.sent($0, field) }, mine: Self.sent(mine, field),
        theirs: Self.sent(text(of: item[field.name], in: field), field),
        isAsked: asked.contains(field.name), decision: context.field("keep." + field.name))
    }
  }

  func render() throws -> Reply { try render(item(), problem: nil) }

  private func render(_ item: ItemSnapshot, problem: String?) throws -> Reply {
    let fields = try fields(of: item.entity)
    var (values, was): ([String: String], [String: String]) = ([:], [:])
    for field in fields {
      let text = text(of: item[field.name], in: field)
      was[field.name] = context.field("was." + field.name) ?? text
      values[field.name] = text
    }
    for edit in try edits(of: item) { values[edit.field.name] = edit.mine }
    return try form(item, values, was: was, problem: problem)
  }

  private func form(
    _ item: ItemSnapshot, _ values: [String: String], was: [String: String],
    problem: String? = nil, conflict: HTML? = nil
  ) throws -> Reply {
    let hidden: [HTML] = was.sorted { $0.key < $1.key }.map { name, value in
      // An `<input>` would drop line breaks.
      "<textarea hidden name=\"was.\(name)\">\n\(value)</textarea>"
    }
    return try form(
      item.entity, title: item.title, action: here(item, "/edit"), values, problem,
      notice: HTML(joining: hidden) + (conflict ?? ""))
  }

  /// Saves the changed fields; asks about those that others have changed, too.
  func submit() throws -> Reply {
    var item = try item()
    // Others may write between reading and saving; the last attempt reports it.
    for attempt in 1...3 {
      do {
        var (set, asked): ([String: JSONValue], [Edit]) = ([:], [])
        var values: [String: String] = [:]
        for edit in try edits(of: item) {
          do {
            let text = try edit.text()
            values[edit.field.name] = text ?? edit.theirs
            if let text {
              set[edit.field.name] = Self.value(
                typed(text, as: edit.field), edit.field.baseType)
            }
          } catch {
            values[edit.field.name] = edit.mine
            asked.append(edit)
          }
        }
        if !asked.isEmpty {
          return try form(
            item, values, was: values.reduce(into: [:]) { $0[$1.key] = Self.text(item[$1.key]) },
            conflict: conflict(asked))
        }
        if set.isEmpty { return .redirect(back ?? here(item)) }
        let version = item.version
        let change = try writer().update(
          [item.reference], set: set,
          expecting: { current in
            if current.version != version {
              throw ErrandError(code: Self.changed, message: "the item was changed meanwhile")
            }
          })
        return .redirect(Self.noting(change.number, "edit", at: back ?? here(item)))
      } catch let error as ErrandError where error.code == Self.changed && attempt < 3 {
        item = try reader.item(item.reference)
      } catch let error as ErrandError {
        return try render(item, problem: Self.sentence(error))
      }
    }
    return .redirect(here(item))
  }

  /// The error code for an item that has changed since it was read.
  private static let changed = "changed"

  /// The notice about fields changed both here and elsewhere, with a choice for each.
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
