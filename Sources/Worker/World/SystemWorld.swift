package import CEL
import CLinux
package import Engine
import Glibc
package import Items
import POSIX
package import Store

/// The worker's world on a real machine; waits for kernel events and timers.
package final class SystemWorld: WorkerWorld {
  /// The time files must be unchanged before they are reported.
  private static let settleTime = Duration.seconds(2)

  /// The poll interval for a store that cannot be watched.
  private static let pollInterval = Duration.seconds(10)

  private let state: MachineState
  private let ending: Interrupt
  private let home: String?
  /// Watches the store for changes; set once it is open.
  package var storeWatch: StoreWatch?
  private var inotify: Int32 = -1
  private var watched: [String: Int32] = [:]
  private var hasFileNews = false
  /// A socket for changes of routes; -1 unless the network is awaited.
  private var routes: Int32 = -1

  /// Creates a world that ends when `ending` is set.
  ///
  /// - Parameter home: The home directory, for expanding `~`.
  package init(_ state: MachineState = MachineState(), home: String?, ending: Interrupt) {
    self.state = state
    self.home = home
    self.ending = ending
  }

  deinit {
    if inotify >= 0 { close(inotify) }
    if routes >= 0 { close(routes) }
  }

  package var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  package var isEnding: Bool { ending.isSet }

  package func available() -> [Requirement] { state.available() }

  package var session: (boot: String, slept: Duration) {
    var (whole, awake) = (timespec(), timespec())
    clock_gettime(CLOCK_BOOTTIME, &whole)
    clock_gettime(CLOCK_MONOTONIC, &awake)
    let seconds = Duration.seconds(whole.tv_sec - awake.tv_sec)
    return (state.boot, seconds + .nanoseconds(whole.tv_nsec - awake.tv_nsec))
  }

  /// Whether to check again after a second: SQLite writes a commit a moment before it becomes
  /// visible, so a check right after the event may be too early.
  private var checksAgain = false

  package func wait(
    until time: Timestamp?, watching folders: [String], forMachine isForMachine: Bool
  ) {
    watch(folders)
    watchRoutes(isForMachine)
    // Handle events that arrived in the meantime before waiting.
    if storeWatch?.takeNews() == true || drainFileEvents() {
      checksAgain = true
      return
    }
    var descriptors = [ending.pollDescriptor]
    if let storeWatch { descriptors.append(storeWatch.descriptor) }
    if inotify >= 0 { descriptors.append(inotify) }
    if routes >= 0 { descriptors.append(routes) }
    // A store that cannot be watched is polled.
    let limit =
      storeWatch == nil ? Timestamp(seconds: now.seconds + Self.pollInterval.wholeSeconds) : nil
    let again = checksAgain ? Timestamp(seconds: now.seconds + 1, nanoseconds: 0) : nil
    checksAgain = false
    let timer = [time, limit, again].compactMap { $0 }.min().flatMap(Self.timer)
    if let timer { descriptors.append(timer) }
    defer { if let timer { close(timer) } }
    repeat {
      var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      _ = errand_poll(&polled, UInt(polled.count), -1)
      if ending.isSet { return }
      if let timer, polled.contains(where: { $0.fd == timer && $0.revents != 0 }) { return }
      if drainRouteEvents() { return }
      let hasStoreEvents = storeWatch?.takeNews() ?? false
      let hasFileEvents = drainFileEvents()
      if hasFileEvents { settle() }
      if hasStoreEvents || hasFileEvents {
        checksAgain = true
        return
      }
    } while true
  }

  package func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home else { return path }
    return home + path.dropFirst()
  }

  package func files(in folder: String) -> [WatchedFile]? {
    guard let names = Folder.names(in: folder) else { return nil }
    var files: [WatchedFile] = []
    for name in names {
      var status = stat()
      guard !name.hasPrefix("."), stat(folder + "/" + name, &status) == 0,
        status.st_mode & S_IFMT == S_IFREG
      else { continue }
      files.append(
        WatchedFile(
          name: name, size: Int64(status.st_size),
          modified: Timestamp(
            seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int32(status.st_mtim.tv_nsec))))
    }
    return files.sorted { $0.name < $1.name }
  }

  /// Waits for the end of writes to files.
  private func settle() {
    var polled = pollfd(fd: ending.pollDescriptor, events: Int16(POLLIN), revents: 0)
    repeat {
      _ = errand_poll(&polled, 1, Self.settleTime.nanoseconds)
    } while drainFileEvents() && !ending.isSet
  }

  /// A wall-clock timer, which also fires when the clock is set (timerfd_create(2)).
  private static func timer(_ time: Timestamp) -> Int32? {
    let timer = errand_wall_timer(time.seconds, Int(time.nanoseconds))
    return timer >= 0 ? timer : nil
  }

  // MARK: Folders

  private func watch(_ folders: [String]) {
    guard !folders.isEmpty || !watched.isEmpty else { return }
    if inotify < 0 { inotify = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)) }
    guard inotify >= 0 else { return }
    for (folder, descriptor) in watched where !folders.contains(folder) {
      inotify_rm_watch(inotify, descriptor)
      watched[folder] = nil
    }
    for folder in folders where watched[folder] == nil {
      let descriptor = inotify_add_watch(
        inotify, folder, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE))
      if descriptor >= 0 { watched[folder] = descriptor }
    }
  }

  private func watchRoutes(_ isWanted: Bool) {
    if isWanted, routes < 0 {
      routes = errand_route_watch()
    } else if !isWanted, routes >= 0 {
      close(routes)
      routes = -1
    }
  }

  /// Reads all pending route events; true if there were any.
  private func drainRouteEvents() -> Bool {
    guard routes >= 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    var hasEvents = false
    // ENOBUFS means that events were lost: also a change.
    while read(routes, &buffer, buffer.count) > 0 || errno == ENOBUFS { hasEvents = true }
    return hasEvents
  }

  private func drainFileEvents() -> Bool {
    guard inotify >= 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    var hasEvents = false
    while read(inotify, &buffer, buffer.count) > 0 { hasEvents = true }
    if hasEvents { hasFileNews = true }
    return hasEvents
  }

  /// Whether files in a watched folder have changed since the last call.
  package func takeFileNews() -> Bool {
    defer { hasFileNews = false }
    return hasFileNews
  }
}
