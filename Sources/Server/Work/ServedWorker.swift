import ErrandKit
import Glibc
import POSIX

/// The worker that the server keeps running while the setting `worker` is on; confined to the
/// serving thread.
final class ServedWorker {
  private let options: Errand.Options
  private let settings: String
  private var process: KeptProcess?
  private var isOn = false
  private var isEnding = false
  private var stamp = ""
  private var looked: Int64 = 0

  /// The interval of looks at the settings while a page is open, and otherwise, in nanoseconds.
  private static let pause: Int64 = 1_000_000_000
  private static let longPause: Int64 = 10_000_000_000

  /// - Parameters:
  ///   - options: The locations that the worker uses.
  ///   - settings: The path of the settings.
  init(_ options: Errand.Options, settings: String) {
    self.options = options
    self.settings = settings
  }

  /// The time of the monotonic clock of the next look.
  ///
  /// - Parameter isWatched: Whether a person may be at a page, and change the setting there.
  func due(isWatched: Bool) -> Int64? {
    looked == 0 ? 0 : isWatched ? looked + Self.pause : isOn ? looked + Self.longPause : nil
  }

  /// Starts or ends the worker as the setting says.
  func work() {
    let now = MonotonicClock.nanoseconds
    guard !isEnding, looked == 0 || now >= looked + Self.pause else { return }
    looked = now
    let current = Errand.stamp(settings)
    if current != stamp {
      stamp = current
      isOn = Errand.isOn(.worker, inSettings: settings)
      if !isOn { process?.stop() }
    }
    guard isOn else { return }
    process = process ?? Errand.keptCommand(["worker", "--quiet"], options)
    process?.keepRunning()
  }

  /// Asks the worker to end.
  func end() {
    isEnding = true
    process?.stop()
  }

  /// Whether the worker runs.
  var isRunning: Bool { process?.isRunning ?? false }
}
