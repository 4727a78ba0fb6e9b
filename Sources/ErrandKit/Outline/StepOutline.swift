package import Catalog
import Source
import YAML

/// A step as a person reads it in a drawing: one line, and the blocks within it.
package struct StepOutline: Sendable {
  /// Shapes of a step in a flowchart.
  package enum Shape: Sendable {
    case call, choice, loop, attempt, parallel, group
  }

  /// A list of steps within a block.
  package struct Block: Sendable {
    /// The word before it, such as `then` or `catch network`.
    package let label: String
    package let steps: [StepOutline]
  }

  package let shape: Shape
  /// The first word: the verb, intent or shortcut, or the word of the block.
  package let head: String
  /// Its arguments or condition on one line; empty if there are none.
  package let detail: String
  /// The condition under which it runs; nil if it always does.
  package let condition: String?
  /// The name of its result; nil if it has none.
  package let binding: String?
  package let blocks: [Block]

  /// The maximum length of a detail in characters.
  private static let width = 60

  /// Outlines the steps of a definition.
  package static func steps(of action: ActionDefinition) -> [StepOutline] {
    action.steps.map(StepOutline.init)
  }

  init(_ step: Step) {
    head = step.head
    condition = step.guardCondition.map { Self.line($0.scalar.span) }
    binding = step.binding?.text
    func blocks(_ parts: [(String, [Step])]) -> [Block] {
      parts.filter { !$0.1.isEmpty }.map { Block(label: $0.0, steps: $0.1.map(StepOutline.init)) }
    }
    switch step.kind {
    case .call(let call):
      shape = .call
      detail = step.label ?? call.value.map { Self.line($0.span) } ?? ""
      self.blocks = []
    case .conditional(let branches, let otherwise):
      shape = .choice
      detail = branches.first.map { Self.line($0.condition.scalar.span) } ?? ""
      self.blocks = blocks(
        branches.enumerated().map { number, branch in
          (number == 0 ? "then" : "elif " + Self.line(branch.condition.scalar.span), branch.body)
        } + [("else", otherwise)])
    case .forEach(let loop):
      shape = .loop
      detail = "\(loop.variable.text) in \(Self.line(loop.list.span))"
      self.blocks = blocks([("do", loop.body)])
    case .repeatCount(let count, _, let body):
      shape = .loop
      detail = Self.line(count.span)
      self.blocks = blocks([("do", body)])
    case .whileLoop(let condition, let body):
      shape = .loop
      detail = Self.line(condition.scalar.span)
      self.blocks = blocks([("do", body)])
    case .menu(let prompt, let options):
      shape = .choice
      detail = prompt.map { Self.line($0.scalar.span) } ?? ""
      self.blocks = blocks(options.map { (Self.line($0.label.scalar.span), $0.body) })
    case .attempt(let attempt):
      shape = .attempt
      detail = ""
      self.blocks = blocks(
        [("try", attempt.body)]
          + attempt.handlers.map { handler in
            let codes = (handler.codes ?? []).map(\.text).joined(separator: ", ")
            return (codes.isEmpty ? "catch" : "catch " + codes, handler.body)
          } + [("finally", attempt.finally)])
    case .parallel(let parallel):
      shape = .parallel
      detail = ""
      self.blocks = blocks(parallel.branches.map { ($0.name.text, $0.body) })
    case .atomic(let body):
      shape = .group
      detail = ""
      self.blocks = blocks([("do", body)])
    }
  }

  /// The line of the step: its words, its condition and its result.
  package var line: String {
    var line = detail.isEmpty ? head : "\(head) \(detail)"
    if let condition { line += " when \(condition)" }
    if let binding { line += " → \(binding)" }
    return line
  }

  /// The source at a span on one line, without its quotes, cut to a readable length.
  private static func line(_ span: Span) -> String {
    var text = span.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for quote in ["'", "\""] where text.count > 1 && text.hasPrefix(quote) && text.hasSuffix(quote)
    {
      text = String(text.dropFirst().dropLast()).replacing(quote + quote, with: quote)
    }
    // The braces of arguments say nothing.
    if text.hasPrefix("{"), !text.hasPrefix("{{"), text.hasSuffix("}") {
      text = String(text.dropFirst().dropLast())
    }
    return text.count > width ? text.prefix(width - 1) + "…" : text
  }

  /// The outline as JSON.
  package var json: JSONValue {
    var members: [String: JSONValue] = ["step": .string(head), "text": .string(line)]
    members["as"] = binding.map(JSONValue.string)
    members["when"] = condition.map(JSONValue.string)
    if !blocks.isEmpty {
      members["blocks"] = .array(
        blocks.map { ["name": .string($0.label), "steps": .array($0.steps.map(\.json))] })
    }
    return .object(members)
  }

  /// The lines of a tree of steps.
  package static func tree(_ steps: [StepOutline], indent: String = "") -> [String] {
    var lines: [String] = []
    for (number, step) in steps.enumerated() {
      let isLast = number == steps.count - 1
      lines.append(indent + (isLast ? "└─ " : "├─ ") + step.line)
      let inner = indent + (isLast ? "   " : "│  ")
      // A single block needs no label line.
      if step.blocks.count == 1, ["do", "then"].contains(step.blocks[0].label) {
        lines += tree(step.blocks[0].steps, indent: inner)
        continue
      }
      for (index, block) in step.blocks.enumerated() {
        let isLastBlock = index == step.blocks.count - 1
        lines.append(inner + (isLastBlock ? "└─ " : "├─ ") + block.label)
        lines += tree(block.steps, indent: inner + (isLastBlock ? "   " : "│  "))
      }
    }
    return lines
  }
}
