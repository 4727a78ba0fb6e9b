package import CEL

/// Formats the entries of a transcript as plain lines, for a terminal and for speech.
package struct TranscriptText {
  /// The number of cards, rows and lines of an entry that are shown.
  private let limit: Int

  package init(limit: Int = 20) { self.limit = limit }

  /// The lines of an entry; empty for one with nothing to say.
  package func lines(of entry: Value) -> [String] {
    guard case .map(let map) = entry else { return [] }
    func text(_ name: String) -> String {
      switch map[name] {
      case nil, .null: ""
      case .string(let text)?: text
      case let value?: value.text
      }
    }
    switch text("kind") {
    case "say": return split(text("text"))
    case "show", "result": return shown(map)
    case "progress":
      let total = text("total")
      let label = text("label").isEmpty ? "" : text("label") + ": "
      return ["\(label)\(text("done"))\(total.isEmpty ? "" : " of \(total)")"]
    case "activity":
      let detail = text("detail").isEmpty ? "" : ": \(text("detail"))"
      return ["\(text("title"))\(detail) (\(text("state")))"]
    case "question":
      var lines = split(text("prompt"))
      let problem = text("problem")
      if !problem.isEmpty { lines.append(problem) }
      switch map["answer"] {
      case nil: lines[lines.count - 1] += map["left"] == nil ? "" : " → left"
      case let answer?: lines[lines.count - 1] += " → \(Self.answer(answer))"
      }
      return lines
    case "error":
      let help = text("help")
      return split(text("message")).enumerated().map {
        $0.offset == 0 ? "✗ " + $0.element : $0.element
      }
        + (help.isEmpty ? [] : split(help).map { "  " + $0 })
    case "ended": return text("state") == "done" ? [] : [text("state")]
    default: return []
    }
  }

  private static func answer(_ value: Value) -> String {
    switch value {
    case .bool(let isYes): isYes ? "yes" : "no"
    case .list(let values): values.map(answer).joined(separator: ", ")
    case .string(let text): text
    default: value.text
    }
  }

  private func split(_ text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.count <= limit
      ? lines : Array(lines.prefix(limit)) + ["… \(lines.count - limit) more lines"]
  }

  private func shown(_ map: MapValue) -> [String] {
    switch map["as"] {
    case "card"?:
      return listed(map, "cards") { number, card in
        guard case .map(let card) = card, case .string(let title)? = card["title"] else {
          return ""
        }
        var mark = "\(number)"
        if case .string(let reference)? = card["ref"] { mark = reference }
        var line = "\(mark)  \(title)"
        if case .string(let subtitle)? = card["subtitle"] { line += "  \(subtitle)" }
        return line
      }
    case "table"?:
      var lines: [String] = []
      if case .list(let columns)? = map["columns"] {
        lines.append(columns.map(Self.answer).joined(separator: "  "))
      }
      return lines
        + listed(map, "rows") { _, row in
          guard case .list(let cells) = row else { return "" }
          return cells.map(Self.answer).joined(separator: "  ")
        }
    case "fields"?:
      guard case .map(let fields)? = map["fields"] else { return [] }
      return fields.entries.map { "\($0.key.text): \(Self.answer($0.value))" }
    default:
      guard case .string(let text)? = map["text"] else { return [] }
      return split(text)
    }
  }

  private func listed(
    _ map: MapValue, _ name: String, line: (Int, Value) -> String
  ) -> [String] {
    guard case .list(let values)? = map[name] else { return [] }
    var lines = values.prefix(limit).enumerated().map { line($0.offset + 1, $0.element) }
    if case .int(let count)? = map["count"], count > Int64(lines.count) {
      lines.append("… \(count - Int64(lines.count)) more")
    }
    return lines
  }
}
