import CLinux
import Glibc
import POSIX

/// A command of this program that is kept running: started again if it ends, and ended with the
/// process that started it.
package final class KeptProcess {
  /// The environment variable with the process that it ends with.
  private static let parentVariable = "ERRAND_PARENT"
  /// The interval of liveness checks, and the least time between two starts.
  package static let pause = Duration.seconds(10)

  private let words: [String]
  private var process: ChildProcess?
  private var started: Int64 = 0

  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - environment: Environment variables that override those of this process.
  package init(_ words: [String], environment: [String: String] = [:]) {
    let variables = environment.merging([Self.parentVariable: "\(getpid())"]) { $1 }
    self.words =
      ["/usr/bin/env"] + variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      + words
  }

  /// Starts the process unless it runs.
  package func keepRunning() {
    if isRunning { return }
    let now = MonotonicClock.nanoseconds
    guard started == 0 || now - started > Self.pause.components.seconds * 1_000_000_000 else {
      return
    }
    started = now
    process = ChildProcess(words, errors: 2)
  }

  /// Whether the process runs.
  package var isRunning: Bool { process.map { $0.wait(.zero) == nil } ?? false }

  /// Asks the process to end.
  package func stop() {
    process?.terminate()
    started = 0
  }

  deinit { process?.end() }

  /// Has the kernel end this process with the one that keeps it running, if there is one.
  ///
  /// - Returns: False if that has ended already.
  package static func endWithParent() -> Bool {
    guard let text = ProcessEnvironment.value(parentVariable), let parent = Int32(text) else {
      return true
    }
    unsetenv(parentVariable)
    return errand_end_with_parent() == 0 && getppid() == parent
  }
}
