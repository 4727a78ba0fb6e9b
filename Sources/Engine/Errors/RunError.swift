package import CEL
package import Source

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
