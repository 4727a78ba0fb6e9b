package import CEL
package import Items
package import Links
package import Program

/// What a run may know of and do to the world around it; given by whoever starts it.
package struct Host: Sendable {
  /// The time now.
  package var now: @Sendable () -> Timestamp
  /// Random bytes, as many as asked for.
  package var randomBytes: @Sendable (Int) -> [UInt8]
  /// A variable of the environment that expressions may read.
  package var environment: @Sendable (String) -> String?
  /// The clock on the user's wall.
  package var clock: LocalClock
  /// The text on the clipboard; nil when there is none or no clipboard.
  package var readClipboard: @Sendable () -> String?
  /// Puts text on the clipboard; false when there is no clipboard.
  package var writeClipboard: @Sendable (String) -> Bool
  /// Opens a URL in the user's browser; false when there is no opener.
  package var open: @Sendable (String) -> Bool
  /// Where wrapped links live.
  package var linkBase: String { makeLinkBase() }
  private let makeLinkBase: @Sendable () -> String
  /// The path of the key that signs links; nil where links can't be signed.
  package var keyPath: String?
  /// A key that signs links in the place of the file's; nil where the file counts.
  package var linkKey: LinkKey?
  /// Keeps a line for the log.
  package var log: @Sendable (String) -> Void
  /// Keeps a notification for a person who is away, with why it was not sent; false where there is
  /// no place for it.
  package var keepNotification: @Sendable (DesktopNotification, [String]) -> Bool = { _, _ in false
  }
  /// Time that passes, programs and files.
  package var machine: Machine
  /// The secrets that are known, which are kept out of all that is shown.
  package var secrets = KnownSecrets()
  /// Reads the secret of a name.
  package var readSecret: (@Sendable (String) throws(EvaluationError) -> String)?

  /// Whether what came with the program may put an intent or a shortcut into the queue.
  package var allowsJob: @Sendable (String) -> Bool = { _ in true }
  /// Shows other programs what goes on; what of an activity is null stays as it was.
  package var noteActivity: (@Sendable (Activity) -> Void)?
  /// The place where the person is, by whose sun the times of automations go; nil where it is not known.
  package var home: @Sendable () -> Coordinates? = { nil }
  /// Whether there is a way to other machines.
  package var isOnline: @Sendable () -> Bool = { true }

  package init(
    now: @escaping @Sendable () -> Timestamp, randomBytes: @escaping @Sendable (Int) -> [UInt8],
    environment: @escaping @Sendable (String) -> String?, clock: LocalClock,
    readClipboard: @escaping @Sendable () -> String?,
    writeClipboard: @escaping @Sendable (String) -> Bool,
    open: @escaping @Sendable (String) -> Bool,
    linkBase: @autoclosure @escaping @Sendable () -> String, keyPath: String?,
    log: @escaping @Sendable (String) -> Void, machine: Machine
  ) {
    self.now = now
    self.randomBytes = randomBytes
    self.environment = environment
    self.clock = clock
    self.readClipboard = readClipboard
    self.writeClipboard = writeClipboard
    self.open = open
    makeLinkBase = linkBase
    self.keyPath = keyPath
    self.log = log
    self.machine = machine
  }
}
