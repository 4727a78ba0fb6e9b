package import CEL
import Inbox
package import Items
import Links
import Program
import Synchronization

/// What a run reaches of the machine it runs on: time that passes, programs, files, the desktop.
package struct Machine: Sendable {
  /// A clock that only goes forward, in nanoseconds.
  package var monotonic: @Sendable () -> Int64
  /// Waits until an instant of that clock, or until a descriptor can be read; nil for no limit.
  package var pause: @Sendable (_ until: Int64?, _ descriptors: [Int32]) -> Void
  /// Runs a program to its end.
  ///
  /// - Throws: `RunError` when it can't be started, or its files can't be opened.
  package var exec: @Sendable (ProcessRequest, WaitBounds) throws -> ProcessEnd
  /// Files and folders.
  package var files: FileAccess
  /// Shows or sends a notification.
  ///
  /// - Throws: `RunError` when it can't be shown.
  package var notify: @Sendable (DesktopNotification, WaitBounds) throws -> NotificationEnd
  /// Makes requests to servers; nil in a program without the network.
  package var http: HTTPAccess?
  /// The clock of simulated time, in which waits pass at once; nil where time passes by itself.
  package var simulation: SimulatedClock?

  /// A machine of these parts.
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

/// What ends a wait before its time.
package struct WaitBounds: Sendable {
  /// By when it must be over, in nanoseconds of the monotonic clock; nil for no limit.
  package let deadline: Int64?
  /// Descriptors that can be read once it must end.
  package let descriptors: [Int32]

  /// Bounds of a wait.
  package init(deadline: Int64?, descriptors: [Int32]) {
    self.deadline = deadline
    self.descriptors = descriptors
  }
}

/// A way to reach a person who may look elsewhere.
package enum NotificationChannel: String, Sendable, CaseIterable {
  case desktop, mail, ntfy, program
}

/// Something to tell a person who may look elsewhere.
package struct DesktopNotification: Sendable {
  /// How much it presses.
  package enum Urgency: String, Sendable, CaseIterable {
    case low, normal, critical
  }

  package let title: String
  package let text: String
  package let urgency: Urgency
  /// The labels of what the person can choose to do.
  package let actions: [String]
  /// The ways that it goes.
  package let via: [NotificationChannel]

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

  /// It on one line.
  package var line: String { "\(title): \(text)" }
}

/// What came of a notification.
package enum NotificationEnd: Sendable {
  /// It was shown or sent; the position of the action that was taken, if one was, and why a way
  /// failed.
  case shown(action: Int?, problems: [String] = [])
  /// None of its ways reaches the person; why each doesn't, where that is not plain.
  case notShown(problems: [String] = [])
  /// The wait for an action ended early.
  case interrupted
}

/// A program to be run.
package struct ProcessRequest: Sendable {
  /// The program and its arguments; the program is looked up in `PATH`.
  package var command: [String]
  /// What it reads.
  package var input: [UInt8]
  /// Variables added to the inherited environment.
  package var environment: [(name: String, value: String)]
  /// The folder it runs in; nil for the working folder.
  package var folder: String?
  /// Whether it gets the terminal.
  package var hasTerminal: Bool
  /// The file that gets its output; nil keeps it.
  package var outputPath: String?
  /// How many bytes of its output are kept at most; more is an error.
  package var outputLimit: Int

  /// A command with the usual settings.
  package init(_ command: [String], outputLimit: Int = 16 << 20) {
    self.command = command
    self.outputLimit = outputLimit
    input = []
    environment = []
    folder = nil
    hasTerminal = false
    outputPath = nil
  }
}

/// How a program ended.
package struct ProcessEnd: Sendable {
  /// Why it ended.
  package enum Reason: Sendable, Equatable {
    /// By itself, with a status.
    case exited(Int32)
    /// By a signal that others sent.
    case signalled(Int32)
    /// It was ended, with all below it, since its bounds were reached.
    case interrupted
    /// It was ended since it wrote more than is kept.
    case tooMuchOutput
  }

  package let reason: Reason
  package let output: [UInt8]
  /// The last of what it wrote to standard error.
  package let errors: [UInt8]

  package init(reason: Reason, output: [UInt8], errors: [UInt8]) {
    self.reason = reason
    self.output = output
    self.errors = errors
  }
}

/// The files and folders that a run may reach.
///
/// - Throws: each function throws `RunError` with the code `io` or `not-found`.
package struct FileAccess: Sendable {
  /// All bytes of a file, so many at most.
  package var read: @Sendable (_ path: String, _ limit: Int) throws -> [UInt8]
  /// Writes a file.
  package var write: @Sendable (_ path: String, _ bytes: [UInt8], WriteMode) throws -> Void
  /// What lies in a folder, by name; with `deep` in the folders below it, too.
  package var list: @Sendable (_ folder: String, _ deep: Bool) throws -> [FileEntry]
  /// Moves or copies; nil when nothing was done.
  package var transfer: @Sendable (FileTransfer) throws -> FileTransfer.Result?
  /// Moves a file to the trash of the desktop (freedesktop.org).
  package var trash: @Sendable (_ path: String) throws -> FileMove
  /// Takes back a move of a file that is as the move left it; gives the move that did so.
  package var takeBack: @Sendable (FileMove) throws -> FileMove
  /// What is known of a file without reading it; nil when there is none.
  package var status: @Sendable (_ path: String) throws -> FileEntry?
  /// Keeps the bytes of a file in a folder, by their hash; in none they stay where they are.
  package var keep: @Sendable (_ path: String, _ folder: String?) throws -> KeptFile
  /// A path in full and without links, as far as it is there.
  package var canonical: @Sendable (_ path: String) -> String

  package init(
    read: @escaping @Sendable (_ path: String, _ limit: Int) throws -> [UInt8],
    write: @escaping @Sendable (_ path: String, _ bytes: [UInt8], WriteMode) throws -> Void,
    list: @escaping @Sendable (_ folder: String, _ deep: Bool) throws -> [FileEntry],
    transfer: @escaping @Sendable (FileTransfer) throws -> FileTransfer.Result?,
    trash: @escaping @Sendable (_ path: String) throws -> FileMove,
    takeBack: @escaping @Sendable (FileMove) throws -> FileMove,
    status: @escaping @Sendable (_ path: String) throws -> FileEntry?,
    canonical: @escaping @Sendable (_ path: String) -> String = { $0 },
    keep: (@Sendable (_ path: String, _ folder: String?) throws -> KeptFile)? = nil
  ) {
    self.read = read
    self.write = write
    self.list = list
    self.transfer = transfer
    self.trash = trash
    self.takeBack = takeBack
    self.status = status
    self.canonical = canonical
    self.keep = keep ?? { path, _ in try KeptFile(bytes: read(path, KeptFile.limit), at: path) }
  }

  /// How a file is written.
  package enum WriteMode: String, Sendable, CaseIterable {
    /// In place of what is there, at once.
    case replace
    /// After what is there.
    case append
    /// Only where nothing is.
    case create
  }
}

/// A file or a folder, as a listing shows it.
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

/// A file that is moved or copied.
package struct FileTransfer: Sendable {
  /// What is done where something is at the target.
  package enum Conflict: String, Sendable, CaseIterable {
    case fail, replace, number, skip
  }

  /// What came of it.
  package struct Result: Sendable {
    /// The new path, as the transfer names it.
    package let path: String
    /// What `undo` takes back; nil for a copy.
    package let move: FileMove?

    package init(path: String, move: FileMove?) {
      self.path = path
      self.move = move
    }
  }

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
}

/// A file whose bytes are kept.
package struct KeptFile: Sendable {
  /// How many bytes it may have.
  package static let limit = 64 << 20

  /// The SHA-256 of its bytes, in hexadecimal digits.
  package let hash: String
  /// Where its bytes lie.
  package let path: String
  /// How many bytes it has.
  package let size: Int64
  package let mediaType: String

  package init(hash: String, path: String, size: Int64, mediaType: String) {
    self.hash = hash
    self.path = path
    self.size = size
    self.mediaType = mediaType
  }

  /// A file with these bytes, which stay where they are.
  package init(bytes: [UInt8], at path: String) {
    self.init(
      hash: SHA256.hash(bytes).hexadecimal, path: path, size: Int64(bytes.count),
      mediaType: ContentSignature.mediaType(
        of: Array(bytes.prefix(4096)), isWhole: bytes.count <= 4096,
        name: FilePathText.name(of: path)))
  }
}

/// Time that passes only in waits, and there at once: for tests of programs.
///
/// The branches of a run take turns. When all of them wait, the clock goes to the earliest end of a
/// wait, and that branch goes on: so what happens is the same every time.
package final class SimulatedClock: Sendable {
  private struct State {
    var nanoseconds: Int64 = 0
    /// What something that is faked took, which the run has yet to wait for.
    var owed: Int64 = 0
  }

  private let start: Timestamp
  private let state = Mutex(State())

  /// A clock that begins at a moment.
  package init(at start: Timestamp) {
    self.start = start
  }

  /// The clock that only goes forward, in nanoseconds from its beginning.
  package var monotonic: Int64 { state.withLock { $0.nanoseconds } }

  /// The time on the wall.
  package var now: Timestamp {
    Timestamp(microseconds: start.microseconds &+ monotonic / 1000)
  }

  /// Goes forward to an instant.
  package func advance(to instant: Int64) {
    state.withLock { $0.nanoseconds = max($0.nanoseconds, instant) }
  }

  /// Notes that what was just done outside took so long, in nanoseconds.
  package func spend(_ nanoseconds: Int64) { state.withLock { $0.owed += max(nanoseconds, 0) } }

  /// The instant until which the run must wait for what was done outside; nil when it took no time.
  func takeOwed() -> Int64? {
    state.withLock { state in
      guard state.owed > 0 else { return nil }
      defer { state.owed = 0 }
      return state.nanoseconds &+ state.owed
    }
  }
}
