import ErrandKit

/// The form that changes the selected items of a list, or all of them, in one change.
struct SelectionForm: Page {
  let context: PageContext

  /// The maximum number of items that are changed at once.
  private static let bulkLimit = 100_000

  func submit() throws -> Reply {
    var items = (context.form ?? []).filter { $0.name == "item" }.map(\.value)
    if context.field("all") != nil, let entity = context.field("entity") {
      func text(_ name: String) -> String? {
        context.field(name).flatMap { $0.isEmpty ? nil : $0 }
      }
      items = try reader.find(
        entity, matching: text("words"), where: text("condition"), limit: Self.bulkLimit
      ).map(\.reference)
    }
    guard !items.isEmpty else { return .redirect(back ?? "/") }
    let action = context.field("do") ?? ""
    let change: Writer.Change
    switch action {
    case "delete": change = try writer().delete(items)
    case "done":
      // Repeating tasks are toggled one by one: the intent reopens each for its next date.
      let tasks = try items.map { try reader.item($0) }.filter { $0["done"] != true }
      let repeating = tasks.filter { $0["repeat"] != .null }
      change = try writer().update(
        tasks.filter { $0["repeat"] == .null }.map(\.reference), set: ["done": true])
      let runs = try repeating.map(toggle)
      // Undo is offered only if it covers every change.
      let number = runs.isEmpty ? change.number : tasks.count == 1 ? runs[0] : nil
      return .redirect(Self.noting(number, action, count: tasks.count, at: back ?? "/"))
    case "tag":
      change = try writer().update(
        items, add: ["tags": .array(Self.list(context.field("tag") ?? ""))])
    default:
      guard let (property, value) = Self.marks[action] else {
        throw ErrandError.missingPage(action)
      }
      change = try writer().update(items, set: [property: value])
    }
    return .redirect(Self.noting(change.number, action, count: items.count, at: back ?? "/"))
  }
}
