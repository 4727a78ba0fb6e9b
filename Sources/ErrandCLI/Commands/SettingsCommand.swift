import CEL
import Engine
import ErrandKit
import Glibc
import Source

/// `errand settings`: shows and changes settings.
enum SettingsCommand {
  static let command = Command(
    "settings", "show and change settings", usage: "[set SETTING VALUE | unset SETTING]",
    discussion: "Comments in the settings file are kept.",
    serves: [.json, .format, .events]
  ) { invocation, arguments in
    let words = arguments.words
    switch (words.first, words.count) {
    case (nil, _): try list(invocation)
    case ("set", 3): try set(words[1], to: words[2], invocation)
    case ("unset", 2): try set(words[1], to: nil, invocation)
    case ("set", _):
      throw UsageError(
        "`settings set` needs a name and a value", help: "errand settings set linkBase https://…")
    case ("unset", _):
      throw UsageError("`settings unset` needs a name", help: "errand settings unset linkBase")
    case (let word?, _):
      throw UsageError(
        "unknown subcommand “\(word)”",
        help: ["get", "show", "list"].contains(word)
          ? "`errand settings` shows all of them"
          : "choose `errand settings set NAME VALUE` or `errand settings unset NAME`")
    }
  }

  private static func list(_ invocation: Invocation) throws {
    let settings = invocation.settings
    func value(_ setting: Setting) -> String { settings.entry(setting).value }
    func origin(_ setting: Setting) -> String { settings.entry(setting).origin.rawValue }
    let report = Report<Setting>(
      columns: ["name": \.rawValue, "value": value, "from": origin, "what it does": \.help],
      value: {
        .record([
          "name": $0.rawValue, "value": value($0), "default": $0.defaultValue, "from": origin($0),
          "description": $0.help,
        ])
      }, form: .tableOrLines { "\($0.rawValue)\t\(value($0))" })
    try report.write(Setting.allCases, to: invocation)
  }

  private static func set(
    _ name: String, to value: String?, _ invocation: Invocation
  ) throws {
    let setting = try Setting(named: name).expected(
      "unknown setting `\(name)`",
      help: Suggestion.help(for: name, in: Setting.allCases.map(\.rawValue)))
    if let value, let problem = setting.problem(with: value) {
      throw UsageError("`\(name)`: “\(value)” \(problem)")
    }
    let path = try invocation.settings.path.expected("cannot find the settings: HOME is not set")
    try SettingsFile(path: path).save(setting, as: value)
    if setting == .shelf, value == "off" { try Errand.open().emptyShelf() }
    if let variable = setting.variable, ProcessEnvironment.value(variable) != nil {
      invocation.console.err("errand: \(variable) is set, too, and takes precedence\n")
    }
    if let value {
      invocation.say("Set \(setting.rawValue) to \(value).")
    } else {
      invocation.say(
        "\(setting.rawValue) is \(setting.defaultValue.isEmpty ? "not set" : setting.defaultValue) again."
      )
    }
  }
}
