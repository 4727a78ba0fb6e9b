import Engine
import ErrandKit
import Glibc
import Source

/// A desktop dialog program and its command lines.
enum DesktopDialog: String, CaseIterable {
  case zenity, kdialog, rofi

  /// Returns the first installed program.
  static func installed() -> DesktopDialog? {
    let folders = (ProcessEnvironment.value("PATH") ?? "/usr/bin:/bin").split(separator: ":")
    return allCases.first { program in
      folders.contains { access("\($0)/\(program.rawValue)", X_OK) == 0 }
    }
  }

  /// Returns the command that asks for text.
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

  /// Returns the command that asks for a choice; it prints one index per line.
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

  /// Returns the command that asks for yes or no.
  func confirmation(_ prompt: String) -> [String] {
    switch self {
    case .zenity: ["zenity", "--question", "--title=Errand", "--text=\(escaped(prompt))"]
    case .kdialog: ["kdialog", "--title", "Errand", "--yesno", prompt]
    case .rofi:
      ["sh", "-c", "printf 'Yes\\nNo\\n' | rofi -dmenu -p \"$1\" | grep -qx Yes", "sh", prompt]
    }
  }

  /// Longest window text passed as an argument, in characters.
  private static let wordLimit = 20_000

  /// Returns the command that shows text.
  func window(_ text: String) -> [String] {
    let word = text.count > Self.wordLimit ? text.prefix(Self.wordLimit) + "…" : text
    return switch self {
    case .zenity: ["zenity", "--text-info", "--title=Errand", "--width=700", "--height=500"]
    case .kdialog: ["kdialog", "--title", "Errand", "--msgbox", word]
    case .rofi: ["rofi", "-e", word]
    }
  }

  /// Standard input of the command that shows text.
  func input(ofWindow text: String) -> [UInt8] { self == .zenity ? Array(text.utf8) : [] }

  /// Standard input of the command that asks for a choice.
  func input(_ choices: [Question.Choice]) -> [UInt8] {
    self == .rofi ? Array(choices.map { Self.line($0) + "\n" }.joined().utf8) : []
  }

  /// Parses the indices in an answer.
  func positions(_ answer: String, count: Int) -> [Int] {
    answer.split(separator: "\n").compactMap { Int($0) }.filter { (0..<count).contains($0) }
  }

  private static func line(_ choice: Question.Choice) -> String {
    [choice.title, choice.subtitle].compactMap { $0?.harmless() }.joined(separator: "  ·  ")
  }

  /// Escapes text for programs that read Pango markup.
  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
