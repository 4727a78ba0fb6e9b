import CEL
import Source
package import YAML

/// Steps with the values on the line of a key of another language.
extension StepAdvice {
  /// Whether a step is another language's for giving names to values.
  package static func isAssignment(_ key: Scalar) -> Bool {
    [
      "let", "var", "assign", "variable", "set-variable", "define", "variables", "vars", "set-fact",
      "export", "env", "const", "declare", "local",
    ].contains(kebab(key.text))
  }

  /// The mapping of names to values on the line of a key, also from `x = 1`.
  static func assignments(of key: Scalar) -> String {
    let text = inline(key) ?? ""
    if text.hasPrefix("{"), text.hasSuffix("}") {
      // `{name: total, value: 0}` of Shortcuts.
      let parts = text.dropFirst().dropLast().split(separator: ",", maxSplits: 1).map {
        $0.split(separator: ":", maxSplits: 1).map { String($0).trimmed }
      }
      if parts.count == 2, parts.allSatisfy({ $0.count == 2 }),
        ["name", "variable"].contains(parts[0][0]), parts[1][0] == "value"
      {
        return "{\(parts[0][1]): \(parts[1][1])}"
      }
      return text
    }
    let parts = text.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
    guard parts.count == 2, !parts[1].isEmpty, let name = NameForm.lowerCamel.corrected(parts[0])
    else { return "{name: value}" }
    return "{\(name): \(parts[1])}"
  }

  /// The step of a verb with the value on the line of a key, or the value of one of its fields.
  static func line(_ verb: String, _ key: Scalar, field: String? = nil) -> String {
    var text = value(of: key)
    if let field, let all = inline(key), all.hasPrefix("{"), all.hasSuffix("}"),
      let start = all.firstRange(of: "\(field):")
    {
      let rest = String(all[start.upperBound...].dropLast()).trimmed
      let isSimple = !rest.contains(":") && !rest.contains(",") || "'\"".contains(rest.first ?? " ")
      text = isSimple && !rest.isEmpty ? rest : nil
    }
    return "write `- \(verb): \(text ?? "…")`"
  }

  /// The `exec` for the command line on the line of a key.
  static func command(of key: Scalar) -> String {
    guard let text = value(of: key), text != "|", text != ">", !text.hasPrefix("[") else {
      return "write `- exec: [program, argument]`, or `- exec: {shell: …}` for a line of a shell"
    }
    let bare =
      text.count > 1 && text.first == text.last && "'\"".contains(text.first ?? " ")
      ? String(text.dropFirst().dropLast()) : text
    if bare.contains(where: { "|&;<>()$`'\"*?~{}#,:[]".contains($0) }) {
      return "write `- exec: {shell: \(text)}`"
    }
    let words = bare.split(separator: " ").map(String.init)
    let program = ["python", "python3", "node", "git"].contains(key.text) ? [key.text] : []
    return "write `- exec: [\((program + words).joined(separator: ", "))]`"
  }

  /// The text after the colon on the line of a key; nil for none.
  static func inline(_ key: Scalar) -> String? {
    guard let line = key.span.line(with: ""), let colon = line.firstRange(of: ": ") else {
      return nil
    }
    let text = String(line[colon.upperBound...]).trimmed
    return text.isEmpty || text.contains("`") || text.utf8.count > 100 ? nil : text
  }

  /// The length of time on the line of a key: `5` is in seconds, `00:05:00` has hours, minutes and
  /// seconds, and `{minutes: 5}` says its unit.
  static func length(of key: Scalar) -> String? {
    if let text = inline(key), text.hasPrefix("{"), text.hasSuffix("}") {
      let parts = text.dropFirst().dropLast().split { ":, ".contains($0) }.map(String.init)
      let units = ["days": "d", "hours": "h", "minutes": "m", "seconds": "s", "milliseconds": "ms"]
      let lengths = zip(parts, parts.dropFirst()).enumerated().compactMap { index, pair in
        index % 2 == 0 ? units[pair.0].flatMap { Int(pair.1) == nil ? nil : pair.1 + $0 } : nil
      }
      return lengths.isEmpty || lengths.count * 2 != parts.count ? nil : lengths.joined()
    }
    guard let text = value(of: key) else { return nil }
    let parts = text.filter { $0 != "'" && $0 != "\"" }.split(separator: ":").map { Int($0) }
    guard parts.count <= 3, !parts.contains(nil) else { return text.contains(": ") ? nil : text }
    let length = zip(parts, ["h", "m", "s"].suffix(parts.count)).filter { $0.0 != 0 }
      .map { "\($0.0 ?? 0)\($0.1)" }.joined()
    return length.isEmpty ? "0s" : length
  }

  /// The text on the line of a key, after its colon; nil if there is none.
  static func value(of key: Scalar) -> String? {
    guard let line = key.span.line(with: ""), let colon = line.firstRange(of: ": ") else {
      return nil
    }
    let value = String(line[colon.upperBound...].prefix { $0 != "#" }).trimmed
    return value.isEmpty || value.hasPrefix("{") || value.contains("`") ? nil : value
  }
}
