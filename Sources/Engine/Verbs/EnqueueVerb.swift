import CEL
import Catalog
import Items
import Program
import Source
import Store
import YAML

/// `enqueue`: puts an intent or a shortcut into the queue, with the change that causes it.
enum EnqueueVerb: PlainVerb {
  static let word = "enqueue"
  static let name = Argument<ArgumentName>("name", at: 0, .actionName, required: true)
  static let input = Argument<Value>("input", at: 1, .value(.any))
  static let with = Argument<[CompiledArgument.Field]>("with", at: 2, .fields(.parameters))
  static let after = Argument<Value>("after", at: 3, .value(.optional(.duration)))
  static let key = Argument<String>("key", at: 4, .value(.optional(.string)))
  static let retry = Argument<Value>(
    "retry", at: 5, .value(.any), trial: ArgumentTrials.value(JobRetry.expectForm))
  static let requires = Argument<[Value]>(
    "requires", at: 6, .value(.list(.string)),
    trial: ArgumentTrials.value { value in
      if case .list(let names) = value { _ = try Requirement.all(named: names) }
    })
  static let join = Argument<Bool>("join", at: 7, .value(.bool))

  /// What is known of a job that was put in.
  private static let job = RecordType(
    "what `enqueue` gives",
    [.init("job", .int), .init("name", .string), .init("key", .nullable(.string))])

  static let signature = VerbSignature(
    word,
    [
      name.declaration, input.declaration, with.declaration, after.declaration, key.declaration,
      retry.declaration, requires.declaration, join.declaration,
    ], effect: .write, traits: [.setsIt, .enqueues], touches: touches,
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
    let isOwn = run.library.isBuiltIn(action: runner.action.definition.name.text)
    if isOwn, !run.host.allowsJob(called) || !runner.mayEnqueueShipped(called) { return .null }
    // Reading the definition of what is to be done later would cost every save as much as the rest.
    let isShipped = isOwn && run.library.place(ofAction: called)?.layer == .builtIn
    if isOwn, !isShipped, !fits(called, arguments, run) { return .null }
    let callee = isShipped ? nil : try handler(called, run)
    let call = CallArguments(arguments, input: input, with: with)
    let coder = ValueCoder { [workspace = run.workspace] in try? workspace.schema(of: $0) }
    var job = NewJob(
      handler: called, input: try coder.text(of: call.inputValue(of: callee) ?? .null),
      origin: run.cause)
    let named = try call.named(of: callee)
    for (name, value) in named where value.holdsSecret {
      throw RunError(
        .invalidValue, "`\(name)`: a secret can't wait in the queue",
        help: "let what is enqueued read it by `secret`")
    }
    let permissions = runner.permissionsOfJobs
    if !permissions.isNull { job.permissions = try coder.text(of: permissions) }
    job.arguments = try coder.text(of: .map(MapValue(named)))
    job.key = try arguments.text(key)
    if case .duration(let delay)? = try arguments.value(after) {
      let nanoseconds = max(0, delay.totalNanoseconds ?? .max)
      job.notBefore = Timestamp(
        microseconds: run.host.now().microseconds.addingClamped(nanoseconds / 1000))
    }
    if let value = try arguments.value(retry) {
      job.retry = try JobRetry(value, converter: run.converter)
    }
    job.requires = try Requirement.all(named: arguments.list(requires) ?? [])
    job.isExclusive = callee?.runMode == .single
    job.isJoined = try arguments.flag(join)
    let new = job
    guard let number = try RunError.translating({ try run.store().jobs.enqueue(new) }) else {
      return .null
    }
    return .map(
      MapValue([
        ("job", .int(number)), ("name", .string(called)),
        ("key", job.key.map(Value.string) ?? .null),
      ]))
  }

  private static func touches(_ call: VerbCall) -> [Touch] {
    guard case .dynamicName = call[name] else { return [] }
    return [Touch(any: .run, because: "what it puts into the queue is named when the step runs")]
  }

  /// Whether what took the place of something that came with the program takes what that is given; the
  /// change that would put it in goes on without it.
  private static func fits(_ name: String, _ arguments: VerbArguments, _ run: Run) -> Bool {
    guard let definition = try? handler(name, run) else { return false }
    let names = definition.allParameters.map(\.name.text)
    return arguments.fields(with).allSatisfy { names.contains($0.name) }
  }

  /// What does the job: whoever takes it from the queue has the person's own definitions alone.
  ///
  /// - Throws: `not-found`, `invalid-value`.
  private static func handler(_ name: String, _ run: Run) throws -> ActionDefinition {
    guard let definition = try run.library.action(name) else {
      throw RunError(
        .notFound, "there is no intent or shortcut `\(name)`",
        help: Suggestion.help(for: name, in: run.library.actionNames))
    }
    switch run.library.place(ofAction: name)?.layer {
    case .builtIn?, .user?, nil: return definition
    case .project?, .catalog?, .file?:
      throw RunError(
        .invalidValue, "a worker does not know `\(name)`, which is not among your own definitions",
        help: "put it into the folder of your own definitions")
    }
  }
}

extension JobRetry {
  /// The plan that a `retry` gives: a number of times, or a map.
  init(_ value: Value, converter: Converter) throws {
    try self.init(value) { value, key in try Self.length(value, key, converter) }
  }

  private init(_ value: Value, length: (Value, String) throws -> Int64) throws {
    self = .usual
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
            .invalidValue, "`retry` has `times`, `delay`, `backoff` and `max`, and no such `\(key)`"
          )
        }
      }
    default:
      throw RunError(.invalidValue, "`retry` is a number of times, or a map with `times`")
    }
  }

  /// Expects a number of times or a map, whose lengths of time are read when the step runs.
  ///
  /// - Throws: `invalid-value`.
  static func expectForm(_ value: Value) throws {
    _ = try JobRetry(value) { _, _ in 0 }
  }

  private static func length(
    _ value: Value, _ name: String, _ converter: Converter
  ) throws -> Int64 {
    guard case .duration(let length) = try converter.convert(value, to: .duration, named: name)
    else { return 0 }
    return max(0, length.clampedNanoseconds) / 1000
  }
}

extension Requirement {
  /// The requirements of some names.
  ///
  /// - Throws: `invalid-value` for a name of none.
  static func all(named values: [Value]) throws -> [Requirement] {
    try values.map { value in
      guard case .string(let name) = value, let known = Requirement(rawValue: name) else {
        let names = allCases.map(\.rawValue)
        throw RunError(
          .invalidValue,
          "a job may require \(names.joined(separator: ", ")), and no such \(value.text)")
      }
      return known
    }
  }
}

extension Int64 {
  /// The sum, or the number that is nearest to it.
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other > 0 ? .max : .min) : sum
  }
}
