import ErrandKit
import LanguageService
import Links

/// The editor of a definition: its steps as a form, beside the text that the form writes.
///
/// The text travels in the form, so that nothing is saved before a person says so.
struct DefinitionEditor: PagePart {
  let context: PageContext
  /// The address of its form.
  let action: String
  /// The path of the file.
  let path: String
  /// The name of the definition; nil for a new one, which has the name of its title.
  let name: String?
  private let definitions: EditedDefinitions

  init(_ context: PageContext, action: String, path: String, name: String?) {
    (self.context, self.action, self.path, self.name) = (context, action, path, name)
    definitions = EditedDefinitions(context.errand, folders: [])
  }

  /// The outcome of a sent form.
  struct Outcome {
    var text: String
    /// The path of the card and the key of the field, or the name of the button, to go on with.
    var focus: String?
    /// The path of the list for which a step is chosen.
    var chooser: String?
    var problem: String?
  }

  private func view(of text: String) -> EditedDefinitions.View? {
    definitions.edit(path, Array(text.utf8))
    return definitions.view(of: path)
  }

  private func form(_ text: String) throws -> DefinitionForm {
    guard let view = view(of: text) else { throw ErrandError.missingPage(path) }
    return try DefinitionForm(text, name: name, view.context)
  }

  // MARK: A sent form

  /// The text with what was done in the sent form.
  func edited() -> Outcome {
    var outcome = Outcome(text: context.text("text"))
    let words = (context.field("do") ?? "check").split(separator: " ").map(String.init)
    do {
      if words.first == "undo" {
        outcome.text = context.text("before")
        return outcome
      }
      // Of a text that was changed by hand, the fields are not known.
      if Self.mark(outcome.text) == context.field("shown") {
        outcome.text = try withFields(form(outcome.text)).text
      }
      outcome = try done(words, outcome)
      if name == nil { outcome.text = try named(form(outcome.text)).text }
    } catch let problem as FormProblem {
      outcome.problem = problem.message
    } catch {
      outcome.problem = "\(error)"
    }
    return outcome
  }

  /// The text with a test that a run became.
  func expecting(in text: String) -> Outcome {
    var outcome = Outcome(text: text)
    do {
      outcome.text = try form(text).adding(test: context.text("test")).text
    } catch { outcome.problem = (error as? FormProblem)?.message ?? "\(error)" }
    return outcome
  }

  /// The form with the changed fields.
  private func withFields(_ form: DefinitionForm) throws -> DefinitionForm {
    var form = form
    let sent = Dictionary(grouping: (context.form ?? []).filter { $0.name.hasPrefix("f:") }) {
      $0.name
    }
    func text(_ name: String) -> String? {
      sent[name].map { $0.map(\.value).filter { !$0.isEmpty }.joined(separator: ", ") }
    }
    func change(_ path: String, _ field: FormField) throws {
      let id = "f:\(path):\(field.key)"
      if let subject = text(id + ":subject") {
        let comparison = FormCondition.Comparison(rawValue: text(id + ":comparison") ?? "")
        let condition = FormCondition(
          subject: subject, comparison: comparison ?? .equals, value: text(id + ":value") ?? "")
        if subject.isEmpty ? !field.text.isEmpty : field.condition != condition {
          form = try form.setting(path, field.key, to: condition)
        }
        return
      }
      guard let text = text(id)?.replacing("\r\n", with: "\n") else { return }
      if case .choices = field.control {
        let (old, new) = (Self.list(field.text), Self.list(text))
        if old.count == new.count, old.allSatisfy(new.contains) { return }
      }
      if text != field.text { form = try form.setting(path, field.key, to: text) }
    }
    let (own, cards) = (form.fields, form.cards)
    for field in own { try change("", field) }
    for card in cards {
      for field in card.fields + card.others + card.blocks.flatMap(\.fields) {
        try change(card.path, field)
      }
    }
    return form
  }

  private func done(_ words: [String], _ outcome: Outcome) throws -> Outcome {
    var outcome = outcome
    func set(_ form: DefinitionForm) { outcome.text = form.text }
    switch (words.first, words.count) {
    case ("add", 2): (outcome.chooser, outcome.focus) = (words[1], "find-action")
    case ("new", 3):
      let form = try form(outcome.text).adding(words[2], to: words[1])
      set(form)
      let count = form.cards.count {
        $0.path.hasPrefix(words[1] + ".")
          && !$0.path.dropFirst(words[1].count + 1).contains(".")
      }
      let card = form.cards.first { $0.path == "\(words[1]).\(count - 1)" }
      outcome.focus = card.map { "f:\($0.path):\($0.fields.first?.key ?? "")" }
      if case .condition? = card?.fields.first?.control { outcome.focus? += ":subject" }
    case ("branch", 3): set(try form(outcome.text).adding(branch: words[2], to: words[1]))
    case ("question", 1):
      let question = context.text("question")
      guard !question.isEmpty else {
        outcome.focus = "question"
        outcome.problem = "Write the question first, such as: Which tag?"
        return outcome
      }
      set(
        try form(outcome.text).adding(question: question, type: context.field("kind") ?? "string"))
      outcome.focus = "question"
    case ("remove", 2): set(try form(outcome.text).removing(words[1]))
    case ("up", 2), ("down", 2), ("move", 3):
      let places = words[0] == "up" ? -1 : words[0] == "down" ? 1 : Int(words[2]) ?? 0
      let moved = try form(outcome.text).moving(words[1], by: places)
      set(moved.form)
      outcome.focus = "\(places < 0 ? "up" : "down"):\(moved.path)"
    case ("name", 2): set(try form(outcome.text).naming(words[1]))
    case ("use", 4):
      set(try form(outcome.text).using(words[3], in: words[1], words[2]))
      outcome.focus = "f:\(words[1]):\(words[2])"
    case ("fix", 2):
      // Another text may have other fixes.
      let fix = findings(in: outcome.text).lazy.flatMap(\.numbered)
        .first { $0.id == words[1] && $0.fix.title == context.field("fix:" + words[1]) }?.fix
      if let fix {
        outcome.text = String(decoding: fix.applied(to: Array(outcome.text.utf8)), as: UTF8.self)
      }
    default: break
    }
    return outcome
  }

  /// The form of a new definition, named after its title.
  private func named(_ form: DefinitionForm) throws -> DefinitionForm {
    let title = form.fields.first { $0.key == "@title" }?.text ?? ""
    let words = title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let base =
      words.first?.first?.isLetter == true
      ? words.joined(separator: "-") : "my-\(form.kind)"
    if form.name == base || form.name.hasPrefix(base + "-"),
      Int(form.name.dropFirst(base.count + 1)) != nil || form.name == base
    {
      return form
    }
    let taken = Set(errand.definitions.map(\.name))
    let name = base.numbered(after: "-", unless: taken.contains)
    return try form.named(name)
  }

  /// The name that a new definition has in a text.
  func name(in text: String) throws -> String { try form(text).name }

  // MARK: Findings

  /// A finding with its fixes.
  struct Problem {
    let number: Int
    let finding: Finding
    let fixes: [Amendment]

    /// The fixes with the names of their buttons.
    var numbered: [(id: String, fix: Amendment)] {
      fixes.enumerated().map { ("\(number).\($0)", $1) }
    }
  }

  private func findings(in text: String) -> [Problem] {
    guard let view = view(of: text) else { return [] }
    let index = DocumentIndex(view.file, view.context)
    let all = view.findings
    return all.enumerated().map { number, finding in
      // Each fix is checked, which takes a while.
      let fixes =
        number < 8
        ? AdviceReader.fixes(for: finding, among: all, in: index) {
          definitions.view(of: path, trying: $0)?.findings
        } : []
      return Problem(number: number, finding: Finding(finding), fixes: fixes)
    }
  }

  /// A mark by which a text is known to be the one that was shown.
  private static func mark(_ text: String) -> String {
    Array(SHA256.hash(Array(text.utf8)).prefix(9)).base64URL
  }

  // MARK: The page

  /// Renders the editor.
  ///
  /// - Parameters:
  ///   - old: The text of the file; empty for a new one.
  ///   - note: The notice above it.
  func render(_ outcome: Outcome, old: String, note: HTML? = nil, status: Int = 200) throws -> Reply
  {
    let text = outcome.text
    let problems = findings(in: text)
    let before = context.form == nil ? text : context.text("text")
    let undone = before == text ? context.text("before") : before
    var left: HTML?
    var title = name ?? ""
    var problem = outcome.problem
    var (rest, kind) = (problems, name.flatMap { try? errand.definition($0).summary.kind })
    do throws(FormProblem) {
      guard let view = view(of: text) else { throw .unreadable }
      let form = try DefinitionForm(text, name: name, view.context)
      let parts = StepCards(
        context: context, form: form, problems: problems, focus: outcome.focus,
        chooser: outcome.chooser)
      (left, rest) = parts.html()
      kind = form.kind
      title = form.fields.first { $0.key == "@title" }.map(\.text) ?? ""
      if title.isEmpty { title = name ?? "New \(form.kind)" }
    } catch {
      problem = problem ?? error.message
    }
    let isSaved = context.parameter("saved") != nil && context.form == nil
    let isAutomation = kind == "automation"
    let back = isAutomation ? "/activity" : name.map { "/run/\($0.pathEncoded)" } ?? "/gallery"
    func button(_ name: String, _ title: String, _ icon: String, _ kind: String = "") -> HTML {
      "<button class=\"b\(kind)\" name=\"do\" value=\"\(name)\">\(HTML.icon(icon))\(title)</button>"
    }
    return try shell(
      title: title, kind: "wide", current: isAutomation ? "/activity" : "/gallery", status: status,
      """
      <main class="pane" id="list"><form method="post" action="\(action)" id="editor">\
      <button hidden name="do" value="check"></button>\(formToken)
      <div class="head"><a class="ib" href="\(back)" aria-label="Back">\(HTML.icon("left flip"))</a>\
      <h1 class="grow cut" dir="auto">\(title)</h1>\
      <button class="ib" name="do" value="undo" aria-label="Undo"\(undone.isEmpty || undone == text ? " disabled" : "" as HTML)>\(HTML.icon("undo"))</button>\
      \(!isAutomation ? button("try", "Try", "play") : nil)\(button("save", "Save", "check", " main"))</div>
      <div class="in-pad stack">\(note)\
      \(isSaved ? "<div class=\"notice good\" role=\"status\">\(HTML.icon("check"))<p>Saved.</p></div>" as HTML : nil)\
      \(problem.map { "<div class=\"notice warn\" role=\"alert\">\(HTML.icon("alert"))<p>\(Self.sentence(ErrandError(code: "", message: $0)))</p></div>" as HTML })
      <div class="beside"><div class="stack" id="parts">\(left)</div>
      <aside class="stack" aria-label="Its text"><details open><summary class="line">\(HTML.icon("right flip", isSmall: true))<b>Text</b></summary>\
      <label class="sr" for="text">The definition</label>\
      <textarea class="in mono code-area" id="text" name="text" spellcheck="false">\n\(text)</textarea></details>\
      <ul id="findings" aria-live="polite">\(rest.map { StepCards.line($0, isInPart: false) })</ul></aside></div>
      <input type="hidden" name="shown" value="\(Self.mark(text))">\
      <textarea hidden name="old">\n\(old)</textarea><textarea hidden name="before">\n\(undone)</textarea></div></form></main>
      """)
  }
}
