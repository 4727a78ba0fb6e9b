import Items
import Source
import YAML

/// Advice on keys that a definition does not have.
extension DefinitionReader {
  /// Advice on a key that was not read; nil for none.
  func advice(on key: Scalar) -> String? {
    if let help = ListAdvice.torn(key, in: mapping) { return help }
    let kind = Definition.Kind.allCases.first { $0.phrase == what }
    if kind?.isAction == true {
      if ReservedWord.modifiers.contains(key.text), let help = indentation(of: key) { return help }
      if collector.isVerb(key.text) {
        // `return: Task` says what it gives.
        if key.text == "return", let type = mapping[key.text]?.scalar?.text,
          NameForm.upperCamel.accepts(type) || DataType.parse(type) != nil
        {
          return "for the type of the result write `returns: \(type)`"
        }
        return "`\(key.text)` is a step: write `- \(key.text):` below `steps:`"
      }
    }
    if let kind, let help = DocumentAdvice.help(onForeignKey: key, kind, in: mapping) {
      return help
    }
    if let help = help(onKey: key) { return help }
    return Suggestion.help(for: key.text, in: known)
  }

  /// Advice on another program's key in an entry of `on` or a test; nil for other keys.
  private func help(onKey key: Scalar) -> String? {
    switch (what, key.text.lowercased()) {
    case ("an entry of `on`", "platform"), ("an entry of `on`", "trigger"),
      ("an entry of `on`", "type"), ("an entry of `on`", "kind"):
      "remove it: the entry begins with its kind, as in `- at: '08:00'`"
    case ("a reply of `exec`", "code"), ("a reply of `exec`", "exit"),
      ("a reply of `exec`", "exitcode"), ("a reply of `exec`", "returncode"):
      "write `status: \(mapping[key.text]?.scalar?.text ?? "1")`"
    case ("`input`", _)
    where mapping["type"] == nil
      && mapping[key.text]?.scalar
        .map({ DataType.parse($0.text) != nil }) == true:
      "the input is one value; several are `parameters: {\(key.text): "
        + "\(mapping[key.text]?.scalar?.text ?? "string"), …}`"
    case ("a property", "value"), ("a property", "formula"), ("a property", "computed"):
      "properties are stored: compute it where it is shown, as in `display:`, or in the intent "
        + "that sets it"
    case ("a property", "ref"), ("a property", "references"), ("a property", "relation"):
      mapping[key.text]?.scalar.map { "write the entity as its type: `type: \($0.text)`" }
    case ("an entry of `on`", "to") where mapping["changed"] != nil:
      "write `was:` for the item before, and `where:` for the item now, as in "
        + "`was: '!self.done'` and `where: self.done`"
    case ("an entry of `on`", "where") where mapping["at"] != nil,
      ("an entry of `on`", "when") where mapping["at"] != nil:
      "for days write `days: [mon, tue]`; for another condition `when:` beside a step"
    case ("an entry of `on`", "offset") where mapping["at"] != nil:
      "write it behind the time, as in `- at: \(mapping["at"]?.scalar?.text ?? "sunset") - 30m`"
    case ("an entry of `on`", "event") where mapping["file"] != nil,
      ("an entry of `on`", "events") where mapping["file"] != nil:
      "remove it: `file` waits for a file that is new, or written"
    case ("a reply of `http`", "code"), ("a reply of `http`", "statuscode"):
      "write `status: \(mapping[key.text]?.scalar?.text ?? "404")`"
    case ("an entry of `on`", "timezone"), ("an entry of `on`", "tz"):
      "remove it: times are those of this machine"
    case ("a test", "output"), ("a test", "dialog"), ("a test", "error"):
      "write `expect: {\(key.text): …}`"
    case ("a test", "http"), ("a test", "exec"), ("a test", "files"), ("a test", "now"),
      ("a test", "mock"), ("a test", "mocks"):
      key.text.hasPrefix("mock") ? "write `fake:`" : "write `fake: {\(key.text): …}`"
    case ("a test", "args"), ("a test", "with"), ("a test", "inputs"):
      "write `parameters:`, or `input:`"
    default: nil
    }
  }

  /// Advice on the indentation of a misplaced key that belongs to the step above it; nil without one.
  private func indentation(of key: Scalar) -> String? {
    let above = mapping["steps"]?.sequence?.last { step in
      step.span.range.lowerBound < key.span.range.lowerBound
    }
    guard let above else { return nil }
    guard let word = above.mapping?.entries.first?.key, let line = key.span.line(with: key.text)
    else {
      return "`\(key.text)` belongs to a step: indent it to line up with the step's first word"
    }
    let column = word.span.position.column - 1
    return "`\(key.text)` belongs to the step above, below its first word `\(word.text)`: "
      + "write `\(String(repeating: " ", count: column))\(line)`, with \(column) spaces"
  }
}
