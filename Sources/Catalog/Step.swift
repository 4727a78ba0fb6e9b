package import Source
package import YAML

/// One step of an intent or a shortcut: a call or a block, with its modifiers (language §6).
package struct Step: Sendable {
  package indirect enum Kind: Sendable {
    case call(Call)
    case conditional(branches: [Branch], otherwise: [Step])
    case forEach(ForEach)
    case repeatCount(count: Node, body: [Step])
    case whileLoop(condition: ExpressionSource, body: [Step])
    case menu(prompt: Template?, options: [Option])
  }

  /// A call of an intent, a shortcut or a verb.
  package struct Call: Sendable {
    package let name: Scalar
    /// The arguments as written; nil for a bare word.
    package let value: Node?
  }

  package struct Branch: Sendable {
    package let condition: ExpressionSource
    package let body: [Step]
  }

  package struct ForEach: Sendable {
    package let variable: Scalar
    package let list: Node
    package let index: Scalar?
    package let body: [Step]
  }

  package struct Option: Sendable {
    package let label: Template
    package let body: [Step]
  }

  package let kind: Kind
  /// The name of the result, for the steps after it.
  package let binding: Scalar?
  /// A label for messages and answers.
  package let label: String?
  /// The guard: the step is skipped unless it holds.
  package let guardCondition: ExpressionSource?
  /// Whether a called intent says its dialog.
  package let speaks: Bool
  package let span: Span

  /// What the step is called in the path of an error.
  package var displayName: String {
    if let label { return label }
    return switch kind {
    case .call(let call): call.name.text
    case .conditional: "if"
    case .forEach: "for"
    case .repeatCount: "repeat"
    case .whileLoop: "while"
    case .menu: "menu"
    }
  }
}
