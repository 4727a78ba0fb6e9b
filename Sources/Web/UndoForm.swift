import ErrandKit

/// The form that undoes a change.
struct UndoForm: Page {
  let context: PageContext

  func submit() throws -> Reply {
    _ = try writer().undo(number("change"))
    return .redirect(back ?? "/")
  }
}
