package import CEL
import Catalog
package import Source
import Store

/// The failure of a run, with a code, a message and the path of the step (language §8).
package struct RunError: Error, Sendable {
  package let code: Code
  /// The problem and the offending value, as a sentence without a full stop.
  package let message: String
  /// The advice on how to fix it.
  package let remedy: Remedy?
  /// The names of the steps around the failure, the outermost first.
  package var path: [String] = []
  /// The place of the step or the expression.
  package var span: Span?
  /// Whether an argument from the person is invalid, which is a usage error.
  package var isUsage = false
  /// Whether a `fail` step raised it on purpose.
  package var isDeliberate = false
  /// Additional data, such as the status of an `http`.
  package var data = Value.null
  /// A sentence shown instead of an error when the person declined or left; nil for a failure.
  package var farewell: String?
  /// The exit status set by a `fail` step.
  package var status: Int32?
  /// Whether `retry` may repeat the step without naming the code.
  package var mayRepeat = true
  /// The number of its journal line; nil when not recorded.
  package internal(set) var line: Int64?
  /// Whether `catch` must not handle it because the store has rolled back the transaction.
  package var isFatal = false
  /// The value of the step if no further attempt is made; nil when it then fails.
  var settled: Value?
  /// The cause, in an array because a struct cannot contain itself.
  private var chain: [RunError] = []

  /// An error with a remedy or with plain advice.
  package init(
    _ code: Code, _ message: String, help: String? = nil, remedy: Remedy? = nil,
    at span: Span? = nil
  ) {
    self.code = code
    self.message = message
    self.remedy = remedy ?? help.map(Remedy.advice)
    self.span = span
  }

  /// The error for a question answered with no.
  ///
  /// - Parameter farewell: a sentence about the skipped action, such as “Nothing deleted.”
  package static func declined(_ prompt: String, _ farewell: String) -> RunError {
    RunError(.declined, "“\(prompt)” was answered with no").with(\.farewell, farewell)
  }

  /// The error for a question that the person left.
  package static func left(_ prompt: String) -> RunError {
    RunError(.cancelled, "“\(prompt)” was not answered").with(\.farewell, "Cancelled.")
  }

  /// The error for a condition that is not a Boolean.
  static func notBool(_ value: Value, at span: Span) -> RunError {
    RunError(
      .invalidValue, "this condition must be true or false, not \(value.typeName)", at: span
    )
  }

  /// The error that led to this one.
  package var cause: RunError? {
    get { chain.first }
    set { chain = newValue.map { [$0] } ?? [] }
  }

  /// Plain advice; nil for other remedies and for none.
  package var advice: String? { if case .advice(let text)? = remedy { text } else { nil } }

  /// Appends an earlier error to the chain of causes.
  mutating func addCause(_ earlier: RunError) {
    if isSame(as: earlier) { return }
    var next = cause ?? earlier
    if cause != nil { next.addCause(earlier) }
    cause = next
  }

  /// Whether it is the same error, raised again.
  private func isSame(as other: RunError) -> Bool {
    code == other.code && message == other.message && data == other.data
  }

  /// The chain of causes, the latest first.
  package var causes: [RunError] { Array(sequence(first: self, next: \.cause).dropFirst()) }

  /// Whether a job that fails with it counts as done, because a retry would be useless (`data:
  /// {settled: true}`).
  package var saysSettled: Bool { data.asMap?["settled"] == .bool(true) }

  /// Whether a job that fails with it found the network to be away, rather than one server (`data:
  /// {outage: true}`).
  package var saysOutage: Bool { data.asMap?["outage"] == .bool(true) }

  /// The same error with an enclosing step.
  func within(_ step: String, at span: Span?) -> RunError {
    var error = self
    error.path.insert(step, at: 0)
    if error.span == nil { error.span = span }
    return error
  }

  /// The same error as a usage error.
  package var asUsage: RunError { with(\.isUsage, true) }

  /// The same error, exempt from `catch`.
  package var asFatal: RunError { with(\.isFatal, true) }

  /// The same error with one property changed.
  package func with<Part>(_ part: WritableKeyPath<RunError, Part>, _ value: Part) -> RunError {
    var error = self
    error[keyPath: part] = value
    return error
  }

  /// Runs a body whose errors are usage errors.
  static func asUsage<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as RunError { throw error.asUsage }
  }

  /// Runs a body whose errors get a place unless they have one.
  package static func placing<Result>(at span: Span?, _ body: () throws -> Result) throws -> Result
  {
    do { return try body() } catch let error as RunError where error.span == nil {
      throw error.with(\.span, span)
    }
  }
}

extension RunError {
  /// A code of language §8, or one defined by a `fail` step.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    package let name: String

    package init(_ name: String) { self.name = name }

    package var description: String { name }

    package static let needsValue = Code("needs-value")
    package static let invalidValue = Code("invalid-value")
    package static let ambiguous = Code("ambiguous")
    package static let notFound = Code("not-found")
    package static let conflict = Code("conflict")
    package static let declined = Code("declined")
    package static let cancelled = Code("cancelled")
    package static let denied = Code("denied")
    package static let busy = Code("busy")
    package static let timeout = Code("timeout")
    package static let network = Code("network")
    package static let http = Code("http")
    package static let exec = Code("exec")
    package static let notAllowed = Code("not-allowed")
    package static let noSecret = Code("no-secret")
    package static let io = Code("io")
    package static let store = Code("store")
    package static let failed = Code("failed")
    package static let `internal` = Code("internal")
    package static let suspended = Code("suspended")

    /// The names of the built-in codes.
    package static let known = [
      needsValue, invalidValue, ambiguous, notFound, conflict, declined, cancelled, denied, busy,
      timeout, network, http, exec, notAllowed, noSecret, io, store, failed, .internal, suspended,
    ].map(\.name)
  }

  /// A failed evaluation, located in the document.
  init(_ error: EvaluationError, in source: ExpressionSource?) {
    let code: Code =
      switch error.code {
      case .failed: .failed
      case .noSecret: .noSecret
      default: .invalidValue
      }
    let range = error.focus ?? error.range
    self.init(
      code, error.message, help: error.help,
      at: source.map { source in range.map(source.span) ?? source.span })
  }

  /// Runs a body and converts errors of the store.
  ///
  /// - Parameter source: the expression evaluated by the store, for the place of an error in it.
  static func translating<Result>(
    in source: ExpressionSource? = nil, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError {
      // The store was interrupted at the request of the run.
      if error.code == .cancelled { throw Cancellation(.interrupted) }
      if error.code == .superseded { throw Cancellation(.superseded) }
      let remedy = error.remedy.map(Remedy.store)
      throw RunError(Code(error.languageCode), error.message, remedy: remedy)
        .with(\.isFatal, error.lostEarlierWrites)
    } catch let error as EvaluationError {
      throw RunError(error, in: source)
    }
  }

  /// Runs `body`, whose store errors become errors of a run.
  package static func reportingStore<Result>(_ body: () throws -> Result) throws -> Result {
    try translating(body)
  }

  /// The error as seen by `catch` and `finally`: `{code, message, step, data, cause}`.
  package var value: Value {
    .record([
      ("code", .string(code.name)), ("message", .string(message)),
      ("step", .string(path.last ?? "")), ("data", data), ("cause", cause?.value ?? .null),
    ])
  }

  /// The error for a value of that form; nil for other values.
  init?(_ value: Value) {
    guard let map = value.asMap, let code = map["code"]?.asText,
      let message = map["message"]?.asText
    else { return nil }
    self.init(Code(code), message)
    data = map["data"] ?? .null
    cause = map["cause"].flatMap { RunError($0) }
  }

  /// Whether a `catch` without codes handles it.
  var isCaughtByAll: Bool { code != .declined && code != .internal && !isFatal }
}
