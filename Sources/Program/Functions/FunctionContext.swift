package import CEL
package import Items
package import Pages

/// The environment of CEL functions: clock, randomness, environment variables and secrets.
package struct FunctionContext: Sendable {
  /// The result of `now()`.
  package var now: @Sendable () -> Timestamp
  /// The local clock.
  package var clock: LocalClock
  /// Returns a number of random bytes.
  package var randomBytes: @Sendable (Int) -> [UInt8]
  /// Returns an environment variable; nil if not set.
  package var environment: @Sendable (String) -> String?
  /// Whether expressions may read an environment variable.
  package var mayRead: @Sendable (String) -> Bool
  /// Known secrets, which are masked in all output.
  package var secrets = KnownSecrets()
  /// The language of the texts in which functions are called.
  package var language = Language.english
  /// Whether other machines can be reached.
  package var isOnline: @Sendable () -> Bool = { true }
  /// The person's holidays; nil when unknown.
  package var holidays: @Sendable () -> Holidays? = { nil }
  /// Whether addresses are saved without tracking parameters.
  package var savesCleanURLs: @Sendable () -> Bool = { false }
  /// The turns of large pages, shared by all evaluations.
  package var largeReads = LargeReads()
  /// Reads a secret by name.
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

  /// Whether an environment variable of this name holds no secret.
  ///
  /// Programs often receive tokens and passwords in their environment, and a value read by an
  /// expression may end up in shared text; so all other variables are unreadable.
  package static func isHarmless(_ name: String) -> Bool {
    switch name {
    case "HOME", "USER", "LOGNAME", "HOSTNAME", "LANG", "TZ", "PWD", "SHELL", "EDITOR", "BROWSER",
      "TERM":
      true
    default: name.hasPrefix("ERRAND_VAR_")
    }
  }
}

extension Environment {
  /// Adds Errand's functions to the standard ones.
  package mutating func addErrandFunctions(_ context: FunctionContext) {
    deferFunctions(
      named: { FunctionRow.tables.joined().map(\.name) },
      overloads: { FunctionRow.overloads(of: $0, context) })
    add(AggregateFunctions.groupBy)
    add(AggregateFunctions.reduce)
  }
}

/// A row of the function table: the name, and its overloads, which are made when an expression uses
/// them.
struct FunctionRow: Sendable {
  let name: String
  private let make: Making

  /// The way a row makes its overloads.
  private enum Making: Sendable {
    case alone(@Sendable (String) -> [Function])
    case within(@Sendable (String, FunctionContext) -> [Function])
  }

  /// Creates a pure function.
  init(
    _ name: String,
    @LibraryFunction.Overloads _ overloads: @escaping @Sendable (String) -> [Function]
  ) {
    self.name = name
    make = .alone(overloads)
  }

  /// Creates a function that depends on the context.
  init(
    in name: String,
    @LibraryFunction.Overloads _ overloads:
      @escaping @Sendable (String, FunctionContext) ->
      [Function]
  ) {
    self.name = name
    make = .within(overloads)
  }

  /// All tables; add those of a new file here.
  static var tables: [[FunctionRow]] {
    [
      GeneralFunctions.table, DateFunctions.table, CalendarFunctions.table, LocalGetters.table,
      MapFunctions.table, AggregateFunctions.table, URLFunctions.table, TextFunctions.table,
      DataFunctions.table, DocumentFunctions.table, MailFunctions.table, PageFunctions.table,
      PathFunctions.table,
      SecretFunctions.table, MixingFunctions.table, LetterFunctions.table,
      NumberFunctions.table, ShortcutFunctions.table, ShortcutTexts.table, RangeFunctions.table,
    ]
  }

  /// Returns the overloads of a function; none if unknown.
  static func overloads(of name: String, _ context: FunctionContext) -> [Function] {
    for table in tables {
      guard let row = table.first(where: { $0.name == name }) else { continue }
      return switch row.make {
      case .alone(let make): make(name)
      case .within(let make): make(name, context)
      }
    }
    return []
  }
}
