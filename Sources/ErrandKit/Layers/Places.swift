package import Inbox

/// The locations of a person's files (XDG Base Directory Specification 0.8).
package final class Places: Sendable {
  package let config: String
  package let data: String
  package let state: String
  package let workingFolder: String

  /// Reads the locations from the environment; nil if there is no home directory.
  package init?(environment: (String) -> String?, workingFolder: String) {
    func place(_ variable: String, _ fallback: String) -> String? {
      // Relative paths must be ignored, according to the specification.
      if let path = environment(variable), path.hasPrefix("/") { return path + "/errand" }
      guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
      return home + "/" + fallback + "/errand"
    }
    guard let config = place("XDG_CONFIG_HOME", ".config"),
      let data = place("XDG_DATA_HOME", ".local/share"),
      let state = place("XDG_STATE_HOME", ".local/state")
    else { return nil }
    self.config = config
    self.data = data
    self.state = state
    self.workingFolder = workingFolder
  }

  /// Expands a leading `~` to the home directory.
  package static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = ProcessEnvironment.value("HOME") else {
      return path
    }
    return home + path.dropFirst()
  }

  package var defaultStore: String { data + "/library.db" }
  package var settings: String { config + "/" + Self.settingsName }
  /// The name of the settings file, which does not contain definitions.
  package static let settingsName = "settings.yaml"
  package var key: String { data + "/keys/links.key" }
  package var history: String { state + "/answers" }
  package var secrets: String { config + "/secrets" }
  package var vault: Vault { Vault(path: config + "/vault", pin: state + "/vault-key") }
  package var allowed: String { state + "/allowed" }
  package var trusted: String { state + "/trusted" }
}
