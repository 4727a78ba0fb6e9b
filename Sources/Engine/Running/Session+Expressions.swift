package import CEL
import Catalog
import Source
import YAML

/// A template that is rendered for values one by one, `self` being the value.
package struct ValueTemplate {
  private let session: Session
  private let template: CompiledTemplate

  fileprivate init(_ session: Session, _ template: CompiledTemplate) {
    self.session = session
    self.template = template
  }

  /// The text for a value.
  ///
  /// - Throws: `RunError` where an expression in it has no value.
  package func text(for value: Value) throws -> String {
    let frame = Frame(count: 1)
    frame.slots[0] = value
    return try session.translating { try Renderer(session).text(of: template, frame) }
  }
}

extension Session {
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
      ExpressionCompiler(context: context, collector: collector)
        .compile($0, scopes, subject: .init(slot: slot, entity: nil))
    }
    guard let compiled, !collector.hasErrors else { throw Diagnostics(collector.all) }
    return ValueTemplate(self, compiled)
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
    let compiled = source.flatMap {
      ExpressionCompiler(context: context, collector: collector).compile($0, scopes)
    }
    guard let compiled, !collector.hasErrors else { throw Diagnostics(collector.all) }
    return try ValueBounds.checked(
      translating(in: compiled.source) { try compiled.evaluate(frame) })
  }
}
