import CEL
import Engine
import ErrandKit
import Glibc
import Links
import Program
import Source
import Store

/// `errand settings`: shows and changes settings.
enum SettingsCommand {
  static let command: Command = .init(
    "settings", "show and change settings",
    usage: "[get SETTING | set SETTING VALUE | unset SETTING]",
    discussion: "Comments in the settings file are kept.",
    serves: [.json, .format, .events]
  ) { invocation, arguments in
    let words = arguments.words
    switch (words.first, words.count) {
    case (nil, _): try list(invocation)
    case ("set", 3): try set(words[1], to: words[2], invocation)
    case ("set", 2) where WordForm.isField(words[1]):
      for field in try ItemWords.fields(words[1...]) {
        try set(field.name, to: field.text, invocation)
      }
    case ("unset", 2): try set(words[1], to: nil, invocation)
    case ("get", 2):
      let setting = try setting(named: words[1])
      try invocation.resultWriter.write(.string(invocation.settings.entry(setting).value))
    case (let word?, 1) where Setting(named: word) != nil:
      throw UsageError(
        "unknown subcommand “\(word)”", help: "`errand settings get \(word)` shows its value")
    case (let word?, 2) where Setting(named: word) != nil:
      throw UsageError(
        "unknown subcommand “\(word)”",
        help: "write errand settings set \(word) \(words[1].quotedForShell)")
    case (let word?, 1) where WordForm.isField(word):
      let forms = try ItemWords.fields(words[...]).map { "\($0.name) \($0.text.quotedForShell)" }
      throw UsageError(
        "unknown subcommand “\(word)”", help: "write errand settings set \(forms.joined())")
    default: throw command.misuse(words)
    }
  }

  private static func setting(named name: String) throws(UsageError) -> Setting {
    try Setting(named: name).expected(
      "unknown setting `\(name)`",
      help: Suggestion.help(for: name, in: Setting.allCases.map(\.rawValue)))
  }

  /// A row of the list.
  private struct Row {
    let name: String
    let value: String
    let defaultValue: String
    let origin: String
    let help: String
  }

  private static func list(_ invocation: Invocation) throws {
    var rows = Setting.allCases.map { setting in
      let entry = invocation.settings.entry(setting)
      return Row(
        name: setting.rawValue, value: entry.value, defaultValue: setting.defaultValue,
        origin: entry.origin.rawValue, help: setting.help)
    }
    if let key = try publicKey(invocation) {
      rows.append(
        Row(
          name: "publicKey", value: key, defaultValue: "", origin: "key",
          help: "seals links that only you can open: `share --recipient`"))
    }
    let report = Report<Row>(
      columns: [
        "name": \.name, "value": \.value, "from": \.origin, "what it does": \.help,
      ],
      value: {
        .record([
          "name": $0.name, "value": $0.value, "default": $0.defaultValue, "from": $0.origin,
          "description": $0.help,
        ])
      }, form: .tableOrLines { "\($0.name)\t\($0.value)" })
    try report.write(rows, to: invocation)
  }

  /// The public key with which others seal links for this library; nil if its key cannot be used.
  private static func publicKey(_ invocation: Invocation) throws -> String? {
    guard let path = invocation.makeHost().keyPath else { return nil }
    let recorded = try? invocation.storeIfMade()?.signingKeyID()
    return (try? LinkKeyFile(path: path).keyForSigning(recordedID: recorded))
      .flatMap(LinkIdentity.init)?.address.text
  }

  private static func set(
    _ name: String, to value: String?, _ invocation: Invocation
  ) throws {
    let setting = try setting(named: name)
    if let value, let problem = setting.problem(with: value) {
      throw UsageError("`\(name)`: “\(value)” \(problem)")
    }
    if setting == .holidays, let value,
      let problem = HolidaySource.problem(with: value, ProcessEnvironment.value)
    {
      throw UsageError("`\(name)`: \(problem)", help: "name a calendar, or write days with commas")
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
