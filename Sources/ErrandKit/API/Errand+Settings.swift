import CEL
import Engine
import Source

extension Errand {
  /// Something that a person can set.
  public struct Setting: Hashable, Sendable {
    /// The origin of a value.
    public enum Origin: String, Sendable {
      /// A variable of the environment, which counts before the file.
      case environment
      /// The file of settings.
      case file
      /// The default.
      case `default`
    }

    /// The name, such as `linkBase`.
    public let name: String
    /// The value that counts.
    public let value: String
    /// The value that counts where nothing is set; empty for none.
    public let `default`: String
    /// The origin of the value.
    public let origin: Origin
    /// What it does, in a few words.
    public let description: String
  }

  /// All settings in the order in which `errand settings` lists them.
  public var settings: [Setting] {
    ErrandKit.Setting.allCases.map { setting in
      let entry = knownSettings.entry(setting)
      return Setting(
        name: setting.rawValue, value: entry.value, default: setting.usual,
        origin: Setting.Origin(rawValue: entry.origin.rawValue) ?? .default,
        description: setting.help)
    }
  }

  /// Sets something, or sets it no longer; comments in the file of settings are kept.
  ///
  /// - Parameters:
  ///   - name: The name of a setting.
  ///   - value: The value; nil for the default.
  /// - Throws: `not-found` for an unknown setting, `invalid-value`, `io` where the file can't be
  ///   written, and the code of what is wrong with it as YAML.
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
  }

  /// The names of the secrets that are kept in the person's own file; their values are never given.
  ///
  /// - Throws: `unreadable` where others may read the file.
  public func secretNames() throws(ErrandError) -> [String] {
    let path = try neededPlaces().secrets
    return try ErrandError.translating { try SecretFile(path: path).read().keys.sorted() }
  }

  /// Keeps a secret, or keeps it no longer; definitions read it with `secret("NAME")`.
  ///
  /// - Parameters:
  ///   - name: Up to 64 letters, digits, `_`, `-` and `.`.
  ///   - value: The text, of at least four characters, as a shorter one can't be hidden in output; nil
  ///     to remove it.
  /// - Throws: `invalid-value`, `not-found` when there is none to remove, `unreadable`, `unwritable`.
  public func setSecret(_ name: String, to value: String?) throws(ErrandError) {
    let file = SecretFile(path: try neededPlaces().secrets)
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
