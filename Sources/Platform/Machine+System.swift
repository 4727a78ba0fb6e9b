package import Engine
import POSIX

/// The target Platform owns the real machine behind the engine's `Machine`: files, trash, processes, notifications.
extension Machine {
  /// Returns access to the real machine.
  ///
  /// - Parameters:
  ///   - environment: Returns an environment variable; nil if unset or empty.
  ///   - http: The HTTP client; nil in the build without the network.
  package static func system(
    environment: @escaping @Sendable (String) -> String?, http: HTTPAccess? = nil
  ) -> Machine {
    Machine(
      monotonic: { MonotonicClock.nanoseconds }, pause: MonotonicClock.pause,
      exec: { try ProcessRun($0, $1).run() },
      files: .system(environment: environment),
      notify: { try DesktopNotifier(environment: environment).show($0, $1) }, http: http)
  }
}
