package import CEL
import Catalog
import Program
import Source
import YAML

extension Run {
  /// Compiles a template over `self` that was given on the command line.
  ///
  /// - Throws: `Diagnostics`.
  package func valueTemplate(_ text: String, label: String) throws -> ValueTemplate {
    let collector = DiagnosticCollector()
    var scopes = Scopes()
    let slot = scopes.makeSlot()
    let compiled = collector.collecting { () throws(Diagnostic) in
      try Template(scalar: Scalar(text: text, label: label))
    }.flatMap {
      ExpressionCompiler(workspace.context, collector)
        .compile($0, scopes, subject: .init(slot: slot, entity: nil))
    }
    guard let compiled, !collector.hasErrors else { throw Diagnostics(collector.errors) }
    return ValueTemplate(renderer, compiled)
  }

  /// The value of an expression with variables.
  ///
  /// - Throws: `Diagnostics` when it is wrong, `RunError` when it has no value.
  package func evaluate(
    _ text: String, _ variables: [(name: String, value: Value)], label: String
  ) throws -> Value {
    let collector = DiagnosticCollector()
    var scopes = Scopes()
    let frame = Frame(count: variables.count)
    for (name, value) in variables {
      let slot = scopes.declare(name, .variable, type: nil)
      frame.slots[slot] = value
    }
    let source = collector.collecting { () throws(Diagnostic) in
      try ExpressionSource(scalar: Scalar(text: text, label: label))
    }
    var compiler = ExpressionCompiler(workspace.context, collector)
    compiler.refusesFailures = false
    let compiled = source.flatMap { compiler.compile($0, scopes) }
    guard let compiled, !collector.hasErrors else { throw Diagnostics(collector.errors) }
    return try ValueBounds.checked(
      RunError.translating(in: compiled.source) { try compiled.evaluate(frame) })
  }
}
