import CEL
import Catalog
import Items
import Program
import Source
import Store
import YAML

/// `enqueue`: adds a job for an intent or a shortcut, in the transaction of its cause.
enum EnqueueVerb: Verb {
  static let word = "enqueue"
  static let name = Argument<ArgumentName>("name", at: 0, .actionName, required: true)
  static let input = Argument<Value>("input", at: 1, .value(.any))
  static let with = Argument<[CompiledArgument.Field]>("with", at: 2, .fields(.parameters))
  static let after = Argument<Value>("after", at: 3, .value(.optional(.duration)))
  static let key = Argument<String>("key", at: 4, .value(.optional(.string)))
  static let retry = Argument<Value>(
    "retry", at: 5, .value(.any), trial: ArgumentTrials.value(JobRetry.expectForm))
  static let requires = Argument<Value>(
    "requires", at: 6, .value(.any), trial: ArgumentTrials.value { _ = try JobNeeds($0) })
  static let join = Argument<Bool>("join", at: 7, .value(.bool))
  static let on = Argument<String>(
    "on", at: 8, .value(.optional(.string)), trial: ArgumentTrials.value { try expectHub($0) })

  /// The fields of an enqueued job.
  private static let job = RecordType(
    "the result of `enqueue`",
    [.init("job", .nullable(.int)), .init("name", .string), .init("key", .nullable(.string))])

  static let signature = VerbSignature(
    word,
    [
      name, input, with, after, key,
      retry, requires, join, on,
    ], effect: .write, traits: [.setsIt, .enqueues], capabilities: capabilities,
    resultType: .fixed(.optional(.record(job))))

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let runner = arguments.runner
    let run = runner.run
    let called: String
    switch arguments[name] {
    case .name(let text): called = text
    case .dynamicName(let template, _):
      called = try runner.text(of: template)
      try run.workspace.check(action: called)
      try runner.authorize(named: called)
    default: return .null
    }
    let isFromBuiltIn = run.catalog.isBuiltIn(runner.action.definition.name.text)
    if isFromBuiltIn, !run.host.allowsJob(called) || !runner.mayEnqueueShipped(called) {
      return .null
    }
    // Parsing the handler of a built-in job would double the cost of each save.
    let isBuiltIn = isFromBuiltIn && run.catalog.place(ofAction: called)?.layer == .builtIn
    if isFromBuiltIn, !isBuiltIn, !accepts(called, arguments, run) { return .null }
    let callee = isBuiltIn ? nil : try run.ownAction(called)
    let call = CallArguments(arguments: arguments, input: input, with: with)
    let coder = run.jobCoder
    var job = NewJob(
      handler: called, input: try coder.text(of: call.inputValue(of: callee) ?? .null),
      origin: run.identity.cause)
    let named = try call.named(of: callee)
    for (name, value) in named where value.holdsSecret {
      throw RunError(
        .invalidValue, "`\(name)`: a secret cannot be stored in the queue",
        help: "read it with `secret` in the job itself")
    }
    let permissions = runner.permissionsOfJobs
    if !permissions.isNull { job.permissions = try coder.text(of: permissions) }
    job.arguments = try coder.text(of: .record(named.map { ($0.name, $0.value) }))
    job.key = try arguments.text(key)
    if let delay = try arguments.value(after)?.asDuration {
      let (moment, overflows) = run.host.now().microseconds
        .addingReportingOverflow(max(0, delay.totalNanoseconds ?? .max) / 1000)
      job.notBefore = Timestamp(microseconds: overflows ? .max : moment)
    }
    if let value = try arguments.value(retry) {
      job.retry = try JobRetry(value, converter: run.converter)
    }
    let needs = try JobNeeds(arguments.value(requires) ?? .null)
    job.requires = needs.requirements
    job.isExclusive = callee?.runMode == .single
    job.isJoined = try arguments.flag(join)
    let new = job
    if let place = try arguments.value(on) {
      try expectHub(place)
      try RunError.translating { try run.store().hub.jobs.post(new, target: needs.machine) }
      return .record([("job", .null), ("name", .string(called)), ("key", .text(job.key))])
    }
    guard needs.machine == nil else {
      throw RunError(
        .invalidValue, "only a job of the hub may require a machine", help: "add `on: hub`")
    }
    guard let number = try RunError.translating({ try run.store().jobs.enqueue(new) }) else {
      return .null
    }
    return .record([("job", .int(number)), ("name", .string(called)), ("key", .text(job.key))])
  }

  /// - Throws: `invalid-value` for another place than the hub.
  private static func expectHub(_ place: Value) throws {
    guard place.asText == "hub" else {
      throw RunError(.invalidValue, "`on` takes only `hub`, not `\(place.text)`")
    }
  }

  private static func capabilities(_ call: VerbCall) -> [Capability] {
    guard case .dynamicName = call[name] else { return [] }
    return [
      Capability(any: .run, because: "what it puts into the queue is named when the step runs")
    ]
  }

  /// Whether the user's replacement of a built-in handler accepts these parameters; if not, the job
  /// is skipped and the change continues.
  private static func accepts(_ name: String, _ arguments: VerbArguments, _ run: Run) -> Bool {
    guard let definition = try? run.ownAction(name) else { return false }
    let names = definition.allParameters.map(\.name.text)
    return arguments.fields(with).allSatisfy { names.contains($0.name) }
  }
}

extension JobRetry {
  /// The policy of a `retry`: a number of attempts, or a map.
  init(_ value: Value, converter: Converter) throws {
    try self.init(value) { value, key in try Self.length(value, key, converter) }
  }

  private init(_ value: Value, length: (Value, String) throws -> Duration) throws {
    self = .default
    switch value {
    case .bool(false): times = 0
    case .bool(true), .null: break
    case .int(let number): times = Int(clamping: max(0, number))
    case .map(let map):
      for case (.string(let key), let value) in map.entries {
        switch (key, value) {
        case ("times", .int(let number)): times = Int(clamping: max(0, number))
        case ("delay", _): delay = try length(value, key)
        case ("max", _): longest = try length(value, key)
        case ("backoff", .int(let number)): backoff = max(1, Double(number))
        case ("backoff", .double(let number)): backoff = max(1, number)
        default:
          throw RunError(
            .invalidValue, "`retry` has `times`, `delay`, `backoff` and `max`, but not `\(key)`"
          )
        }
      }
    default:
      throw RunError(.invalidValue, "`retry` must be a number of times, or a map with `times`")
    }
  }

  /// Checks the form of a `retry` value; durations are parsed at run time.
  ///
  /// - Throws: `invalid-value`.
  static func expectForm(_ value: Value) throws {
    _ = try JobRetry(value) { _, _ in .zero }
  }

  private static func length(
    _ value: Value, _ name: String, _ converter: Converter
  ) throws -> Duration {
    let length = try converter.convert(value, to: .duration, named: name).asDuration
    return length?.length ?? .zero
  }
}
