import ErrandKit
import Glibc
import POSIX

/// The streams that notify open pages of changes to the library; confined to the serving thread.
final class LiveChanges {
  private let store: String?
  private let folders: [String]
  private var streams: [EventStream] = []
  private var stamp = ""
  private var looked: Int64 = 0
  private var spoke: Int64 = 0

  /// The polling interval in nanoseconds.
  private static let pause: Int64 = 200_000_000
  /// The keep-alive interval in nanoseconds.
  private static let beat: Int64 = 15_000_000_000
  /// The maximum number of streams.
  private static let limit = 100

  /// Creates it for a library.
  ///
  /// - Parameter state: The person's state folder, with the activities.
  init(store: String?, state: String) {
    self.store = store
    folders = [state + "/activities", ImportFolder.path(state: state), state + "/serve/devices"]
  }

  /// Adds a page; the oldest is ended if there are too many.
  func follow() -> EventStream {
    let stream = EventStream()
    if streams.isEmpty { stamp = current }
    streams.append(stream)
    if streams.count > Self.limit { streams.removeFirst().end() }
    stream.send("retry: 1000\n: open\n\n")
    return stream
  }

  private var current: String {
    let changed = folders.map { folder in
      stat.at(folder).map { "\($0.st_mtim.tv_sec).\($0.st_mtim.tv_nsec)" } ?? ""
    }
    return ([store.map(Errand.stamp) ?? ""] + changed).joined(separator: " ")
  }

  /// The time of the next poll by the monotonic clock; nil without pages.
  var due: Int64? { streams.isEmpty ? nil : looked + Self.pause }

  /// Notifies the pages if something has changed.
  func work() {
    streams.removeAll { $0.isClosed || $0.isEnded }
    let now = MonotonicClock.nanoseconds
    guard !streams.isEmpty, now >= looked + Self.pause else { return }
    looked = now
    let current = current
    if current != stamp {
      stamp = current
      for stream in streams { stream.send("event: change\ndata: \n\n") }
      spoke = now
    } else if now >= spoke + Self.beat {
      for stream in streams { stream.send(": beat\n\n") }
      spoke = now
    }
  }

  /// Ends all streams.
  func end() { for stream in streams { stream.end() } }
}
