/// The reason why an expression has no value.
///
/// A class, so that it is one word wide while it passes through `&&` and `||`.
package final class EvaluationError: Error, Sendable {
  /// The kinds of failures, by stable names.
  package enum Code: String, Sendable {
    /// An operation on null that is undefined.
    case nullOperand = "null-operand"
    case unknownVariable = "unknown-variable"
    case unknownFunction = "unknown-function"
    case noSuchKey = "no-such-key"
    case noSuchField = "no-such-field"
    case noMatchingOverload = "no-matching-overload"
    case overflow
    case divisionByZero = "division-by-zero"
    case invalidArgument = "invalid-argument"
    case boundExceeded = "bound-exceeded"
    /// The caller interrupted the evaluation.
    case interrupted
    /// A host function failed.
    case failed
    /// The named secret does not exist.
    case noSecret = "no-secret"
  }

  private let reason: Reason
  private let origin: Expression?

  private let statedHelp: String?

  /// Advice that the message does not contain, if any.
  package var help: String? { statedHelp ?? reason.help }

  /// The kind of failure.
  package var code: Code { reason.code }

  /// The message: what failed and with which value.
  package var message: String { reason.message(at: origin) }

  /// The UTF-8 offsets of the failed part in the expression's text.
  package var range: Range<Int>? { origin?.range }

  /// The UTF-8 offsets that a message points at, such as an operator or a name.
  package var focus: Range<Int>? { origin?.focus }

  /// Whether it aborts the whole evaluation and is not absorbed by another operand.
  var isFinal: Bool { code == .boundExceeded || code == .interrupted }

  /// Creates the error of a function; the call adds the location.
  package convenience init(_ message: String, code: Code = .invalidArgument, help: String? = nil) {
    self.init(.stated(code, message), help: help)
  }

  /// Creates an error, with its location if known.
  init(_ reason: Reason, at origin: Expression? = nil, help: String? = nil) {
    self.reason = reason
    self.origin = origin
    statedHelp = help
  }

  /// Returns the same failure with this location, unless it already has one.
  func located(at origin: Expression) -> EvaluationError {
    self.origin == nil ? EvaluationError(reason, at: origin, help: statedHelp) : self
  }

  /// The facts of a failure; the message is built on demand.
  enum Reason: Sendable {
    case stated(Code, String)
    /// A message that ends with the failed part of the expression.
    case placed(Code, String)
    /// A message that ends with the kind of an invalid value.
    case unfit(String, kind: String)
    case operands(String, [String])
    case arguments(String, [String], signatures: [String])
    case unknownFunction(String)
    case noSuchKey(Value, in: Value)
    case noSuchField(String, type: String, known: [String])
    case overflow(String)
    case tooLarge(String)
    case repeatedKey(Value)
    case conversion(Value, to: String)

    var code: Code {
      switch self {
      case .stated(let code, _), .placed(let code, _): code
      case .operands(_, let kinds), .arguments(_, let kinds, _):
        kinds.contains("null") ? .nullOperand : .noMatchingOverload
      case .unfit(_, let kind): kind == "null" ? .nullOperand : .noMatchingOverload
      case .unknownFunction: .unknownFunction
      case .noSuchKey: .noSuchKey
      case .noSuchField: .noSuchField
      case .repeatedKey: .invalidArgument
      case .overflow: .overflow
      case .tooLarge: .boundExceeded
      case .conversion(let value, _): value.isNull ? .nullOperand : .invalidArgument
      }
    }
  }
}

extension EvaluationError: CustomStringConvertible {
  /// The message.
  package var description: String { message }
}
