import ErrandKit
import LanguageService

/// The page that makes a new shortcut or automation by a form.
struct NewDefinitionPage: Page {
  let context: PageContext

  private var kind: String { context["kind"] ?? "" }

  private func editor() throws -> DefinitionEditor {
    guard ["shortcut", "automation"].contains(kind) else { throw ErrandError.missingPage(kind) }
    return DefinitionEditor(
      context, action: "/make/\(kind)", path: try errand.newPath(named: "new-definition"), name: nil
    )
  }

  func render() throws -> Reply {
    // An automation may be one that runs a shortcut.
    let run = context.parameter("run").flatMap { try? action($0).summary.name }
    let steps = run.map { "\n  - \($0): {}" } ?? " []"
    let text =
      kind == "automation"
      ? "automation: my-automation\non:\n  - at: '09:00'\nsteps:\(steps)\n"
      : "shortcut: my-shortcut\nsteps:\(steps)\n"
    return try editor().render(.init(text: text, focus: "f::@title"), old: "")
  }

  func submit() throws -> Reply {
    let editor = try editor()
    var outcome = editor.edited()
    let what = context.field("do")
    guard ["save", "try"].contains(what), outcome.problem == nil else {
      return try editor.render(outcome, old: "")
    }
    do {
      let name = try editor.name(in: outcome.text)
      let mistakes = try errand.save(
        outcome.text, at: errand.newPath(named: name), replacing: nil)
      if mistakes.isEmpty {
        return .redirect(
          what == "try" ? "/run/\(name.pathEncoded)" : "/source/\(name.pathEncoded)?saved=1")
      }
      outcome.problem = "it is not saved yet: first mend what is marked"
    } catch let error as ErrandError {
      outcome.problem = Self.sentence(error)
    }
    return try editor.render(outcome, old: "", status: 422)
  }
}
