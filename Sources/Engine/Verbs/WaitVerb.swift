import CEL
import Catalog
import Items
import POSIX
import Program
import Store

/// `wait`: waits for a duration, until a moment, or until a matching item exists.
enum WaitVerb: Verb {
  static let word = "wait"
  static let length = Argument<Value>("for", at: 0, .value(.duration))
  static let until = Argument<Value>("until", at: 1, .value(.timestamp))
  static let entity = Argument<ArgumentName>("entity", at: 2, .entityName)
  static let filter = Argument<CompiledExpression>("where", at: 3, .filter)

  static let signature = VerbSignature(
    word,
    [length, until, entity, filter],
    effect: .outside, traits: .waits, onResume: { _ in .retry },
    alternatives: .init(["for", "until", "entity"]),
    resultType: ResultType { call in
      guard let type = call.name(entity).map(DataType.entity) else { return nil }
      // Null on timeout.
      return call[length] == nil && call[until] == nil ? type : .optional(type)
    })

  /// Interval of progress reports.
  private static let reportInterval = Duration.seconds(1)
  /// Polling interval for a store that cannot be watched.
  private static let pollInterval = Duration.milliseconds(200)
  /// Minimum interval between queries, however often the store changes.
  private static let minimumPollInterval = Duration.milliseconds(20)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.run
    // A resumed run keeps the original end of the wait.
    let until = try arguments.runner.decided("until", step) { try end(of: arguments) }
    var nanoseconds = until.asDuration?.length.nanoseconds
    if let moment = until.asTimestamp {
      let left = moment.microseconds.subtractingReportingOverflow(run.host.now().microseconds)
      let most = Int64.max / 4_000
      nanoseconds = (left.overflow ? most : min(max(left.partialValue, 0), most)) * 1000
    }
    if arguments[entity] != nil { return try item(arguments, step, within: nanoseconds) }
    guard let nanoseconds else {
      throw RunError(
        .invalidValue, "`wait` needs `for`, `until` or `entity`", help: "write wait: 5s")
    }
    try pause(nanoseconds, arguments.runner, step)
    return nil
  }

  /// The end of the wait, as a moment or a duration from now; null for none.
  private static func end(of arguments: VerbArguments) throws -> Value {
    let run = arguments.run
    let moment = try arguments.value(until)?.asTimestamp
    guard let length = try arguments.value(length)?.asDuration else {
      return moment.map(Value.timestamp) ?? .null
    }
    // Only a run that can be resumed needs a wall-clock end, which clock changes may shift.
    if moment == nil, run.lines == nil { return .duration(length) }
    let end = run.host.now().adding(length) ?? .latest
    return .timestamp(min(moment ?? end, end))
  }

  /// Waits, and reports the remaining time every second.
  private static func pause(_ nanoseconds: Int64, _ runner: Runner, _ step: CompiledStep) throws {
    let run = runner.run
    let start = run.host.machine.monotonic()
    let end = start &+ nanoseconds
    let reportInterval =
      run.host.machine.simulation == nil ? Self.reportInterval.nanoseconds : Int64.max
    func report(_ done: Int64, isOver: Bool = false) {
      guard nanoseconds > reportInterval else { return }
      run.front.progress(
        Progress(
          step.label, done: Double(done) / 1e9, total: Double(nanoseconds) / 1e9, unit: .seconds,
          isOver: isOver))
    }
    defer { report(nanoseconds, isOver: true) }
    while true {
      let now = run.host.machine.monotonic()
      if now >= end { break }
      report(now - start)
      try run.pause(until: min(end, now + min(reportInterval, end - now)), runner.task)
    }
    try runner.task.check(run.host.machine.monotonic)
  }

  /// Waits until an item matches; null on timeout.
  private static func item(
    _ arguments: VerbArguments, _ step: CompiledStep, within nanoseconds: Int64?
  ) throws -> Value? {
    let runner = arguments.runner
    let run = runner.run
    guard let entity = arguments.name(entity) else { return .null }
    var query = Query(entity, limit: 1)
    var source: ExpressionSource?
    if case .filter(let filter, _) = arguments[filter] {
      source = filter.source
      query.filter = FindVerb.filter(filter, runner)
    }
    let end = nanoseconds.map { run.host.machine.monotonic() &+ $0 }
    // Start watching before the first query, so that no change is missed.
    let watch = try run.store(for: entity).watch()
    while true {
      let store = try run.store(for: entity)
      if let item = try runner.searching(store, in: source, { try store.items.find(query) }).first {
        return .object(item)
      }
      let now = run.host.machine.monotonic()
      if let end, now >= end { return .null }
      if run.host.machine.simulation != nil {
        guard try run.waitForOthers(until: end, runner.task) else {
          throw RunError(
            .timeout, "`wait` would never end: no step is left that could create a \(entity)"
          ).asFatal
        }
        continue
      }
      guard let watch else {
        try run.pause(until: min(end ?? .max, now &+ pollInterval.nanoseconds), runner.task)
        continue
      }
      try run.pause(until: min(end ?? .max, now &+ minimumPollInterval.nanoseconds), runner.task)
      let limit = min(end ?? .max, now &+ StoreWatch.patience.nanoseconds)
      while !watch.takeNews(), run.host.machine.monotonic() < limit {
        try run.pause(until: limit, orReadable: watch.descriptor, runner.task)
      }
    }
  }
}
