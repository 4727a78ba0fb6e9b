import CEL
import Catalog
import Items
import Source
import YAML

/// Caches checked and compiled expressions between compilations, for editors.
///
/// Valid until an entity changes.
package final class ExpressionMemory {
  /// Everything the check of an expression depends on.
  struct Key: Hashable {
    let text: String
    /// Types of the names it uses, as far as they are in scope.
    let names: [String: DataType?]
    let facts: Set<String>
    let subject: String
    let isCondition: Bool
    let need: String?
    let language: String?
  }

  /// A compiled expression.
  struct Entry {
    /// The expression with qualified names of properties.
    let expression: Expression
    let checked: CheckedExpression?
    /// The program; nil after an error.
    let program: CEL.Program?
  }

  /// Maximum number of kept expressions.
  private static let limit = 20_000

  private var parsed: [String: (expression: Expression, names: Set<String>)] = [:]
  private var entries: [Key: Entry] = [:]

  package init() {}

  /// Parses a text and finds the names that it uses.
  func parse(
    _ text: String, names: (Expression) -> Set<String>
  ) throws(ExpressionError) -> (expression: Expression, names: Set<String>) {
    if let known = parsed[text] { return known }
    let expression = try Expression.parse(text)
    if parsed.count >= Self.limit { parsed = [:] }
    let result = (expression, names(expression))
    parsed[text] = result
    return result
  }

  /// The cached entry of a key.
  subscript(key: Key) -> Entry? {
    get { entries[key] }
    set {
      if entries.count >= Self.limit { entries = [:] }
      entries[key] = newValue
    }
  }
}

extension ExpressionCompiler {
  /// The cache key of an expression; nil if it must not be cached.
  func key(
    _ source: ExpressionSource, _ scopes: Scopes, _ subject: Subject?, isCondition: Bool,
    need: String?
  ) throws(ExpressionError) -> ExpressionMemory.Key? {
    // Variables named like types change the meaning of other names; built-in files may be unchecked.
    guard let memory = context.memory, scopes.typeNames.isEmpty, refusesFailures,
      !source.scalar.span.file.isBuiltIn
    else { return nil }
    let text = source.text
    let mentioned = try memory.parse(text, names: { usedNames(in: $0, text) }).names
    var names: [String: DataType?] = [:]
    for name in mentioned {
      guard let binding = scopes.binding(name) else { continue }
      // The run object has a dedicated type.
      let isRun = binding.slot == scopes.runName?.slot
      names.updateValue(binding.type, forKey: isRun ? "@run" : name)
    }
    let kind =
      subject.map { subject in
        "\(subject.entity?.name.text ?? "")\(subject.allowsBareNames ? "" : "!")"
          + (subject.isShare ? "share" : "self")
      } ?? ""
    return ExpressionMemory.Key(
      text: text, names: names, facts: scopes.flowFacts.facts(on: mentioned), subject: kind,
      isCondition: isCondition, need: need,
      language: Language.other(of: source.scalar.span)?.code)
  }

  /// The free names of an expression, with all words if it uses `vars`.
  private func usedNames(in expression: Expression, _ text: String) -> Set<String> {
    let free = Set(context.environment.freeNames(of: expression).map(\.name))
    return free.contains("vars") ? free.union(text.names) : free
  }

  /// Parses an expression, or returns its cached tree.
  func parse(_ text: String) throws(ExpressionError) -> Expression {
    guard let memory = context.memory else { return try Expression.parse(text) }
    return try memory.parse(text, names: { usedNames(in: $0, text) }).expression
  }
}
