package import CEL
package import Items
package import Links
package import Program

/// The clock, environment, clipboard, secrets and machine of a run; injected for tests.
package struct Host: Sendable {
  /// The current time.
  package var now: @Sendable () -> Timestamp
  /// The given number of random bytes.
  package var randomBytes: @Sendable (Int) -> [UInt8]
  /// The value of an environment variable that expressions may read.
  package var environment: @Sendable (String) -> String?
  /// The user's local clock.
  package var clock: LocalClock
  /// Reads text from the clipboard; nil when there is none or no clipboard.
  package var readClipboard: @Sendable () -> String?
  /// Writes text to the clipboard; false when there is no clipboard.
  package var writeClipboard: @Sendable (String) -> Bool
  /// Opens a URL in the user's browser; false when there is none.
  package var open: @Sendable (String) -> Bool
  /// The base URL of signed links.
  package var linkBase: String { makeLinkBase() }
  private let makeLinkBase: @Sendable () -> String
  /// The path of the key that signs links; nil when links cannot be signed.
  package var keyPath: String?
  /// Overrides the key at `keyPath`.
  package var linkKey: LinkKey?
  /// Appends a line to the log.
  package var log: @Sendable (String) -> Void
  /// Stores an undelivered notification with the problems of its channels; false when there is
  /// nowhere to store it.
  package var keepNotification: @Sendable (DesktopNotification, [String]) -> Bool = { _, _ in false
  }
  /// Whether the text of a notification differs from the last one with its key, which it replaces.
  package var isNews: @Sendable (_ key: String, _ text: String) -> Bool = { _, _ in true }
  /// Takes the next turn at a server that is asked at most once in a length of time, and returns the
  /// time until then.
  package var pace: @Sendable (_ server: String, _ pace: Duration) -> Duration = { _, _ in .zero }
  /// Processes, files, network and monotonic time.
  package var machine: Machine
  /// The known secrets, masked in all output.
  package var secrets = KnownSecrets()
  /// Reads a secret by name.
  package var readSecret: (@Sendable (String) throws(EvaluationError) -> String)?

  /// Whether a built-in definition may enqueue an intent or a shortcut.
  package var allowsJob: @Sendable (String) -> Bool = { _ in true }
  /// Publishes an activity to other programs; null fields keep their values.
  package var noteActivity: (@Sendable (Activity) -> Void)?
  /// The location of the person, for sunrise and sunset; nil when unknown.
  package var home: @Sendable () -> Coordinates? = { nil }
  /// Whether addresses are saved without tracking parameters.
  package var savesCleanURLs: @Sendable () -> Bool = { false }
  /// The person's holidays; nil when unknown.
  package var holidays: @Sendable () -> Holidays? = { nil }
  /// Fetches the bytes of a kept file from the machines that share the library; false if they are
  /// nowhere.
  package var fetchKept: @Sendable (_ path: String) -> Bool = { _ in false }
  /// Whether the machine is online.
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
