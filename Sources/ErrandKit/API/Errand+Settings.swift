import CEL
import Engine
import Glibc
import Source

extension Errand {
  /// A setting and its current value.
  public struct Setting: Hashable, Sendable {
    /// The source of a value.
    public typealias Origin = SettingOrigin

    /// The name, such as `linkBase`.
    public let name: String
    /// The effective value.
    public let value: String
    /// The default value; empty if there is none.
    public let `default`: String
    /// The source of the effective value.
    public let origin: Origin
    /// A short description.
    public let description: String
  }

  /// All settings in the order of `errand settings`.
  public var settings: [Setting] {
    ErrandKit.Setting.allCases.map { setting in
      let entry = knownSettings.entry(setting)
      return Setting(
        name: setting.rawValue, value: entry.value, default: setting.defaultValue,
        origin: entry.origin, description: setting.help)
    }
  }

  /// The effective value of a setting.
  package func value(of setting: ErrandKit.Setting) -> String {
    knownSettings.value(of: setting)
  }

  /// Whether a setting is on in a settings file.
  package static func isOn(_ setting: ErrandKit.Setting, inSettings path: String) -> Bool {
    Settings(path: path, environment: ProcessEnvironment.value) { _ in }.value(of: setting) == "on"
  }

  /// Changes or resets a setting; comments in the settings file are preserved.
  ///
  /// - Parameters:
  ///   - name: The name of a setting.
  ///   - value: The new value; nil to reset to the default.
  /// - Throws: `not-found` for an unknown setting, `invalid-value`, `io` if the file cannot be
  ///   written, or the code of its YAML error.
  public func set(_ name: String, to value: String?) throws(ErrandError) {
    guard let setting = ErrandKit.Setting(named: name) else {
      throw ErrandError(
        code: "not-found", message: "unknown setting `\(name)`",
        help: Suggestion.help(for: name, in: ErrandKit.Setting.allCases.map(\.rawValue)))
    }
    if let value, let problem = setting.problem(with: value) {
      throw ErrandError(code: "invalid-value", message: "`\(name)`: “\(value)” \(problem)")
    }
    let path = try neededPlaces().settings
    try ErrandError.translating { try SettingsFile(path: path).save(setting, as: value) }
    try reload()
    if setting == .shelf, value == "off" { try emptyShelf() }
  }

  /// Deletes the links that others shared.
  ///
  /// - Throws: `store`, `busy`.
  package func emptyShelf() throws(ErrandError) {
    guard access(try storePath(), F_OK) == 0 else { return }
    let references = try reader().find("Shared", limit: .max).map(\.reference)
    if !references.isEmpty { _ = try writer(as: "shelf").delete(references) }
  }

  /// Returns the names of the secrets in the person's secret file; the values are never returned.
  ///
  /// - Throws: `unreadable` if other users can read the file.
  public func secretNames() throws(ErrandError) -> [String] {
    let file = SecretFile(try neededPlaces())
    return try ErrandError.translating { try file.read().keys.sorted() }
  }

  /// Saves or removes a secret; definitions read it with `secret("NAME")`.
  ///
  /// - Parameters:
  ///   - name: Up to 64 letters, digits, `_`, `-` and `.`.
  ///   - value: The text, at least four characters (a shorter one cannot be redacted in output);
  ///     nil to remove it.
  /// - Throws: `invalid-value`, `not-found` if there is nothing to remove, `unreadable`,
  ///   `unwritable`.
  public func setSecret(_ name: String, to value: String?) throws(ErrandError) {
    let file = SecretFile(try neededPlaces())
    if let value,
      let problem = SecretFile.problem(withName: name) ?? SecretFile.problem(withText: value)
    {
      throw ErrandError(code: "invalid-value", message: problem)
    }
    try ErrandError.translating {
      if value == nil, try file.read()[name] == nil {
        throw RunError(.notFound, "there is no secret “\(name)”")
      }
      try file.change { $0[name] = value }
    }
  }
}
