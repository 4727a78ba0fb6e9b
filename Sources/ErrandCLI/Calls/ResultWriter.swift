import CEL
import Catalog
import Engine
import ErrandKit
import Exchange
import Items
import Program
import Source
import YAML

/// Writes the result of a command for a person or the next program (language §8).
struct ResultWriter {
  let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// Writes the outcome of an intent or a shortcut.
  func write(_ outcome: Outcome) throws {
    if isShown {
      try show(outcome)
    } else if outcome.isStopped, case .json = invocation.mode {
      invocation.console.out("null\n")
    } else if !outcome.isStopped || isEvents {
      if case .list(let values) = outcome.value, !values.isEmpty, values.areBlank,
        case .plain = invocation.mode, !isNullSeparated
      {
        return
      }
      try write(outcome.value)
      guard case .plain = invocation.mode, !isNullSeparated, !invocation.arguments.isOn("quiet"),
        let presentation = try notYetShown(outcome)
      else { return }
      try invocation.openRun().front.wroteResult(presentation)
    }
  }

  /// Writes the outcomes of several calls; a terminal has already shown each as it finished.
  func write(each outcomes: [Outcome]) throws {
    if isShown { return }
    let values = outcomes.filter { !$0.isStopped }.flatMap { outcome -> [Value] in
      if case .list(let values) = outcome.value { values } else { [outcome.value] }
    }
    try write(.list(values))
  }

  /// Shows the outcome of one of several calls on a terminal.
  func showOnTerminal(_ outcome: Outcome) throws {
    if isShown { try show(outcome) }
  }

  /// Whether the result is shown on a terminal.
  private var isShown: Bool {
    invocation.mode.isPlain && invocation.console.stdoutIsTerminal && !isNullSeparated
  }

  private var isNullSeparated: Bool { invocation.arguments.isOn("null") }

  private var isEvents: Bool { if case .events = invocation.mode { true } else { false } }

  /// Shows on a terminal the part of the result that the dialog has not shown.
  private func show(_ outcome: Outcome) throws {
    if let presentation = try notYetShown(outcome) { invocation.front.result(presentation) }
  }

  /// The part of the result that the dialog has not already shown; nil if none.
  private func notYetShown(_ outcome: Outcome) throws -> Presentation? {
    try invocation.openRun().remainder(
      of: outcome.value, said: invocation.arguments.isOn("quiet") ? nil : outcome.dialog)
  }

  /// Checks the template of `--format`.
  ///
  /// - Throws: `Diagnostics`.
  func checkFormat() throws {
    if case .format(let text) = invocation.mode { _ = try template(text) }
  }

  /// Compiles the template of `--format`.
  ///
  /// - Throws: `UsageError` for a placeholder of another language, or the name of a format.
  private func template(_ text: String) throws -> ValueTemplate {
    let template = try invocation.openRun().valueTemplate(Self.unescaped(text), label: "--format")
    if text.contains("{{") { return template }
    if ["json", "jsonl"].contains(text) {
      throw UsageError("--format takes a template, not “\(text)”", help: "did you mean --\(text)?")
    }
    let scalar = Scalar(text: text, label: "--format")
    let name = try? Template(scalar: scalar).placeholders.first { $0.form == .name }?.names.first
    if let name = name
      ?? (["csv", "table", "title", "url", "ref", "id"].contains(text) ? text : nil)
    {
      throw UsageError(
        "--format “\(text.shortened)” is plain text, the same for each item",
        help: "write a value as '{{ self.\(name) }}'")
    }
    if !text.isEmpty {
      invocation.tell(
        "--format “\(text.shortened)” is plain text, the same for each item; "
          + "a value is written '{{ self.title }}'", isForAll: true)
    }
    return template
  }

  /// Writes a value in the output mode.
  func write(_ value: Value) throws {
    let run = try invocation.openRun()
    let console = invocation.console
    let end = isNullSeparated ? "\0" : "\n"
    let items = if case .list(let values) = value { values } else { value.isNull ? [] : [value] }
    switch invocation.mode {
    case .json: console.result(try ItemJSON(run.host.clock).text(of: value) + end)
    case .jsonLines:
      let json = ItemJSON(run.host.clock)
      for item in items { console.result(try json.text(of: item) + end) }
    case .format(let text):
      let template = try template(text)
      for item in items { console.result(try template.text(for: item) + end) }
    case .events: invocation.front.result(run.renderer.presentation(of: value))
    case .plain:
      let renderer = run.renderer
      if console.stdoutIsTerminal, !isNullSeparated {
        if !value.isNull { invocation.front.show(renderer.presentation(of: value)) }
      } else {
        for item in items { console.result(renderer.plainText(of: item) + end) }
      }
    }
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
  /// Writes an item with all its properties, one per line.
  func write(detail item: Item) throws {
    guard invocation.mode.isPlain, invocation.console.stdoutIsTerminal else {
      return try write(.object(item))
    }
    let renderer = try invocation.openRun().renderer
    invocation.front.show(renderer.presentation(of: .object(item)))
    let names = item.schema.properties.map(\.name) + ["createdAt", "updatedAt"]
    let bodies = Set(item.schema.properties.lazy.filter(\.isBody).map(\.name))
    let fields = names.compactMap { name -> (name: String, text: String)? in
      let text = renderer.text(of: name, in: item)
      // `--text` shows it.
      let isTooLong = bodies.contains(name) && text.utf8.count > Self.longestBody
      return text.isEmpty || isTooLong ? nil : (name, text)
    }
    invocation.front.show(Presentation(.fields(fields), value: .object(item)))
  }

  /// Longest body text shown with an item, in bytes.
  private static let longestBody = 500

  /// Writes the long texts of an item that `write(detail:)` omits.
  func write(bodyOf item: Item) throws {
    let renderer = try invocation.openRun().renderer
    let texts = item.schema.properties.filter(\.isBody).compactMap { property -> String? in
      let text = renderer.text(of: property.name, in: item)
      return text.isEmpty ? nil : text
    }
    guard !texts.isEmpty else {
      throw RunError(
        .notFound, "\(renderer.title(of: item)) has no text",
        help: "`errand enrich \(item.reference?.description ?? "")` fetches its page")
    }
    try write(.string(texts.joined(separator: "\n\n")))
  }

  /// Number of items named individually; beyond it only the count is shown.
  static let toldItems = 10

  /// Reports changed items and writes them for the next program.
  ///
  /// - Parameter isSingle: Whether one item was named; it is then written alone, not as a list.
  func write(changed items: [Item], _ verb: String, isSingle: Bool = false) throws {
    let run = try invocation.openRun()
    if items.count > Self.toldItems {
      invocation.say("\(verb) \(run.count(items)).")
    } else {
      for item in items {
        let reference = item.reference?.description ?? ""
        invocation.say("\(verb) \(run.renderer.title(of: item)) (\(reference)).")
      }
    }
    if invocation.mode.isPlain, invocation.console.stdoutIsTerminal { return }
    let values = items.map { Value.object($0) }
    try write(isSingle ? values.first ?? .null : .list(values))
  }
}
