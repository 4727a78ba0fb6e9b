package import CEL
package import Catalog
package import Items
import Source
package import YAML

/// Records the expressions of a compilation with the names in scope, for editors.
package final class CompilationTrace {
  /// An expression with its scope.
  package struct Expression {
    package let source: ExpressionSource
    let scopes: Scopes
    let subject: ExpressionCompiler.Subject?
    /// The types of its parts; nil where it could not be parsed.
    package internal(set) var checked: CheckedExpression?
  }

  /// An assignment by `set` to a declared name.
  package struct Assignment {
    package let name: Scalar
    package let declaration: Scalar
  }

  /// The expressions in the order of compilation.
  package private(set) var expressions: [Expression] = []
  package private(set) var assignments: [Assignment] = []

  package init() {}

  func meet(
    _ source: ExpressionSource, _ scopes: Scopes, _ subject: ExpressionCompiler.Subject?
  ) {
    expressions.append(Expression(source: source, scopes: scopes, subject: subject))
  }

  /// Records the types of the last expression.
  func note(_ checked: CheckedExpression?) {
    if !expressions.isEmpty { expressions[expressions.count - 1].checked = checked }
  }

  func assign(_ name: Scalar, _ declaration: Scalar?) {
    if let declaration { assignments.append(Assignment(name: name, declaration: declaration)) }
  }
}

/// A name in scope.
package struct VisibleName {
  package let name: String
  package let kind: Binding.Kind
  /// The type; nil if it is only known at run time.
  package let type: DataType?
  /// The declaration; nil for built-in names.
  package let declaration: Scalar?
}

extension CompilationTrace.Expression {
  /// All names in scope, sorted.
  package var names: [VisibleName] { Set(scopes.names).sorted().compactMap(name) }

  /// Resolves a name; nil if it is not in scope.
  package func name(_ word: String) -> VisibleName? {
    scopes.binding(word).map {
      VisibleName(name: word, kind: $0.kind, type: $0.type, declaration: $0.declaration)
    }
  }

  /// Whether `self` is in scope.
  package var hasSelf: Bool { subject != nil }

  /// The entity of `self`; nil if it may be any value.
  package var entity: EntityDefinition? { subject?.entity }

  /// Whether properties may be named without `self`.
  package var namesPropertiesBare: Bool { subject?.allowsBareNames == true }

  /// Whether `self` is a share.
  package var isOverShares: Bool { subject?.isShare == true }

  /// Checks another expression in the same scope; nil if it does not parse.
  package func check(_ text: String, _ context: CompilationContext) -> CheckedExpression? {
    let scalar = Scalar(text: text, style: .plain, span: source.scalar.span)
    guard let source = try? ExpressionSource(scalar: scalar) else { return nil }
    var context = context
    let trace = CompilationTrace()
    context.trace = trace
    _ = ExpressionCompiler(context, DiagnosticCollector()).compile(source, scopes, subject: subject)
    return trace.expressions.last?.checked
  }
}

extension CompilationContext {
  /// Fields of an object type; for an entity its properties and the system fields.
  package func fields(ofObject name: String) -> [RecordType.Field] {
    if name == SharedValue.typeName { return SharedValue.type.fields }
    if name == RunName.type.name { return RunName.type.fields }
    let entity = (try? catalog.entity(name)) ?? catalog.partialEntity(name)
    return entity?.objectType.fields ?? []
  }
}
