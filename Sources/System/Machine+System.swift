package import Engine
import POSIX

extension Machine {
  /// The machine that this process runs on.
  ///
  /// - Parameters:
  ///   - environment: a variable of the process; nil when it is unset or empty.
  ///   - http: makes requests; nil in a program without the network.
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
