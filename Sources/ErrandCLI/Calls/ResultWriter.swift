import CEL
import Engine
import ErrandKit
import Exchange
import Source

/// Hands the result of a command to the person or to the next program (language §8).
struct ResultWriter {
  let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  /// Writes what an intent or a shortcut came to.
  func write(_ outcome: Outcome) throws {
    if invocation.mode.isPlain, invocation.console.stdoutIsTerminal, !isNullSeparated {
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
    if invocation.mode.isPlain, invocation.console.stdoutIsTerminal, !isNullSeparated {
      return
    }
    let values = outcomes.filter { !$0.isStopped }.flatMap { outcome -> [Value] in
      if case .list(let values) = outcome.value { values } else { [outcome.value] }
    }
    try write(.list(values))
  }

  /// Shows on a terminal what one of several calls came to.
  func showOnTerminal(_ outcome: Outcome) throws {
    guard invocation.mode.isPlain, invocation.console.stdoutIsTerminal, !isNullSeparated
    else { return }
    try show(outcome)
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
