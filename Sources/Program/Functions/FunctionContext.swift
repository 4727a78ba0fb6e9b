package import CEL
import Synchronization

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

extension Environment {
  /// Adds the functions that Errand has beside the standard ones.
  package mutating func addErrandFunctions(_ context: FunctionContext) {
    add(named: GeneralFunctions.names) { GeneralFunctions.all(context) }
    add(named: DateFunctions.names) { DateFunctions.all(context) }
    add(named: CalendarFunctions.names) { CalendarFunctions.all(context.clock) }
    add(named: LocalGetters.names) { LocalGetters.all(context.clock) }
    add(named: MapFunctions.names) { MapFunctions.all }
    add(named: AggregateFunctions.names) { AggregateFunctions.all }
    add(AggregateFunctions.groupBy)
    add(AggregateFunctions.reduce)
    add(named: URLFunctions.names) { URLFunctions.all }
    add(named: TextFunctions.names) { TextFunctions.all }
    add(named: DataFunctions.names) { DataFunctions.all }
    add(named: PageFunctions.names) { PageFunctions.all(context.clock) }
    add(named: PathFunctions.names) { PathFunctions.all }
    add(named: SecretFunctions.names) { SecretFunctions.all(context) }
    add(named: MixingFunctions.names) { MixingFunctions.all(context) }
  }
}

/// The clock on the user's wall: moments as days and times of day there, and back.
///
/// The rules of its zone are read when they are first needed, since most runs need none.
package final class LocalClock: Sendable {
  private let readZone: @Sendable () -> TimeZoneRules
  private let knownZone = Mutex<TimeZoneRules?>(nil)

  /// A clock in the zone that a function reads.
  package init(_ zone: @escaping @Sendable () -> TimeZoneRules) {
    readZone = zone
  }

  /// A clock that shows UTC.
  package static let utc = LocalClock { .utc }

  /// The rules of the clock's zone.
  package var zone: TimeZoneRules {
    knownZone.withLock { known in
      if let known { return known }
      let zone = readZone()
      known = zone
      return zone
    }
  }

  /// What the wall shows at a moment.
  package func time(at moment: Timestamp) -> CivilTime {
    zone.civilTime(at: moment)
  }

  /// The moment at which the wall shows a time.
  ///
  /// A time that the wall shows twice, when clocks go back, is the first of the two; one that it
  /// never shows, when they go forward, is as much later as they jump.
  package func moment(of time: CivilTime) -> Timestamp {
    zone.timestamp(of: time)
  }

  /// The first moment of a day.
  package func start(of date: CivilDate) -> Timestamp {
    moment(of: CivilTime(date: date))
  }
}
