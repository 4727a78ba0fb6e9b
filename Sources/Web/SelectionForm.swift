import ErrandKit

/// The form that changes the selected items of a list, or all of them, in one change.
struct SelectionForm: Page {
  let context: PageContext

  func submit() throws -> Reply {
    var selection = Writer.Selection.references(
      (context.form ?? []).filter { $0.name == "item" }.map(\.value))
    if context.field("all") != nil, let entity = context.field("entity") {
      func text(_ name: String) -> String? {
        context.field(name).flatMap { $0.isEmpty ? nil : $0 }
      }
      let (words, condition) = (text("words"), text("condition"))
      // What a browser may ask for is the reader's concern.
      _ = try reader.find(entity, matching: words, where: condition, limit: 1)
      selection = .search(entity: entity, words: words, condition: condition)
    }
    let action = context.field("do") ?? ""
    let tags: [String: JSONValue] = ["tags": .array(Self.list(context.field("tag") ?? ""))]
    let change: Writer.BulkChange
    switch action {
    case "delete": change = try writer().delete(all: selection)
    case "tag": change = try writer().update(all: selection, add: tags)
    case "untag": change = try writer().update(all: selection, remove: tags)
    default:
      guard let (property, value) = Self.marks[action] else {
        throw ErrandError.missingPage(action)
      }
      change = try writer().update(all: selection, set: [property: value])
    }
    return .redirect(Self.noting(change.number, action, count: change.count, at: back ?? "/"))
  }
}
