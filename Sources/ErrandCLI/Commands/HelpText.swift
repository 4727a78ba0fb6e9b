import Catalog
import Engine
import ErrandKit
import Items
import Source
import YAML

/// Help of the program and of each command, generated from their declarations.
struct HelpText {
  private let console: Console

  init(_ console: Console) { self.console = console }

  private func heading(_ text: TerminalText) -> TerminalText { console.style.bold(text) + "\n" }

  /// One-line description of the program.
  static let purpose = "Errand runs intents and shortcuts over your links, notes and tasks."

  private var purpose: TerminalText { prose(Self.purpose) + "\n" }

  /// A summary as a sentence.
  static func sentence(_ summary: String) -> String {
    "\(summary.prefix(1).uppercased())\(summary.dropFirst())."
  }

  /// First steps for an empty library, or the most common commands.
  ///
  /// - Parameter suggestions: Calls that the person probably wants now, with the reason.
  func start(isEmpty: Bool, suggestions: [(String, String)] = []) -> TerminalText {
    let next =
      isEmpty
      ? [
        ("errand save URL", "save a link"),
        ("errand import FILE", "import the bookmarks of your browser"),
        ("errand add-note TEXT", "add a note"),
        ("errand add-task TEXT", "add a task"),
      ]
      : [
        ("errand recent", "show the links you saved last"),
        ("errand search WORDS", "find links"),
        ("errand save URL", "save a link"),
        ("errand tasks", "list open tasks"),
        ("errand undo", "undo the latest change"),
      ]
    let now = suggestions.isEmpty ? "" : heading("Now") + table(suggestions) + "\n"
    return purpose + now + heading(isEmpty ? "Your library is empty. To begin" : "What next")
      + table(next) + "\n"
      + prose("`errand help` lists everything, `errand help COMMAND` explains one command.")
  }

  /// Lists everything that can be run, under headings.
  func overview(_ catalog: DefinitionCatalog) -> TerminalText {
    func names(_ name: String) -> String {
      let others = Alias.names(of: name).filter { catalog.place(ofAction: $0) == nil }
      return ([name] + others).joined(separator: ", ")
    }
    var text = purpose
    text += heading("Usage") + "  errand COMMAND [WORDS…] [FLAGS]\n\n"
    let intents = catalog.summaries(of: .intent)
    let shortcuts = catalog.summaries(of: .shortcut)
    func isBuiltIn(_ row: Errand.DefinitionSummary) -> Bool {
      row.origin == DefinitionCatalog.Layer.builtIn.displayName
    }
    func list(_ title: TerminalText, _ rows: [Errand.DefinitionSummary]) {
      if rows.isEmpty { return }
      text += heading(title)
      text += table(
        rows.map { (names($0.name), $0.description.isEmpty ? "(\($0.kind))" : $0.description) })
      text += "\n"
    }
    list("Your own intents and shortcuts", (intents + shortcuts).filter { !isBuiltIn($0) })
    list("Intents", intents.filter(isBuiltIn))
    list("Sample shortcuts", shortcuts.filter(isBuiltIn))
    for (subject, commands) in CommandTable.groups {
      text += heading("Commands for \(subject)")
      text += table(commands.map { (names($0.name), $0.summary) }) + "\n"
    }
    text += heading("Pages")
    text += table(GuidePage.all.map { ($0.name, $0.title) })
    return text + "\n" + prose("`errand help NAME` explains one of them.")
  }

  /// A page of the documentation.
  func page(_ page: GuidePage) -> TerminalText {
    page.blocks.map { block -> TerminalText in
      switch block {
      case .heading(let text): heading("\(text)")
      case .paragraph(let text): prose(text) + "\n"
      case .item(let text): item(text)
      case .code(let lines): lines.map { "    \($0.harmless())\n" as TerminalText }.joined() + "\n"
      case .table(let rows):
        table(rows.map { ($0[0], $0.dropFirst().filter { !$0.isEmpty }.joined(separator: " · ")) })
          + "\n"
      }
    }.joined()
  }

  private func item(_ text: String) -> TerminalText {
    let lines = text.harmless().wrapped(to: max(20, min(console.width, 100) - 4))
    return lines.enumerated().map { "\($0 == 0 ? "  - " : "    ")\($1)\n" as TerminalText }.joined()
  }

  /// Lists the aliases of a command; empty if it has none.
  private func also(_ name: String) -> TerminalText {
    let names = Alias.names(of: name).map { "errand \($0)" }
    return names.isEmpty ? "" : prose("also: " + names.joined(separator: ", "), indentation: "  ")
  }

  /// Returns the help of a built-in command.
  func command(_ command: Command) -> TerminalText {
    var text = prose(Self.sentence(command.summary))
    text += "\n" + heading("Usage")
    text += prose("errand \(command.name) \(command.usage)", indentation: "  ")
    text += also(command.name)
    if !command.discussion.isEmpty {
      text += "\n" + prose(command.discussion.replacing("\n", with: " "))
    }
    if !command.flags.isEmpty { text += "\n" + heading("Flags") + flags(command.flags) }
    return text + "\n" + heading("Common flags") + flags(command.commonFlags)
  }

  /// Returns the help of an intent or a shortcut.
  func action(_ definition: ActionDefinition) -> TerminalText {
    let arguments = ActionArguments(definition)
    var text = prose(definition.displayTitle + (definition.description.map { ": \($0)" } ?? ""))
    text += "\n" + heading("Usage")
    text += prose(
      "errand \(definition.name.text) \(arguments.usage)"
        + (definition.parameters.isEmpty ? "" : " [FLAGS]"), indentation: "  ")
    text += also(definition.name.text)
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
      text += SpokenExamples.sentences(of: definition).map { prose($0, indentation: "  ") }.joined()
    }
    return text
  }

  /// Returns the help of an entity.
  func entity(_ entity: EntityDefinition) -> TerminalText {
    let name = entity.name.text
    let word = entity.displayName.replacing(" ", with: "-")
    var text = prose(name + (entity.description.map { ": \($0)" } ?? ""))
    text += "\n" + heading("Properties")
    text += table(
      entity.properties.map { property in
        let title = property.description ?? property.title
        return (
          property.name.text, Self.wording(of: property.type) + (title.map { ": \($0)" } ?? "")
        )
      })
    text += "\n" + heading("Commands")
    return text
      + table([
        ("errand find \(name)", "find items by words or a condition"),
        ("errand create \(name) NAME=VALUE…", "create one"),
        ("errand get \(word):1", "show one with all properties"),
        ("errand show \(name)", "show its definition"),
      ])
  }

  private func describe(_ parameter: ParameterDefinition) -> String {
    let text =
      parameter.description ?? parameter.title
      ?? parameter.prompt?.plainText ?? Self.wording(of: parameter.type)
    return parameter.isRequired ? text + " (asked for if missing)" : text
  }

  /// A type, or the values of an enumeration.
  private static func wording(of type: DataType) -> String {
    guard case .enumeration(let values) = type.unwrapped, !values.isEmpty else {
      return type.description
    }
    return values.joined(separator: "|")
  }

  /// Lists names with their descriptions, for `errand list`.
  func listing(_ rows: [Errand.DefinitionSummary]) -> TerminalText {
    var text: TerminalText = ""
    for kind in Definition.Kind.allCases.reversed() where !kind.isWording {
      let ofKind = rows.filter { $0.kind == kind.rawValue }
      guard !ofKind.isEmpty else { continue }
      let title: TerminalText =
        switch kind {
        case .entity: "Entities"
        case .intent: "Intents"
        case .shortcut: "Shortcuts"
        case .automation: "Automations"
        case .widget: "Widgets"
        case .translation, .vocabulary: ""
        }
      text += (text.isEmpty ? "" : "\n") + heading(title)
      text += table(
        ofKind.map { row in
          (
            row.name,
            row.description
              + (row.origin == DefinitionCatalog.Layer.builtIn.displayName
                ? "" : " [\(row.origin)]")
          )
        })
    }
    return text
  }

  private func flags(_ flags: [Flag]) -> TerminalText { table(flags.map { ($0.usage, $0.help) }) }

  /// Minimum width of the description column.
  private static let leastWidth = 28

  /// Lays out two columns, the second wrapped to the terminal width; descriptions go below long
  /// names.
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

  /// Wraps a paragraph to the terminal width.
  private func prose(_ text: String, indentation: String = "") -> TerminalText {
    text.split(separator: "\n").flatMap {
      String($0).harmless().wrapped(to: max(20, min(console.width, 100) - indentation.count))
    }.map { "\(indentation)\($0)\n" as TerminalText }.joined()
  }
}
