import CEL
import Catalog
import Program
import Source
import YAML

/// What `run` and `enqueue` give to the intent or the shortcut that they name.
struct CallArguments {
  private let arguments: VerbArguments
  private let input: Argument<Value>
  private let with: Argument<[CompiledArgument.Field]>

  init(
    _ arguments: VerbArguments, input: Argument<Value>,
    with: Argument<[CompiledArgument.Field]>
  ) {
    self.arguments = arguments
    self.input = input
    self.with = with
  }

  /// The input for the primary parameter; nil when none is given.
  ///
  /// - Parameter callee: what takes it; nil where that need not be looked at.
  /// - Throws: `invalid-value` where the callee takes none.
  func inputValue(of callee: ActionDefinition?) throws -> Value? {
    guard let value = try arguments.value(input) else { return nil }
    if let callee, callee.primaryParameter == nil {
      throw RunError(.invalidValue, "`\(callee.name.text)` takes no input")
    }
    return value
  }

  /// The other parameters by name.
  ///
  /// - Throws: `invalid-value` for one that the callee has not.
  func named(of callee: ActionDefinition?) throws -> [(name: String, value: Value)] {
    let names = callee?.allParameters.map(\.name.text)
    return try arguments.fields(with).map { field in
      if let callee, let names, !names.contains(field.name) {
        throw RunError(
          .invalidValue, "`\(callee.name.text)` has no parameter `\(field.name)`",
          help: Suggestion.help(for: field.name, in: names), at: field.span)
      }
      return (field.name, try arguments.runner.value(of: field.value))
    }
  }

  /// All of it, by the positions of the callee's parameters.
  func given(to callee: ActionDefinition) throws -> [Int: GivenValue] {
    try callee.given(inputValue(of: callee), named(of: callee))
  }
}
