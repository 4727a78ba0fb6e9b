import Source
import YAML

/// A value to be written.
indirect enum Written {
  /// YAML, verbatim.
  case verbatim(String)
  case text(String)
  case list([Written])
  /// A list that is written in lines where that is possible.
  case items([Written])
  case map([(key: String, value: Written)])
  /// A mapping that is written in lines where that is possible.
  case block([(key: String, value: Written)])

  /// The value on one line.
  var flow: String {
    switch self {
    case .verbatim(let text): return text
    case .text(let text): return PlainText.scalar(text, isInFlow: true)
    case .list(let items), .items(let items):
      return "[" + items.map(\.flow).joined(separator: ", ") + "]"
    case .map(let entries), .block(let entries):
      let parts = entries.map { entry in
        "\(PlainText.scalar(entry.key, isInFlow: true)): \(entry.value.flow)"
      }
      return "{" + parts.joined(separator: ", ") + "}"
    }
  }

  /// The value after the colon of a key at an indentation; nil within brackets.
  func text(indent: Int?, _ newline: String) -> String {
    guard let indent else { return flow }
    let margin = String(repeating: " ", count: indent + 2)
    switch self {
    case .text(let text):
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let isBlock =
        lines.count > 1 && text.last != "\n" && lines[0].first.map { $0 != " " } == true
        && lines.allSatisfy { $0.isEmpty || PlainText.isPrintable(String($0)) && $0.last != " " }
      if !isBlock { return PlainText.scalar(text, isInFlow: false) }
      return "|-" + lines.map { newline + ($0.isEmpty ? "" : margin + $0) }.joined()
    case .items(let items) where !items.isEmpty:
      return items.map { newline + margin + "- " + $0.block(indent + 4, newline) }.joined()
    case .block(let entries):
      return newline + margin + Written.map(entries).block(indent + 2, newline)
    default: return flow
    }
  }

  /// The value with what separates it from the colon of its key.
  func afterColon(_ indent: Int?, _ newline: String) -> String {
    let text = text(indent: indent, newline)
    return text.utf8.first == newline.utf8.first ? text : " " + text
  }

  /// The value as the item of a list, whose content begins at a column.
  func block(_ column: Int, _ newline: String) -> String {
    guard case .map(let entries) = self, !entries.isEmpty else {
      return text(indent: column - 2, newline)
    }
    let lines = entries.map { entry in
      PlainText.scalar(entry.key, isInFlow: false) + ":" + entry.value.afterColon(column, newline)
    }
    return lines.joined(separator: newline + String(repeating: " ", count: column))
  }
}

extension Written {
  /// Whether it is a mapping, which a primary argument cannot be.
  var isMap: Bool { if case .map = self { true } else { false } }

  /// The value in place of a step, on lines of its own where the step stands on one.
  func flowOrBlock(_ step: Node, _ editor: NodeEditor) -> String {
    editor.isInBrackets(step) ? flow : block(editor.column(of: step.span.range.lowerBound), "\n")
  }
}

extension Node {
  /// The value as it can stand within brackets.
  var inFlow: Written {
    guard let scalar, scalar.style != .singleQuoted, scalar.style != .doubleQuoted else {
      return .verbatim(span.text)
    }
    return scalar.style == .plain && !scalar.text.contains { ",[]{}:#".contains($0) }
      ? .verbatim(scalar.text) : .text(scalar.text)
  }

  /// The value in the notation of definitions.
  var rewritten: Written {
    switch content {
    case .scalar(let scalar):
      return scalar.style == .plain ? .verbatim(scalar.text) : .text(scalar.text)
    case .sequence(let items): return .list(items.map(\.rewritten))
    case .mapping(let mapping):
      return .map(mapping.entries.map { ($0.key.text, $0.value.rewritten) })
    }
  }
}
