import CEL
import Engine
import ErrandKit
import Exchange
import Items
import Source

/// Hands the result of a command to the person or to the next program (language §8).
struct ResultWriter {
  let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  /// Writes what an intent or a shortcut came to.
  func write(_ outcome: Outcome) throws {
    if isShown {
      try show(outcome)
    } else if outcome.isStopped, case .json = invocation.mode {
      invocation.console.out("null\n")
    } else if !outcome.isStopped || isEvents {
      if case .list(let values) = outcome.value, !values.isEmpty, Self.areBlank(values),
        case .plain = invocation.mode, !isNullSeparated
      {
        return
      }
      try write(outcome.value)
      guard case .plain = invocation.mode, !isNullSeparated, !invocation.arguments.isOn("quiet"),
        let presentation = try unheard(outcome)
      else { return }
      try invocation.session().front.wroteResult(presentation)
    }
  }

  /// Writes what each of several calls came to; on a terminal each was shown when it was done.
  func write(each outcomes: [Outcome]) throws {
    if isShown { return }
    let values = outcomes.filter { !$0.isStopped }.flatMap { outcome -> [Value] in
      if case .list(let values) = outcome.value { values } else { [outcome.value] }
    }
    try write(.list(values))
  }

  /// Shows on a terminal what one of several calls came to.
  func showOnTerminal(_ outcome: Outcome) throws {
    if isShown { try show(outcome) }
  }

  /// Whether a person sees on a terminal what is written.
  private var isShown: Bool {
    invocation.mode.isPlain && invocation.console.stdoutIsTerminal && !isNullSeparated
  }

  private var isNullSeparated: Bool { invocation.arguments.isOn("null") }

  private var isEvents: Bool { if case .events = invocation.mode { true } else { false } }

  /// On a terminal the dialog has been said; shown is what it does not say.
  private func show(_ outcome: Outcome) throws {
    if let presentation = try unheard(outcome) { invocation.front.result(presentation) }
  }

  /// What came of a run, but for what its dialog said already; nil when that is all.
  private func unheard(_ outcome: Outcome) throws -> Presentation? {
    let renderer = try invocation.session().renderer
    let heard = invocation.arguments.isOn("quiet") ? nil : outcome.dialog
    switch outcome.value {
    case .null: return nil
    case .object where heard != nil: return nil
    case .list(let values) where Self.areBlank(values): return nil
    default: break
    }
    if case .list = outcome.value {
    } else if let heard {
      if heard.contains(renderer.text(of: outcome.value)) { return nil }
    }
    return renderer.presentation(of: outcome.value)
  }

  /// Finds what is wrong with the template of `--format`.
  ///
  /// - Throws: `Diagnostics`.
  func checkFormat() throws {
    guard case .format(let text) = invocation.mode else { return }
    _ = try invocation.session().valueTemplate(Self.unescaped(text), label: "--format")
  }

  /// Writes a value as the mode wants it.
  func write(_ value: Value) throws {
    let session = try invocation.session()
    let console = invocation.console
    let end = isNullSeparated ? "\0" : "\n"
    let items = if case .list(let values) = value { values } else { value.isNull ? [] : [value] }
    switch invocation.mode {
    case .json: console.result(try ItemJSON(session.host.clock).text(of: value) + end)
    case .jsonLines:
      let json = ItemJSON(session.host.clock)
      for item in items { console.result(try json.text(of: item) + end) }
    case .format(let text):
      let template = try session.valueTemplate(Self.unescaped(text), label: "--format")
      for item in items { console.result(try template.text(for: item) + end) }
    case .events: invocation.front.result(session.renderer.presentation(of: value))
    case .plain:
      let renderer = session.renderer
      if console.stdoutIsTerminal, !isNullSeparated {
        if !value.isNull { invocation.front.show(renderer.presentation(of: value)) }
      } else {
        for item in items { console.result(renderer.plainText(of: item) + end) }
      }
    }
  }

  /// Whether a list says nothing: it is empty, or of passes of a loop that came to no text.
  private static func areBlank(_ values: [Value]) -> Bool {
    values.allSatisfy { $0 == .string("") || $0.isNull }
  }

  /// `\t`, `\n`, `\0` and `\\` in a format that a shell's single quotes kept as they are.
  private static func unescaped(_ text: String) -> String {
    var result = ""
    var isEscape = false
    for character in text {
      guard isEscape else {
        if character == "\\" { isEscape = true } else { result.append(character) }
        continue
      }
      isEscape = false
      switch character {
      case "t": result.append("\t")
      case "n": result.append("\n")
      case "0": result.append("\0")
      case "\\": result.append("\\")
      default: result += "\\" + String(character)
      }
    }
    return isEscape ? result + "\\" : result
  }
}

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
      for item in items { tell(item, verb, session) }
    }
    if invocation.mode.isPlain, invocation.console.stdoutIsTerminal { return }
    try write(.list(items.map { .object($0) }))
  }

  /// Says what happened to an item, and hands it to the next program.
  func write(changed item: Item, _ verb: String) throws {
    tell(item, verb, try invocation.session())
    if invocation.mode.isPlain, invocation.console.stdoutIsTerminal { return }
    try write(.object(item))
  }

  private func tell(_ item: Item, _ verb: String, _ session: Run) {
    let reference = item.reference?.description ?? ""
    invocation.say("\(verb) \(session.renderer.title(of: item)) (\(reference)).")
  }
}
