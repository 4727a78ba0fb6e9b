package import Engine
package import Source
import Synchronization

/// What a person has set, read when it is first wanted; a variable of the environment goes before.
package final class Settings: Sendable {
  /// Where a value comes from.
  package enum Origin: String {
    case environment, file
    case usual = "default"
  }

  /// The path of the file; nil where there is no place for it.
  package let path: String?
  private let environment: @Sendable (String) -> String?
  private let note: @Sendable (TerminalText) -> Void
  private let file = Mutex<[Setting: String]?>(nil)

  /// - Parameter note: Is told, once, what is wrong with the file.
  package init(
    path: String?, environment: @escaping @Sendable (String) -> String?,
    note: @escaping @Sendable (TerminalText) -> Void
  ) {
    self.path = path
    self.environment = environment
    self.note = note
  }

  /// The value of a setting.
  package func value(of setting: Setting) -> String { entry(setting).value }

  /// The value of a setting, and where it comes from.
  package func entry(_ setting: Setting) -> (value: String, origin: Origin) {
    if let variable = setting.variable, let value = environment(variable) {
      return (value, .environment)
    }
    if let value = fileValues[setting] { return (value, .file) }
    return (setting.usual, .usual)
  }

  /// What a run may use in all.
  package var limits: RunLimits {
    var limits = RunLimits()
    if case let set = entry(.maxSteps), set.origin == .file, let steps = Int(set.value) {
      limits.steps = steps
    }
    return limits
  }

  private var fileValues: [Setting: String] {
    file.withLock { known in
      if let known { return known }
      var values: [Setting: String] = [:]
      if let path {
        do throws(Diagnostic) {
          let file = try SettingsFile(path: path)
          values = file.values
          for problem in file.problems { note("\(problem.rendered(style: .plain))\n") }
        } catch {
          note("errand: \(error.message)\n")
        }
      }
      known = values
      return values
    }
  }
}
