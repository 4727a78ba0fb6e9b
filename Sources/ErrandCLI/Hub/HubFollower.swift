import ErrandKit
import Glibc
import POSIX
import Store

/// The process that syncs the library of a worker; it ends with the worker.
final class HubFollower {
  /// The environment variable with the worker's process.
  static let parentVariable = "ERRAND_HUB_PARENT"
  /// The interval of liveness checks.
  static let pause = Duration.seconds(10)

  private let words: [String]
  private var process: ChildProcess?
  private var started: Int64 = 0

  /// - Parameter store: The path of the library.
  init?(store: String) {
    guard let program = Folder.resolved("/proc/self/exe") else { return nil }
    words = [
      "/usr/bin/env", "\(Self.parentVariable)=\(getpid())", program, "hub", "sync", "--follow",
      "--quiet", "--store", store,
    ]
  }

  /// Starts the process unless it runs.
  func keepRunning() {
    if let process, process.wait(.zero) == nil { return }
    let now = MonotonicClock.nanoseconds
    guard process == nil || now - started > Self.pause.nanoseconds else { return }
    started = now
    process = ChildProcess(words, errors: 2)
  }

  deinit { process?.end() }
}
