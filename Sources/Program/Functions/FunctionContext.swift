package import CEL

/// What the functions of expressions take from outside: time, chance and the environment.
package struct FunctionContext: Sendable {
  /// The moment that `now()` gives.
  package var now: @Sendable () -> Timestamp
  /// The clock on the user's wall.
  package var clock: LocalClock
  /// Makes a number of random bytes.
  package var randomBytes: @Sendable (Int) -> [UInt8]
  /// The value of a variable of the process; nil when it is not set.
  package var environment: @Sendable (String) -> String?
  /// Whether expressions may read a variable of the process.
  package var mayRead: @Sendable (String) -> Bool
  /// The secrets that are known, which are kept out of all that is shown.
  package var secrets = KnownSecrets()
  /// Whether there is a way to other machines.
  package var isOnline: @Sendable () -> Bool = { true }
  /// Reads the secret of a name.
  package var readSecret: @Sendable (String) throws(EvaluationError) -> String = {
    (name: String) throws(EvaluationError) -> String in
    throw EvaluationError("there is no secret “\(name)” here", code: .noSecret)
  }

  package init(
    now: @escaping @Sendable () -> Timestamp, clock: LocalClock,
    randomBytes: @escaping @Sendable (Int) -> [UInt8],
    environment: @escaping @Sendable (String) -> String?,
    mayRead: @escaping @Sendable (String) -> Bool = FunctionContext.isHarmless
  ) {
    self.now = now
    self.clock = clock
    self.randomBytes = randomBytes
    self.environment = environment
    self.mayRead = mayRead
  }

  /// Whether a variable of this name is one that no secret is kept in.
  ///
  /// Anything in the environment could end up in a shared text, so the rest is not readable:
  /// tokens and passwords are often handed to programs there.
  package static func isHarmless(_ name: String) -> Bool {
    switch name {
    case "HOME", "USER", "LOGNAME", "HOSTNAME", "LANG", "TZ", "PWD", "SHELL", "EDITOR", "BROWSER",
      "TERM":
      true
    default: name.hasPrefix("ERRAND_VAR_")
    }
  }
}
