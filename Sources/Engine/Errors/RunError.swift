package import CEL
import Catalog
package import Source
import Store

/// Why a run failed: a code, words for a person, and the path of the step (language §8).
package struct RunError: Error, Sendable {
  package let code: Code
  /// What failed, with which value, in a sentence without a full stop.
  package let message: String
  /// What to do about it.
  package let remedy: Remedy?
  /// The names of the steps that led there, the outermost first.
  package var path: [String] = []
  /// Where the step or the expression stands.
  package var span: Span?
  /// Whether the value of an argument that the person gave did not fit, which is bad usage.
  package var isUsage = false
  /// Whether a `fail` step raised it, so that nothing is wrong with the program.
  package var isDeliberate = false
  /// What the code says more, such as the status of an `http`.
  package var data = Value.null
  /// A sentence in place of an error, for a person who answered no or left; nil for a failure.
  package var farewell: String?
  /// The exit status that a `fail` step asks for.
  package var status: Int32?
  /// Whether it may be tried again where `retry` does not name its code.
  package var mayRepeat = true
  /// The line of the run's journal that has it; nil where none has.
  package internal(set) var line: Int64?
  /// Whether no `catch` gets it, since the store ended the transaction itself.
  package var isFatal = false
  /// The value of the step once it is not tried again; nil where it fails then.
  var settled: Value?
  private var causeBox: Box?

  /// A place for an error within an error.
  private final class Box: Sendable {
    let error: RunError

    init(_ error: RunError) { self.error = error }
  }

  package init(_ code: Code, _ message: String, remedy: Remedy?, at span: Span? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.span = span
  }

  /// An error with advice that reads the same everywhere.
  package init(_ code: Code, _ message: String, help: String? = nil, at span: Span? = nil) {
    self.init(code, message, remedy: help.map(Remedy.advice), at: span)
  }

  /// The end of what a person answered with no.
  ///
  /// - Parameter farewell: What was not done, in a sentence.
  package static func declined(_ prompt: String, _ farewell: String) -> RunError {
    var error = RunError(.declined, "“\(prompt)” was answered with no")
    error.farewell = farewell
    return error
  }

  /// The end of what a person left at a question.
  package static func left(_ prompt: String) -> RunError {
    var error = RunError(.cancelled, "“\(prompt)” was left without an answer")
    error.farewell = "Cancelled."
    return error
  }

  /// The error that this one took the place of, or that led to it.
  package var cause: RunError? {
    get { causeBox?.error }
    set { causeBox = newValue.map(Box.init) }
  }

  /// Names the error that came before, behind the causes that are known.
  mutating func addCause(_ earlier: RunError) {
    if isSame(as: earlier) { return }
    var next = cause ?? earlier
    if cause != nil { next.addCause(earlier) }
    cause = next
  }

  /// Whether it is the other error, raised again.
  private func isSame(as other: RunError) -> Bool {
    code == other.code && message == other.message && data == other.data
  }

  /// The errors that led to it, the latest first.
  package var causes: [RunError] { Array(sequence(first: self, next: \.cause).dropFirst()) }

  /// Whether a job that ends with it is done: it tells what could not be, and doing it again is of no
  /// use (`data: {settled: true}`).
  package var saysSettled: Bool {
    guard case .map(let map) = data else { return false }
    return map["settled"] == .bool(true)
  }

  /// The same error, from within a step.
  func within(_ step: String, at span: Span?) -> RunError {
    var error = self
    error.path.insert(step, at: 0)
    if error.span == nil { error.span = span }
    return error
  }

  /// The error of an argument that the person gave.
  package var asUsage: RunError {
    var error = self
    error.isUsage = true
    return error
  }

  /// The same error with more of what its code says.
  func with(_ data: Value) -> RunError {
    var error = self
    error.data = data
    return error
  }
}

extension RunError {
  /// The codes of language §8, and those that a `fail` step makes up.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    package let name: String

    package init(_ name: String) {
      self.name = name
    }

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

    /// The names of all of them, which errors have that no `fail` raises.
    package static let known = [
      needsValue, invalidValue, ambiguous, notFound, conflict, declined, cancelled, denied, busy,
      timeout, network, http, exec, notAllowed, noSecret, io, store, failed, .internal, suspended,
    ].map(\.name)
  }

  /// An evaluation that failed, at its place in the document.
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

  /// Runs a body and makes what the store throws an error of the run.
  ///
  /// - Parameter source: the expression that the store evaluates, for the place of a mistake in it.
  static func translating<Result>(
    in source: ExpressionSource? = nil, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError {
      // The store was asked whether the work is to end, and it is.
      if error.code == .cancelled { throw Cancellation(.interrupted) }
      if error.code == .superseded { throw Cancellation(.superseded) }
      var failure = RunError(
        Code(error.languageCode), error.message, remedy: error.remedy.map(Remedy.store))
      failure.isFatal = error.lostEarlierWrites
      throw failure
    } catch let error as EvaluationError {
      throw RunError(error, in: source)
    }
  }

  /// The error as a `catch` and a `finally` see it: `{code, message, step, data, cause}`.
  package var value: Value {
    .map(
      MapValue([
        ("code", .string(code.name)), ("message", .string(message)),
        ("step", .string(path.last ?? "")), ("data", data), ("cause", cause?.value ?? .null),
      ]))
  }

  /// The error that a value of that form stands for; nil for another value.
  init?(_ value: Value) {
    guard case .map(let map) = value, case .string(let code)? = map["code"],
      case .string(let message)? = map["message"]
    else { return nil }
    self.init(Code(code), message)
    data = map["data"] ?? .null
    cause = map["cause"].flatMap { RunError($0) }
  }

  /// Whether a `catch` without codes gets it.
  var isCaughtByAll: Bool { code != .declined && code != .internal && !isFatal }
}
