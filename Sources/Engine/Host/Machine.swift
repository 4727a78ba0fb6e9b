package import CEL
import Inbox
package import Items
import Links
import POSIX
import Program
import Synchronization

/// The machine of a run: monotonic time, processes, files, notifications and network.
package struct Machine: Sendable {
  /// The monotonic clock, in nanoseconds.
  package var monotonic: @Sendable () -> Int64
  /// Waits until an instant of that clock or until a descriptor is readable; nil for no limit.
  package var pause: @Sendable (_ until: Int64?, _ descriptors: [Int32]) -> Void
  /// Runs a program and waits for its exit.
  ///
  /// - Throws: `RunError` when it cannot be started, or its files cannot be opened.
  package var exec: @Sendable (ProcessRequest, WaitBounds) throws -> ProcessEnd
  /// File system access.
  package var files: FileAccess
  /// Shows or sends a notification.
  ///
  /// - Throws: `RunError` when it cannot be shown.
  package var notify: @Sendable (DesktopNotification, WaitBounds) throws -> NotificationEnd
  /// Performs HTTP requests; nil in a binary without the network.
  package var http: HTTPAccess?
  /// The cryptography of Web Push; nil in a binary without the network.
  package var pushCipher: PushCipher?
  /// The simulated clock of tests; nil for real time.
  package var simulation: SimulatedClock?

  /// A machine made of these parts.
  package init(
    monotonic: @escaping @Sendable () -> Int64,
    pause: @escaping @Sendable (_ until: Int64?, _ descriptors: [Int32]) -> Void,
    exec: @escaping @Sendable (ProcessRequest, WaitBounds) throws -> ProcessEnd,
    files: FileAccess,
    notify: @escaping @Sendable (DesktopNotification, WaitBounds) throws -> NotificationEnd,
    http: HTTPAccess? = nil
  ) {
    self.monotonic = monotonic
    self.pause = pause
    self.exec = exec
    self.files = files
    self.notify = notify
    self.http = http
  }
}

/// The deadline and descriptors that end a wait early.
package struct WaitBounds: Sendable {
  /// The latest end, in nanoseconds of the monotonic clock; nil for no limit.
  package let deadline: Int64?
  /// Descriptors that become readable when the wait must end.
  package let descriptors: [Int32]

  /// Bounds with a deadline and descriptors.
  package init(deadline: Int64?, descriptors: [Int32]) {
    self.deadline = deadline
    self.descriptors = descriptors
  }
}

/// A channel for notifications.
package enum NotificationChannel: String, Sendable, CaseIterable {
  case desktop, push, mail, ntfy, program
}

/// A notification for a person.
package struct DesktopNotification: Sendable {
  /// The urgency of a notification.
  package enum Urgency: String, Sendable, CaseIterable {
    case low, normal, critical
  }

  package let title: String
  package let text: String
  package let urgency: Urgency
  /// The labels of its action buttons.
  package let actions: [String]
  /// The channels to use.
  package let via: [NotificationChannel]
  /// The item that it is about.
  package var item: ItemReference?
  /// The run that an action starts when it is chosen after the step; nil for none.
  package var later: Later?

  /// A run of an automation that goes on with the chosen action.
  package struct Later: Sendable {
    package let automation: String
    /// The trigger of the first run, as a job has it.
    package let trigger: String
    /// The permissions of the first run, as a job has them; nil for all.
    package let permissions: String?

    package init(automation: String, trigger: String, permissions: String?) {
      self.automation = automation
      self.trigger = trigger
      self.permissions = permissions
    }
  }

  package init(
    title: String, text: String, urgency: Urgency, actions: [String],
    via: [NotificationChannel] = [.desktop]
  ) {
    self.title = title
    self.text = text
    self.urgency = urgency
    self.actions = actions
    self.via = via
  }

  /// Title and text on one line.
  package var line: String { "\(title): \(text)" }
}

/// The outcome of a notification.
package enum NotificationEnd: Sendable {
  /// Shown or sent, with the index of the chosen action and the problems of channels that failed.
  case shown(action: Int?, problems: [String] = [])
  /// No channel reached the user; carries the problems of channels that failed unexpectedly.
  case notShown(problems: [String] = [])
  /// The wait for an action ended early.
  case interrupted
}

/// File system access of a run.
///
/// - Throws: each function throws `RunError` with the code `io` or `not-found`.
package struct FileAccess: Sendable {
  /// Throws if a file at a real path may not be read or written.
  package typealias FileApproval = @Sendable (_ path: String) throws -> Void

  /// Reads a file of at most `limit` bytes.
  package var read: @Sendable (_ path: String, _ limit: Int) throws -> [UInt8]
  /// Writes a file.
  package var write: @Sendable (_ path: String, _ bytes: [UInt8], WriteMode) throws -> Void
  /// Lists a folder by name; `deep` includes subfolders.
  package var list: @Sendable (_ folder: String, _ deep: Bool) throws -> [FileEntry]
  /// Moves or copies a file; nil when skipped.
  package var transfer: @Sendable (FileTransfer) throws -> FileTransfer.Result?
  /// Makes a folder and its missing parents; returns those made, the outermost first.
  package var makeFolder: @Sendable (_ path: String) throws -> [FileMove]
  /// Moves a file to the desktop trash (freedesktop.org).
  package var trash: @Sendable (_ path: String) throws -> FileMove
  /// Undoes a move if the file has not changed since; returns the reverse move.
  package var takeBack: @Sendable (FileMove) throws -> FileMove
  /// The metadata of a file; nil when it does not exist.
  package var status: @Sendable (_ path: String) throws -> FileEntry?
  /// The first line and the last byte of a file; nil if there is none, or it is empty.
  package var ending: @Sendable (_ path: String) -> FileEnding?
  /// Stores the bytes of a file in a folder by their hash; without a folder they stay in place.
  package var keep:
    @Sendable (_ bytes: [UInt8], _ path: String, _ folder: String?) throws -> KeptFile
  /// The absolute path with symbolic links resolved, as far as it exists.
  package var canonical: @Sendable (_ path: String) -> String
  /// The same access, which also asks for the real path of each file that it has opened; nil if the
  /// files are not those of a system.
  package var approved: (@Sendable (_ approve: @escaping FileApproval) -> FileAccess)?

  package init(
    read: @escaping @Sendable (_ path: String, _ limit: Int) throws -> [UInt8],
    write: @escaping @Sendable (_ path: String, _ bytes: [UInt8], WriteMode) throws -> Void,
    list: @escaping @Sendable (_ folder: String, _ deep: Bool) throws -> [FileEntry],
    transfer: @escaping @Sendable (FileTransfer) throws -> FileTransfer.Result?,
    makeFolder: @escaping @Sendable (_ path: String) throws -> [FileMove] = { _ in [] },
    trash: @escaping @Sendable (_ path: String) throws -> FileMove,
    takeBack: @escaping @Sendable (FileMove) throws -> FileMove,
    status: @escaping @Sendable (_ path: String) throws -> FileEntry?,
    ending: (@Sendable (_ path: String) -> FileEnding?)? = nil,
    canonical: @escaping @Sendable (_ path: String) -> String = { $0 },
    approved: (@Sendable (_ approve: @escaping FileApproval) -> FileAccess)? = nil,
    keep: (@Sendable (_ bytes: [UInt8], _ path: String, _ folder: String?) throws -> KeptFile)? =
      nil
  ) {
    self.read = read
    self.write = write
    self.list = list
    self.transfer = transfer
    self.makeFolder = makeFolder
    self.trash = trash
    self.takeBack = takeBack
    self.status = status
    self.ending =
      ending ?? { path in (try? read(path, FileEnding.limit)).flatMap { FileEnding($0) } }
    self.canonical = canonical
    self.approved = approved
    self.keep = keep ?? { bytes, path, _ in KeptFile(bytes: bytes, at: path) }
  }

  /// The write mode of a file.
  package enum WriteMode: String, Sendable, CaseIterable {
    /// Atomically replaces an existing file.
    case replace
    /// Appends to an existing file.
    case append
    /// Fails if the file exists.
    case create
  }
}

/// The first line and the last byte of a file to which is added.
package struct FileEnding: Sendable {
  package let firstLine: String
  package let endsLine: Bool

  /// The most bytes of a file that is read for its ending where it cannot be read in parts.
  static let limit = 64 << 20
  /// The most bytes of a first line.
  package static let longestLine = 64 << 10

  /// The ending of a content; nil if it is empty.
  package init?(_ bytes: [UInt8]) {
    guard let last = bytes.last else { return nil }
    self.init(head: bytes.prefix(Self.longestLine), last: last)
  }

  /// The ending of a content by its beginning and its last byte.
  package init(head: some Collection<UInt8>, last: UInt8) {
    firstLine = String(decoding: head.prefix { $0 != 0x0A }, as: UTF8.self)
    endsLine = last == 0x0A
  }
}

/// An entry of a folder listing.
package struct FileEntry: Sendable {
  package let path: String
  package let name: String
  /// In bytes.
  package let size: Int64
  package let modified: Timestamp
  package let isFolder: Bool

  package init(path: String, name: String, size: Int64, modified: Timestamp, isFolder: Bool) {
    self.path = path
    self.name = name
    self.size = size
    self.modified = modified
    self.isFolder = isFolder
  }
}

/// A move or copy of a file.
package struct FileTransfer: Sendable {
  /// The action when the target exists.
  package enum Conflict: String, Sendable, CaseIterable {
    case fail, replace, number, skip
  }

  /// The new path as given, and the move for `undo`; nil for a copy.
  package typealias Result = (path: String, move: FileMove?)

  package let from: String
  /// A folder when it ends in `/`, else the new path.
  package let to: String
  package let isCopy: Bool
  package let onConflict: Conflict

  package init(from: String, to: String, isCopy: Bool, onConflict: Conflict) {
    self.from = from
    self.to = to
    self.isCopy = isCopy
    self.onConflict = onConflict
  }

  /// Advice on a target that exists.
  package static func help(onTaken place: String, isFolder: Bool) -> String {
    isFolder
      ? "it is a folder; to put the file into it write `\(place)/`"
      : "choose with onConflict: replace, number or skip"
  }
}

/// A stored file.
package struct KeptFile: Sendable {
  /// Maximum size, in bytes.
  package static let limit = 64 << 20

  /// The SHA-256 of the content, in hexadecimal.
  package let hash: String
  /// The path of the content.
  package var path: String
  /// The size in bytes.
  package let size: Int64
  package let mediaType: String

  /// A file with this content, which stays at `path`.
  package init(bytes: [UInt8], at path: String) {
    hash = SHA256.hash(bytes).hexadecimal
    self.path = path
    size = Int64(bytes.count)
    mediaType = ContentSignature.mediaType(ofFile: bytes, name: FilePathText.name(of: path))
  }
}

/// A clock for tests that advances only in waits, without real delay.
///
/// The branches of a run take turns. When all of them wait, the clock jumps to the earliest
/// deadline and that branch continues, so runs are deterministic.
package final class SimulatedClock: Sendable {
  /// The state of the clock.
  private struct State {
    var nanoseconds: Int64 = 0
    /// Simulated duration of faked operations that the run has not waited for yet.
    var owed: Int64 = 0
    /// The latest turn of each server that is asked with a pace.
    var turns: [String: Int64] = [:]
  }

  private let start: Timestamp
  private let state = Mutex(State())

  /// A clock that starts at a moment.
  package init(at start: Timestamp) { self.start = start }

  /// Nanoseconds since the start.
  package var monotonic: Int64 { state.withLock { $0.nanoseconds } }

  /// The simulated wall-clock time.
  package var now: Timestamp { Timestamp(microseconds: start.microseconds &+ monotonic / 1000) }

  /// Advances to an instant.
  package func advance(to instant: Int64) {
    state.withLock { $0.nanoseconds = max($0.nanoseconds, instant) }
  }

  /// Takes the next turn at a server, and returns the time until then.
  package func takeTurn(at server: String, pace: Duration) -> Duration {
    state.withLock { state in
      let now = state.nanoseconds
      let turn = max(now, state.turns[server].map { $0 &+ pace.nanoseconds } ?? now)
      state.turns[server] = turn
      return .nanoseconds(turn - now)
    }
  }

  /// Records the duration of a faked operation.
  package func spend(_ time: Duration) { state.withLock { $0.owed += max(time.nanoseconds, 0) } }

  /// Returns and clears the instant until which the run must wait for faked operations; nil for
  /// none.
  func takeOwed() -> Int64? {
    state.withLock { state in
      guard state.owed > 0 else { return nil }
      defer { state.owed = 0 }
      return state.nanoseconds &+ state.owed
    }
  }
}
