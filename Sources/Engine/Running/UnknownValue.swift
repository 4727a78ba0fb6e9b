package import CEL
import Program
import Source

/// The result of a step that a dry run leaves out, or a value that depends on one.
package final class UnknownValue: HiddenText, CustomStringConvertible {
  /// The placeholder for a value that is not known.
  package static let mark = "‹unknown›"

  package let shownText: String
  /// The skipped step, for messages.
  let step: String

  init(_ shownText: String = UnknownValue.mark, of step: String) {
    self.shownText = shownText
    self.step = step
  }

  package var typeName: String { "unknown" }
  package var description: String { shownText }

  package func isEqual(to other: any ObjectValue) -> Bool { false }
  package func followed(by other: Value) -> Value? { nil }
  package func preceded(by other: Value) -> Value? { nil }
}

extension Value {
  /// The first part that is unknown; nil if all is known.
  ///
  /// - Complexity: O(parts of the value).
  var unknown: UnknownValue? {
    switch self {
    case .object(let object): object as? UnknownValue
    case .list(let values): values.lazy.compactMap(\.unknown).first
    case .map(let map): map.entries.lazy.compactMap(\.value.unknown).first
    case .optional(let optional): optional.wrapped?.unknown
    default: nil
    }
  }
}

/// Unknown values in a dry run, from which nothing is computed.
extension Runner {
  /// The result of a call: unknown if it would come from outside, or depends on such a value.
  func resultInDryRun(_ call: VerbCall, _ step: CompiledStep) throws -> Value? {
    let given = (try? arguments(of: step)) ?? []
    let unknown =
      given.lazy.compactMap(\.value.unknown).first
      ?? call.arguments.lazy.compactMap { [self] argument in
        if case .filter(let expression, _)? = argument { self.unknown(in: expression) } else { nil }
      }.first
    switch call.verb.effect {
    case .read, .write, .outside:
      if let unknown { return .object(UnknownValue(of: unknown.step)) }
    case .pure, .tell, .ask: break
    }
    let value = try VerbTable.rows[call.row].run(VerbArguments(runner: self, call: call), step)
    let onlyReads = call.verb.onlyReads(given)
    guard case .outside = call.verb.effect, value != nil,
      !call.verb.traits.contains(.foreseeable), !(onlyReads && run.dryRun.makesRequests)
    else { return value }
    run.dryRun.hasUnknowns = true
    run.dryRun.lacksRequest = run.dryRun.lacksRequest || onlyReads
    return .object(UnknownValue(of: "`\(call.verb.name)` at \(step.span.location)"))
  }

  /// The first variable of an expression that is unknown; nil if there is none.
  func unknown(in expression: CompiledExpression) -> UnknownValue? {
    guard run.dryRun.hasUnknowns else { return nil }
    return expression.slots.lazy.compactMap { [frame] in frame.slots[$0].unknown }.first
  }

  /// Ends the dry run if a value that determines the next steps is unknown.
  ///
  /// - Parameter what: The decision that depends on the value, such as “this condition”.
  func expectKnown(_ value: Value, _ what: String, at span: Span?) throws {
    guard run.dryRun.hasUnknowns, let unknown = value.unknown else { return }
    let message =
      "\(what) depends on the result of \(unknown.step), which a dry run does not have"
      + (run.dryRun.lacksRequest ? "; --allow-requests makes read-only requests" : "")
    let place = span.map { " at \($0.location)" } ?? ""
    // No `try` handles it.
    throw RunError(.failed, message).with(\.isFatal, true)
      .with(\.farewell, "errand: the dry run stops\(place): \(message)")
  }
}
