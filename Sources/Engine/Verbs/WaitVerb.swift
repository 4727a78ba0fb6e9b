import CEL
import Catalog
import Items
import Program
import Store

/// `wait`: waits for a length of time, until a moment, or until an item that fits appears.
enum WaitVerb: PlainVerb {
  static let word = "wait"
  static let length = Argument<Value>("for", at: 0, .value(.duration))
  static let until = Argument<Value>("until", at: 1, .value(.timestamp))
  static let entity = Argument<ArgumentName>("entity", at: 2, .entityName)
  static let filter = Argument<CompiledExpression>("where", at: 3, .filter)

  static let signature = VerbSignature(
    word,
    [length.declaration, until.declaration, entity.declaration, filter.declaration],
    effect: .outside, traits: .waits, onResume: { _ in .retry },
    alternatives: .init(["for", "until", "entity"]), advice: advice,
    resultType: ResultType { call in
      guard let type = call.name(entity).map(DataType.entity) else { return nil }
      // Null when the time is up before.
      return call[length] == nil && call[until] == nil ? type : .optional(type)
    })

  /// A length of time in the form of this language for a unit that other ones have.
  private static func advice(on word: String, _ text: String?) -> String? {
    guard ["seconds", "secs", "minutes", "hours", "days"].contains(word) else { return nil }
    let number = text.flatMap(Int.init) == nil ? "5" : text ?? ""
    let length = number + word.prefix(1)
    return "write `- \(self.word): \(length)`, which is short for `for: \(length)`"
  }

  /// How often the time left is told, in nanoseconds.
  private static let reportEvery: Int64 = 1_000_000_000
  /// How often a store that can't be watched is asked whether an item has come, in nanoseconds.
  private static let lookEvery: Int64 = 200_000_000
  /// The least time between two looks, however often the store is changed.
  private static let restAfterLook: Int64 = 20_000_000

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.runner.run
    var nanoseconds: Int64?
    // A run that goes on later keeps the moment at which the wait is to end.
    let until = try arguments.runner.decided("until", step) { try end(of: arguments) }
    switch until {
    case .duration(let length): nanoseconds = length.clampedNanoseconds
    case .timestamp(let moment):
      let left = moment.microseconds.subtractingReportingOverflow(run.host.now().microseconds)
      let whole = left.overflow ? Int64.max / 4 : min(max(left.partialValue, 0), .max / 4_000)
      nanoseconds = whole * 1000
    default: break
    }
    if arguments[entity] != nil { return try item(arguments, step, within: nanoseconds) }
    guard let nanoseconds else {
      throw RunError(
        .invalidValue, "`wait` needs `for`, `until` or `entity`", help: "write wait: 5s")
    }
    try pause(nanoseconds, arguments.runner, step)
    return nil
  }

  /// When it is to end, as a moment or from now on; null when nothing says so.
  private static func end(of arguments: VerbArguments) throws -> Value {
    let run = arguments.runner.run
    var moments: [Timestamp] = []
    if case .timestamp(let moment)? = try arguments.value(until) { moments.append(moment) }
    if case .duration(let length)? = try arguments.value(length) {
      // Steps of the clock do not change a wait that no later process goes on with.
      if moments.isEmpty, run.lines == nil { return .duration(length) }
      moments.append(run.host.now().adding(length) ?? .latest)
    }
    return moments.min().map(Value.timestamp) ?? .null
  }

  /// Waits, and tells every second how much is left.
  private static func pause(
    _ nanoseconds: Int64, _ runner: Runner, _ step: CompiledStep
  ) throws {
    let run = runner.run
    let start = run.host.machine.monotonic()
    let end = start &+ nanoseconds
    let total = Double(nanoseconds) / 1e9
    let reportEvery = run.host.machine.simulation == nil ? Self.reportEvery : Int64.max
    defer {
      if nanoseconds > reportEvery {
        run.front.progress(
          Progress(step.label, done: total, total: total, unit: .seconds, isOver: true))
      }
    }
    while true {
      let now = run.host.machine.monotonic()
      if now >= end { break }
      if nanoseconds > reportEvery {
        run.front.progress(
          Progress(step.label, done: Double(now - start) / 1e9, total: total, unit: .seconds))
      }
      try run.pause(until: min(end, now + min(reportEvery, end - now)), runner.strand)
    }
    try runner.strand.check(run.host.machine.monotonic)
  }

  /// Waits until an item fits; null when the time is up before.
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
    // What comes between the first look and the watch would be missed, so the watch is first.
    let watch = try run.store(for: entity).database.watch()
    while true {
      let store = try run.store(for: entity)
      if let item = try runner.searching(store, in: source, { try store.items.find(query) }).first {
        return .object(item)
      }
      let now = run.host.machine.monotonic()
      if let end, now >= end { return .null }
      if run.host.machine.simulation != nil {
        guard try run.waitForOthers(until: end, runner.strand) else {
          var error = RunError(
            .timeout, "`wait` waits for a \(entity), and nothing is left that could make one")
          error.isFatal = true
          throw error
        }
        continue
      }
      guard let watch else {
        try run.pause(until: min(end ?? .max, now &+ lookEvery), runner.strand)
        continue
      }
      try run.pause(until: min(end ?? .max, now &+ restAfterLook), runner.strand)
      let look = min(end ?? .max, now &+ StoreWatch.patience)
      while !watch.takeNews(), run.host.machine.monotonic() < look {
        try run.pause(until: look, orReadable: watch.descriptor, runner.strand)
      }
    }
  }
}
