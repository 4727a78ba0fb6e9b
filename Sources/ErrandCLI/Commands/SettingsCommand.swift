import CEL
import Engine
import Glibc
import Source

/// `errand settings`: shows what can be set, and sets it.
enum SettingsCommand {
  static let command = Command(
    "settings", "show what can be set, and set it", usage: "[set NAME VALUE | unset NAME]",
    discussion: "Comments in the file of settings are kept.",
    serves: [.json, .format, .events]
  ) { invocation, arguments in
    let words = arguments.words
    switch (words.first, words.count) {
    case (nil, _): try list(invocation)
    case ("set", 3): try set(words[1], to: words[2], invocation)
    case ("unset", 2): try set(words[1], to: nil, invocation)
    case ("set", _):
      throw UsageError(
        "`settings set` takes a name and a value", help: "errand settings set linkBase https://…")
    case ("unset", _): throw UsageError("`settings unset` takes a name")
    case (let word?, _):
      throw UsageError(
        "`settings` takes set or unset, and “\(word)” is neither",
        help: Suggestion.help(for: word, in: ["set", "unset"]))
    }
    return ExitStatus.done
  }

  private static func list(_ invocation: Invocation) throws {
    let settings = invocation.settings
    let entries = Setting.allCases.map { ($0, settings.entry($0)) }
    if invocation.mode.isPlain {
      guard invocation.console.stdoutIsTerminal else {
        for (setting, entry) in entries {
          invocation.console.result("\(setting.rawValue)\t\(entry.value)\n")
        }
        return
      }
      let rows = entries.map { setting, entry in
        [setting.rawValue, entry.value, entry.origin.rawValue, setting.help]
      }
      let table = Presentation(
        .table(columns: ["name", "value", "from", "what it does"], rows: rows), value: .null)
      return invocation.front.show(table)
    }
    try invocation.resultWriter.write(
      .list(
        entries.map { setting, entry in
          .map(
            MapValue([
              ("name", .string(setting.rawValue)), ("value", .string(entry.value)),
              ("default", .string(setting.usual)), ("from", .string(entry.origin.rawValue)),
              ("description", .string(setting.help)),
            ]))
        }))
  }

  private static func set(
    _ name: String, to value: String?, _ invocation: Invocation
  ) throws {
    guard let setting = Setting(rawValue: name) else {
      throw UsageError(
        "there is no setting `\(name)`",
        help: Suggestion.help(for: name, in: Setting.allCases.map(\.rawValue)))
    }
    if let value, let problem = setting.problem(with: value) {
      throw UsageError("`\(name)`: “\(value)” \(problem)")
    }
    guard let path = invocation.settings.path else {
      throw UsageError("there is no place for settings: HOME is not set")
    }
    let file = try SettingsFile(path: path)
    if let problem = file.problems.first(where: { $0.id.hasPrefix("yaml") }) {
      throw Diagnostics([problem])
    }
    let text = file.text(setting: setting, to: value)
    guard PrivateFile(path: path).replace(Array(text.utf8), isDurable: true) else {
      throw RunError(.io, "\(path) can't be written: \(String(cString: strerror(errno)))")
    }
    if let variable = setting.variable, Environment.value(variable) != nil {
      invocation.console.err("errand: \(variable) is set, too, and goes before it\n")
    }
    if let value {
      invocation.say("Set \(name) to \(value).")
    } else {
      invocation.say("Took out \(name); it is \(setting.usual) again.")
    }
  }
}
