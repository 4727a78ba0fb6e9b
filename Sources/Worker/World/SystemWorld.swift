package import CEL
import CLinux
package import Engine
import Glibc
package import Items
import POSIX
package import Store

/// The machine as a worker's world: it waits on the kernel for news and times.
package final class SystemWorld: WorkerWorld {
  /// How long files must be left alone before they are news, and how often what no event tells is
  /// looked at, in nanoseconds.
  private static let settling: Int64 = 2_000_000_000

  /// How often a store that can't be watched is looked at, in seconds.
  private static let unwatched: Int64 = 10

  private let state: MachineState
  private let ending: Interrupt
  private let home: String?
  /// What tells changes of the store; set once that is open.
  package var storeWatch: StoreWatch?
  private var inotify: Int32 = -1
  private var watched: [String: Int32] = [:]
  /// What tells that a way to other machines comes or goes; -1 before that was wanted.
  private var routes: Int32 = -1

  /// A world that ends when it is interrupted.
  ///
  /// - Parameter home: the home of the person, for which `~` stands.
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

  /// Whether to look once more after a while: SQLite writes what it commits a moment before others
  /// can see it, so that who looks at the news at once may come too early.
  private var looksAgain = false

  package func wait(
    until time: Timestamp?, watching folders: [String], forMachine isForMachine: Bool
  ) {
    watch(folders)
    watchRoutes(isForMachine)
    // News that came while something was done is looked at before the wait.
    if storeWatch?.takeNews() == true || takeFileNews() {
      looksAgain = true
      return
    }
    var descriptors = [ending.pollDescriptor]
    if let storeWatch { descriptors.append(storeWatch.descriptor) }
    if inotify >= 0 { descriptors.append(inotify) }
    if routes >= 0 { descriptors.append(routes) }
    // Changes of a store that can't be watched are looked for now and then.
    let limit = storeWatch == nil ? Timestamp(seconds: now.seconds + Self.unwatched) : nil
    let again = looksAgain ? Timestamp(seconds: now.seconds + 1, nanoseconds: 0) : nil
    looksAgain = false
    let timer = [time, limit, again].compactMap { $0 }.min().flatMap(Self.timer)
    if let timer { descriptors.append(timer) }
    defer { if let timer { close(timer) } }
    repeat {
      var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      _ = errand_poll(&polled, UInt(polled.count), -1)
      if ending.isSet { return }
      if let timer, polled.contains(where: { $0.fd == timer && $0.revents != 0 }) { return }
      if takeRouteNews() { return }
      let isStoreNews = storeWatch?.takeNews() ?? false
      let isFileNews = takeFileNews()
      if isFileNews { settle() }
      if isStoreNews || isFileNews {
        looksAgain = true
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

  /// Lets files that are being written come to their end.
  private func settle() {
    var polled = pollfd(fd: ending.pollDescriptor, events: Int16(POLLIN), revents: 0)
    repeat { _ = errand_poll(&polled, 1, Self.settling) } while takeFileNews() && !ending.isSet
  }

  /// A timer of the wall's clock, which is also ready when that clock is set (timerfd_create(2)).
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

  /// Takes the news of routes; those that come together are one.
  private func takeRouteNews() -> Bool {
    guard routes >= 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    var isNews = false
    // Where there was more than the kernel keeps, it says so (ENOBUFS): that is news, too.
    while read(routes, &buffer, buffer.count) > 0 || errno == ENOBUFS { isNews = true }
    return isNews
  }

  private func takeFileNews() -> Bool {
    guard inotify >= 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    var isNews = false
    while read(inotify, &buffer, buffer.count) > 0 { isNews = true }
    return isNews
  }
}
