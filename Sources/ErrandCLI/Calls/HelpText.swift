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

  /// The columns that a description needs beside a name.
  private static let leastWidth = 28

  /// Two columns, the second wrapped to the width of the terminal; where names leave no room, each
  /// description below its name.
  private func table(_ rows: [(String, String)]) -> TerminalText {
    let rows = rows.map { ($0.0.harmless(), $0.1.harmless()) }
    let left = min(28, rows.map { $0.0.displayWidth }.max() ?? 0)
    let isNarrow = console.width - left - 4 < Self.leastWidth
    let width =
      isNarrow ? max(12, console.width - 6) : max(20, min(console.width, 100) - left - 4)
    let indent = String(repeating: " ", count: isNarrow ? 6 : left + 4)
    var text: TerminalText = ""
    for (name, description) in rows {
      var lines = description.wrapped(to: width)
      if isNarrow {
        text += name.wrapped(to: max(12, console.width - 2))
          .map { "  \(console.style.accent("\($0)"))\n" as TerminalText }.joined()
      } else if name.displayWidth > left {
        text += "  \(name)\n"
      } else {
        text += "  \(console.style.accent("\(name)"))\(name.padded(to: left).dropFirst(name.count))"
        text += "  \(lines.removeFirst())\n"
      }
      text += lines.map { "\(indent)\($0)\n" as TerminalText }.joined()
    }
    return text
  }

  /// A paragraph as wide as the terminal, at most.
  private func prose(_ text: String, indentation: String = "") -> TerminalText {
    text.split(separator: "\n").flatMap {
      String($0).harmless().wrapped(to: max(20, min(console.width, 100) - indentation.count))
    }.map { "\(indentation)\($0)\n" as TerminalText }.joined()
  }
}
