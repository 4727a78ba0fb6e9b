import CEL
import Engine
import Items
import Source

extension ResultWriter {
  /// Writes an item with all its properties, a line each, for a person.
  func write(detail item: Item) throws {
    guard invocation.mode.isPlain, invocation.console.stdoutIsTerminal else {
      return try write(.object(item))
    }
    let renderer = try invocation.session().renderer
    invocation.front.show(renderer.presentation(of: .object(item)))
    let names = item.schema.properties.map(\.name) + ["createdAt", "updatedAt"]
    let bodies = Set(item.schema.properties.lazy.filter(\.isBody).map(\.name))
    let fields = names.compactMap { name -> (name: String, text: String)? in
      let text = renderer.text(of: item.field(name) ?? .null)
      // `--text` shows it.
      let isTooLong = bodies.contains(name) && text.utf8.count > Self.longestBody
      return text.isEmpty || isTooLong ? nil : (name, text)
    }
    invocation.front.show(Presentation(.fields(fields), value: .object(item)))
  }

  /// How long a text that stands behind an item may be to be shown with it, in bytes.
  private static let longestBody = 500

  /// Writes the texts of an item that `write(detail:)` leaves out, for their length.
  func write(bodyOf item: Item) throws {
    let renderer = try invocation.session().renderer
    let texts = item.schema.properties.filter(\.isBody).compactMap { property -> String? in
      let text = renderer.text(of: item.field(property.name) ?? .null)
      return text.isEmpty ? nil : text
    }
    guard !texts.isEmpty else {
      throw RunError(
        .notFound, "\(renderer.title(of: item)) has no text",
        help: "`errand enrich \(item.reference?.description ?? "")` fetches its page")
    }
    try write(.string(texts.joined(separator: "\n\n")))
  }

  /// How many items are told one by one; more are counted.
  static let toldItems = 10

  /// Says what happened to several items, and hands them to the next program.
  func write(changed items: [Item], _ verb: String, _ session: Run) throws {
    if items.count > Self.toldItems {
      invocation.say("\(verb) \(session.count(items)).")
    } else {
      for item in items {
        let title = session.renderer.title(of: item)
        invocation.say("\(verb) \(title) (\(item.reference?.description ?? "")).")
      }
    }
    if invocation.mode.isPlain, invocation.console.stdoutIsTerminal { return }
    try write(.list(items.map { .object($0) }))
  }

  /// Says what happened to an item, and hands it to the next program.
  func write(changed item: Item, _ verb: String) throws {
    let renderer = try invocation.session().renderer
    invocation.say("\(verb) \(renderer.title(of: item)) (\(item.reference?.description ?? "")).")
    if invocation.mode.isPlain, invocation.console.stdoutIsTerminal { return }
    try write(.object(item))
  }
}
