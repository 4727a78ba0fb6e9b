import Engine
import ErrandKit
import Glibc
import Source

/// A program that shows windows with questions, and how it is called.
enum DesktopDialog: String, CaseIterable {
  case zenity, kdialog, rofi

  /// The first one that is installed.
  static func installed() -> DesktopDialog? {
    let folders = (ProcessEnvironment.value("PATH") ?? "/usr/bin:/bin").split(separator: ":")
    return allCases.first { program in
      folders.contains { access("\($0)/\(program.rawValue)", X_OK) == 0 }
    }
  }

  /// Asks for a text.
  func text(_ prompt: String, _ defaultText: String, _ suggestions: [String]) -> [String] {
    switch self {
    case .zenity:
      [
        "zenity", "--entry", "--title=Errand", "--text=\(escaped(prompt))",
        "--entry-text=\(defaultText)",
      ]
        + suggestions
    case .kdialog: ["kdialog", "--title", "Errand", "--inputbox", prompt, defaultText]
    case .rofi: ["rofi", "-dmenu", "-p", prompt, "-filter", defaultText]
    }
  }

  /// Asks for a choice; the answer is the positions, a line each.
  func choice(_ prompt: String, _ choices: [Question.Choice], many: Bool) -> [String] {
    switch self {
    case .zenity:
      ["zenity", "--list", "--title=Errand", "--text=\(escaped(prompt))", "--separator=\n"]
        + (many ? ["--multiple"] : [])
        + [
          "--column=#", "--column=", "--hide-column=1", "--print-column=1", "--width=600",
          "--height=400",
        ]
        + choices.enumerated().flatMap { [String($0.offset), Self.line($0.element)] }
    case .kdialog:
      [
        "kdialog", "--title", "Errand", "--separate-output", many ? "--checklist" : "--menu",
        prompt,
      ]
        + choices.enumerated().flatMap { offset, choice in
          [String(offset), Self.line(choice)] + (many ? ["off"] : [])
        }
    case .rofi:
      ["rofi", "-dmenu", "-i", "-p", prompt, "-format", "i"] + (many ? ["-multi-select"] : [])
    }
  }

  /// Asks for a yes.
  func confirmation(_ prompt: String) -> [String] {
    switch self {
    case .zenity: ["zenity", "--question", "--title=Errand", "--text=\(escaped(prompt))"]
    case .kdialog: ["kdialog", "--title", "Errand", "--yesno", prompt]
    case .rofi:
      ["sh", "-c", "printf 'Yes\\nNo\\n' | rofi -dmenu -p \"$1\" | grep -qx Yes", "sh", prompt]
    }
  }

  /// The longest text of a window that is given as a word, in characters.
  private static let wordLimit = 20_000

  /// Shows a text.
  func window(_ text: String) -> [String] {
    let word = text.count > Self.wordLimit ? text.prefix(Self.wordLimit) + "…" : text
    return switch self {
    case .zenity: ["zenity", "--text-info", "--title=Errand", "--width=700", "--height=500"]
    case .kdialog: ["kdialog", "--title", "Errand", "--msgbox", word]
    case .rofi: ["rofi", "-e", word]
    }
  }

  /// What the program reads of a text that it shows.
  func input(ofWindow text: String) -> [UInt8] { self == .zenity ? Array(text.utf8) : [] }

  /// What the program reads of the choices.
  func input(_ choices: [Question.Choice]) -> [UInt8] {
    self == .rofi ? Array(choices.map { Self.line($0) + "\n" }.joined().utf8) : []
  }

  /// The positions in an answer.
  func positions(_ answer: String, count: Int) -> [Int] {
    answer.split(separator: "\n").compactMap { Int($0) }.filter { (0..<count).contains($0) }
  }

  private static func line(_ choice: Question.Choice) -> String {
    [choice.title, choice.subtitle].compactMap { $0?.harmless() }.joined(separator: "  ·  ")
  }

  /// The text for a program that reads marks of Pango in it.
  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
