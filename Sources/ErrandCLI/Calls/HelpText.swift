import Catalog
import Engine
import ErrandKit
import Items
import Source
import YAML

/// The help of the program and of each command, made from what they declare.
struct HelpText {
  private let console: Console

  init(_ console: Console) {
    self.console = console
  }

  private func heading(_ text: TerminalText) -> TerminalText { console.style.bold(text) + "\n" }

  /// What it is for.
  private var purpose: TerminalText {
    prose("Errand runs intents and shortcuts over your links, notes and tasks.") + "\n"
  }

  /// The first steps, or what is done most once there are items.
  func start(isEmpty: Bool) -> TerminalText {
    let next =
      isEmpty
      ? [
        ("errand save URL", "save a link"),
        ("errand import FILE", "import the bookmarks of your browser"),
        ("errand add-note TEXT", "write a note"),
        ("errand add-task TEXT", "write down something to do"),
      ]
      : [
        ("errand recent", "show the links you saved last"),
        ("errand search WORDS", "find links"),
        ("errand save URL", "save a link"),
        ("errand tasks", "show what is to be done"),
        ("errand undo", "undo the latest change"),
      ]
    return purpose + heading(isEmpty ? "Your library is empty. To begin" : "What next")
      + table(next) + "\n"
      + prose("`errand help` lists everything, `errand help COMMAND` explains one command.")
  }

  /// The other names of a command or an intent.
  typealias OtherNames = (_ name: String) -> [String]

  /// All that can be run, under headings.
  func overview(
    _ library: Library, _ groups: [(subject: String, commands: [Command])],
    _ otherNames: OtherNames
  ) -> TerminalText {
    let listing = DefinitionListing(library)
    func names(_ name: String) -> String {
      let others = otherNames(name).filter { library.place(ofAction: $0) == nil }
      return ([name] + others).joined(separator: ", ")
    }
    var text = purpose
    text += heading("Usage") + "  errand COMMAND [WORDS…] [FLAGS]\n\n"
    text += heading("Intents")
    text += table(listing.rows(of: .intent).map { (names($0.name), $0.description) })
    text += "\n" + heading("Shortcuts")
    text += table(listing.rows(of: .shortcut).map { (names($0.name), $0.description) })
    for (subject, commands) in groups {
      text += "\n" + heading("Commands for \(subject)")
      text += table(commands.map { (names($0.name), $0.summary) })
    }
    return text + "\n" + prose("`errand help COMMAND` explains one of them.")
  }

  /// The other names of something, as a line of its help; empty when it has none.
  private func also(_ names: [String]) -> TerminalText {
    let names = names.map { "errand \($0)" }
    return names.isEmpty ? "" : prose("also: " + names.joined(separator: ", "), indentation: "  ")
  }

  /// The help of one of the program's own commands.
  func command(_ command: Command, _ otherNames: OtherNames) -> TerminalText {
    var text = prose("\(command.summary.prefix(1).uppercased())\(command.summary.dropFirst()).")
    text += "\n" + heading("Usage")
    text += prose("errand \(command.name) \(command.usage)", indentation: "  ")
    text += also(otherNames(command.name))
    if !command.discussion.isEmpty {
      text += "\n" + prose(command.discussion.replacing("\n", with: " "))
    }
    if !command.flags.isEmpty { text += "\n" + heading("Flags") + flags(command.flags) }
    return text + "\n" + heading("Common flags") + flags(command.commonFlags)
  }

  /// The help of an intent or a shortcut.
  func action(_ definition: ActionDefinition, _ otherNames: OtherNames) -> TerminalText {
    let arguments = ActionArguments(definition)
    var text = prose(
      definition.displayTitle + (definition.description.map { ": \($0)" } ?? ""))
    text += "\n" + heading("Usage")
    text += prose(
      "errand \(definition.name.text) \(arguments.usage)"
        + (definition.parameters.isEmpty ? "" : " [FLAGS]"), indentation: "  ")
    text += also(otherNames(definition.name.text))
    let positional = arguments.positional
    if !positional.isEmpty {
      text += "\n" + heading("Words")
      text += table(
        positional.map { parameter in
          let name = parameter.sources != nil ? "input" : parameter.name.text
          return (name.uppercased(), describe(parameter))
        })
    }
    text += "\n" + heading("Flags") + flags(arguments.flags(described: true))
    text += "\n" + heading("Common flags") + flags(Flag.common)
    if !definition.phrases.isEmpty {
      text += "\n" + heading("Phrases")
      text += definition.phrases.map { "  \($0.text)\n" as TerminalText }.joined()
    }
    return text
  }

  private func describe(_ parameter: ParameterDefinition) -> String {
    let text =
      parameter.description ?? parameter.title
      ?? parameter.prompt?.plainText ?? parameter.type.description
    return parameter.isRequired ? text + " (asked for if missing)" : text
  }

  /// Names with their descriptions, for `list`.
  func listing(_ rows: [DefinitionListing.Row]) -> TerminalText {
    var text: TerminalText = ""
    for kind in Definition.Kind.allCases.reversed() {
      let ofKind = rows.filter { $0.kind == kind }
      guard !ofKind.isEmpty else { continue }
      let title: TerminalText =
        switch kind {
        case .entity: "Entities"
        case .intent: "Intents"
        case .shortcut: "Shortcuts"
        case .automation: "Automations"
        }
      text += (text.isEmpty ? "" : "\n") + heading(title)
      text += table(
        ofKind.map { row in
          (row.name, row.description + (row.layer == .builtIn ? "" : " [\(row.layer.displayName)]"))
        })
    }
    return text
  }

  private func flags(_ flags: [Flag]) -> TerminalText {
    table(flags.map { ($0.usage, $0.help) })
  }

  /// Two columns, the second wrapped to the width of the terminal.
  private func table(_ rows: [(String, String)]) -> TerminalText {
    let rows = rows.map { ($0.0.harmless(), $0.1.harmless()) }
    let left = min(28, rows.map { $0.0.displayWidth }.max() ?? 0)
    // Beside names as wide as that nothing could be read.
    if console.width - left - 4 < Self.leastWidth { return list(rows) }
    let width = max(20, min(console.width, 100) - left - 4)
    var text: TerminalText = ""
    for (name, description) in rows {
      let lines = wrapped(description, width)
      let padding = String(repeating: " ", count: max(0, left - name.displayWidth))
      let indent = String(repeating: " ", count: left + 4)
      if name.displayWidth > left {
        text += "  \(name)\n" + lines.map { "\(indent)\($0)\n" as TerminalText }.joined()
      } else {
        text += "  \(console.style.accent("\(name)"))\(padding)  \(lines.first ?? "")\n"
        text += lines.dropFirst().map { "\(indent)\($0)\n" as TerminalText }.joined()
      }
    }
    return text
  }

  /// How many columns a description needs beside a name.
  private static let leastWidth = 28

  /// Names, each with its description below.
  private func list(_ rows: [(String, String)]) -> TerminalText {
    var text: TerminalText = ""
    for (name, description) in rows {
      let names = wrapped(name, max(12, console.width - 2))
      text += names.map { "  \(console.style.accent("\($0)"))\n" as TerminalText }.joined()
      text += wrapped(description, max(12, console.width - 6))
        .map { "      \($0)\n" as TerminalText }.joined()
    }
    return text
  }

  /// A paragraph as wide as the terminal, at most.
  private func prose(_ text: String, indentation: String = "") -> TerminalText {
    let width = max(20, min(console.width, 100) - indentation.count)
    return text.split(separator: "\n").map(String.init).flatMap { wrapped($0.harmless(), width) }
      .map { "\(indentation)\($0)\n" as TerminalText }.joined()
  }

  private func wrapped(_ text: String, _ width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.displayWidth + 1 + word.displayWidth > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + [line]
  }
}
