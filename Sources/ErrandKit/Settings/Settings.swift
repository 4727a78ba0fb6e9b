package import Engine
import Program
package import Source
import Synchronization

/// The origin of a setting's value.
public enum SettingOrigin: String, Sendable {
  /// An environment variable, which overrides the file.
  case environment
  /// The settings file.
  case file
  /// The default.
  case `default`
}

/// The person's settings, read on first use; environment variables override the file.
package final class Settings: Sendable {
  /// The path of the file; nil without a home directory.
  package let path: String?
  private let environment: @Sendable (String) -> String?
  private let note: @Sendable (TerminalText) -> Void
  private let file = Mutex<[Setting: String]?>(nil)

  /// - Parameter note: Called once with the problems of the file.
  package init(
    path: String?, environment: @escaping @Sendable (String) -> String?,
    note: @escaping @Sendable (TerminalText) -> Void
  ) {
    self.path = path
    self.environment = environment
    self.note = note
  }

  /// The effective value of a setting.
  package func value(of setting: Setting) -> String { entry(setting).value }

  /// The effective value of a setting and its origin.
  package func entry(_ setting: Setting) -> (value: String, origin: SettingOrigin) {
    if let variable = setting.variable, let value = environment(variable) {
      return (value, .environment)
    }
    if let value = fileValues[setting] { return (value, .file) }
    return (setting.defaultValue, .default)
  }

  /// Problems with the values of environment variables, one line each.
  package var variableProblems: [String] {
    // Other programs use PAGER as well.
    Setting.allCases.filter { $0 != .pager }.compactMap { setting in
      setting.variable.flatMap { variable in
        environment(variable).flatMap { value in
          setting.problem(with: value).map { "\(variable): “\(value.shortened)” \($0)" }
        }
      }
    }
  }

  /// The limits of a run.
  package var limits: RunLimits {
    var limits = RunLimits()
    if case let set = entry(.maxSteps), set.origin == .file, let steps = Int(set.value) {
      limits.steps = steps
    }
    return limits
  }

  /// The time that questions of `serve` and `mcp` wait for their answers.
  package var answerTime: Duration {
    Setting.length(value(of: .answerTime)) ?? .seconds(600)
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
