import Catalog
import Engine
import ErrandKit
import Source

/// A manual page in the man(7) format, made from the texts of `errand help`.
enum ManPage: String {
  case errand = "errand.1"
  case language = "errand-language.5"

  /// The hidden command that prints one, for `make install`.
  static let name = "__man"

  /// The page.
  var text: String {
    var page = Writer()
    switch self {
    case .errand: Self.writeProgram(to: &page)
    case .language: Self.writeLanguage(to: &page)
    }
    return page.text
  }

  private static func writeProgram(to page: inout Writer) {
    page.begin("ERRAND", section: 1, name: "errand", "run intents and shortcuts")
    page.heading("SYNOPSIS")
    page.paragraph("`errand` COMMAND [WORDS…] [FLAGS]")
    page.heading("DESCRIPTION")
    page.paragraph(HelpText.purpose)
    page.paragraph("`errand help NAME` explains a command, an intent, a shortcut or a page.")
    let catalog = DefinitionCatalog()
    for (title, kind) in [("INTENTS", Definition.Kind.intent), ("SHORTCUTS", .shortcut)] {
      page.heading(title)
      for row in catalog.summaries(of: kind) { page.item(row.name, row.description) }
    }
    for (subject, commands) in CommandTable.groups {
      page.heading("COMMANDS FOR \(subject.uppercased())")
      for command in commands {
        page.item("errand \(command.name) \(command.usage)", HelpText.sentence(command.summary))
        page.inset {
          if !command.discussion.isEmpty { $0.paragraph(command.discussion) }
          for flag in command.flags { $0.item(flag.usage, flag.help) }
        }
      }
    }
    page.heading("COMMON FLAGS")
    for flag in Flag.common { page.item(flag.usage, flag.help) }
    page.heading("SEE ALSO")
    page.paragraph("`errand-language`(5)")
  }

  private static func writeLanguage(to page: inout Writer) {
    page.begin(
      "ERRAND-LANGUAGE", section: 5, name: "errand-language",
      "language of Errand's entities, intents and shortcuts")
    page.heading("DESCRIPTION")
    page.paragraph("`errand help PAGE` shows each of these pages, too.")
    for guide in GuidePage.all {
      for (index, block) in guide.blocks.enumerated() {
        switch block {
        case .heading(let text): index == 0 ? page.heading(text) : page.subheading(text)
        case .paragraph(let text): page.paragraph(text)
        case .item(let text): page.item("•", text)
        case .code(let lines): page.code(lines)
        case .table(let rows):
          for row in rows {
            page.item(row[0], row.dropFirst().filter { !$0.isEmpty }.joined(separator: " · "))
          }
        }
      }
    }
    page.heading("SEE ALSO")
    page.paragraph("`errand`(1)")
  }

  /// Writes man(7) requests and escaped text.
  private struct Writer {
    private(set) var text = ""
    /// Whether the last line is a heading, after which `.PP` is redundant.
    private var isAfterHeading = false

    mutating func begin(_ title: String, section: Int, name: String, _ summary: String) {
      line(".TH \(title) \(section) \(Release.date) \"Errand \(Release.version)\"")
      heading("NAME")
      line("\(name) \\- \(Self.escaped(summary))")
    }

    mutating func heading(_ text: String) {
      line(".SH \"\(Self.plain(text))\"")
      isAfterHeading = true
    }

    mutating func subheading(_ text: String) {
      line(".SS \"\(Self.plain(text))\"")
      isAfterHeading = true
    }

    mutating func paragraph(_ text: String) {
      if !isAfterHeading { line(".PP") }
      line(Self.escaped(text))
    }

    /// A name with its description.
    mutating func item(_ name: String, _ text: String) {
      if text.isEmpty || name.isEmpty { return paragraph(name + text) }
      line(".TP")
      line(Self.escaped(name))
      line(Self.escaped(text))
    }

    mutating func code(_ lines: [String]) {
      if !isAfterHeading { line(".PP") }
      for request in [".RS 4", ".nf"] { line(request) }
      for text in lines { line(Self.escaped(text, isCode: true)) }
      for request in [".fi", ".RE"] { line(request) }
    }

    /// Writes an indented part.
    mutating func inset(_ body: (inout Writer) -> Void) {
      var inner = Writer()
      body(&inner)
      if !inner.text.isEmpty { text += ".RS\n" + inner.text + ".RE\n" }
    }

    private mutating func line(_ line: String) {
      text += line + "\n"
      isAfterHeading = false
    }

    /// Text without the backquotes of code, for a quoted argument.
    private static func plain(_ text: String) -> String {
      escaped(text.replacing("`", with: "")).replacing("\"", with: "\\(dq")
    }

    /// Text that contains no requests and escapes; in prose, code becomes bold.
    private static func escaped(_ text: String, isCode: Bool = false) -> String {
      var result = text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : ""
      var isBold = false
      for character in text {
        switch character {
        case "\\": result += "\\e"
        case "-": result += "\\-"
        case "\n", "\t": result += " "
        case "`" where !isCode:
          isBold.toggle()
          result += isBold ? "\\fB" : "\\fR"
        default: result.append(character)
        }
      }
      while result.last == " " { result.removeLast() }
      return result + (isBold ? "\\fR" : "")
    }
  }
}
