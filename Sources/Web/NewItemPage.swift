import ErrandKit

/// The form of a new item.
struct NewItemPage: Page {
  let context: PageContext

  private var entity: String { context["entity"] ?? "" }

  func render() throws -> Reply { try render(problem: nil) }

  private func render(problem: String?) throws -> Reply {
    var values: [String: String] = [:]
    for field in try fields(of: entity) { values[field.name] = Self.text(field.schema["default"]) }
    for (name, value) in context.form ?? [] { values[name] = value }
    return try form(
      entity, title: "New \(Self.words(entity).lowercased())", action: "/new/\(entity)", values,
      problem)
  }

  func submit() throws -> Reply {
    do {
      let sent = values(try fields(of: entity)).filter { $0.value != .null }
      let change = try writer().create(entity, sent)
      let path = change.items.first.map(Self.path) ?? "/"
      return .redirect(Self.noting(change.number, "new", at: back ?? path))
    } catch let error as ErrandError {
      return try render(problem: Self.sentence(error))
    }
  }
}
