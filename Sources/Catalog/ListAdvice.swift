import CEL
import Items
import Source
package import YAML

/// Corrections for lists in places where the language has mappings.
package enum ListAdvice {
  /// Rewrites `parameters: [a, b]`, or a list of `- name: a`, as a mapping from names; nil if
  /// neither fits.
  package static func names(_ nodes: [Node], of key: String) -> String? {
    if key == "parallel" {
      return "give each branch a name with its steps, as in `first: [{say: a}]`"
    }
    guard let first = nodes.first else { return nil }
    if key == "exec" || key == "http", let entry = first.mapping,
      let name = entry["command"] ?? entry["url"], let text = name.scalar?.text
    {
      let reply = (entry["stdout"] ?? entry["text"])?.scalar?.text ?? "…"
      return
        "the name is the key: write `\(key): {\(text.contains(":") ? "'\(text)'" : text): \(reply)}`"
    }
    if let scalar = first.scalar, key == "properties" || key == "parameters" || key == "variables" {
      let names = nodes.prefix(3).compactMap(\.scalar?.text)
      guard names.allSatisfy(NameForm.lowerCamel.accepts) else { return nil }
      let rest = nodes.count > names.count ? ", …" : ""
      return scalar.isNull
        ? nil
        : "give each a type: `\(key): {\(names.map { "\($0): string" }.joined(separator: ", "))\(rest)}`"
    }
    if key == "families" {
      let rows = nodes.compactMap(\.scalar?.text).map { name in
        WidgetDefinition.Family(rawValue: name).map {
          $0.isText ? "\(name): '…'" : "\(name): {rows: \(min($0.maxRows, 3))}"
        } ?? "\(name): …"
      }
      return "write each with what it shows: `families: {\(rows.joined(separator: ", "))}`"
    }
    if key == "answers" {
      return
        "the key is the question, or the name in its `as:`: `answers: {'…?': \(first.span.text)}`"
    }
    if let scalar = first.scalar, !scalar.isNull {
      return key == "formerly" && nodes.count == 1
        ? "write `formerly: \(scalar.text)`" : "write each as a key: `\(key): {\(scalar.text): …}`"
    }
    guard let mapping = first.mapping, let entry = mapping.entries.first else { return nil }
    if key == "given" { return "name the entity: `given: {Task: [\(first.span.text.prefix(40))]}`" }
    // `- name: string` is a parameter called `name`.
    let isType = entry.value.scalar.flatMap { DataType.parse($0.text) } != nil
    guard mapping.entries.count > 1 || ["name", "id", "key"].contains(entry.key.text), !isType
    else {
      return nodes.count > 1
        ? "remove each `- `, so that the names below `\(key)` are in line: `\(entry.key.text):`"
        : "remove the `- ` before `\(entry.key.text):`"
    }
    guard let name = (mapping["name"] ?? mapping["id"] ?? mapping["key"])?.scalar?.text else {
      return nil
    }
    if key == "queries", let filter = mapping["where"]?.span.text {
      return "write the name as the key, without `- `: `\(name): {where: \(filter)}`"
    }
    let type = mapping["type"]?.scalar?.text ?? "string"
    return "write the name as the key, without `- `: `\(name): {type: \(type)}`"
  }

  /// Rewrites `n: [string]` as a type; nil unless it is a list of words.
  static func type(_ node: Node, of name: Scalar) -> String? {
    guard let nodes = node.sequence, let words = texts(nodes) else { return nil }
    if words.count == 1, DataType.parse(words[0]) != nil {
      return "for a list write `\(name.text): list<\(words[0])>`"
        + "; for a choice of values `\(name.text): {type: enum, values: [a, b]}`"
    }
    let values = words.prefix(4).joined(separator: ", ") + (words.count > 4 ? ", …" : "")
    return "for a choice of values write `\(name.text): {type: enum, values: [\(values)]}`"
  }

  /// Advice on a key without a value, such as `done` in `{values: open, done}`, which a comma tore
  /// from the value before it; nil for other keys.
  package static func torn(_ key: Scalar, in mapping: Mapping) -> String? {
    // A key of its own line has a colon.
    let next = key.span.file.bytes[key.span.range.upperBound...].first { $0 != 0x20 }
    guard next == UInt8(ascii: ",") || next == UInt8(ascii: "}"),
      let index = mapping.entries.firstIndex(where: { $0.key.span.range == key.span.range }),
      index > 0, mapping.entries[index].value.span.range.isEmpty
    else { return nil }
    let before = mapping.entries[index - 1]
    guard let scalar = before.value.scalar, scalar.style == .plain, !scalar.isNull else {
      return nil
    }
    return "within `{}` a comma ends the value: write `\(before.key.text): "
      + "[\(scalar.text), \(key.text)]` for a list, `\(before.key.text): "
      + "'\(scalar.text), \(key.text)'` for a text"
  }

  /// The text most likely meant by a mapping: its first value, or a condition on all.
  package static func line(_ mapping: Mapping, isCondition: Bool) -> String {
    let entries = mapping.entries.filter { $0.value.scalar != nil }
    guard isCondition, !entries.isEmpty else {
      let first = entries.first
      // `{single: true}` means the word.
      return first?.value.scalar?.bool == true
        ? first?.key.text ?? "…" : first?.value.span.text ?? "…"
    }
    return entries.map { entry in
      let text = entry.value.scalar?.text ?? ""
      let isLiteral = Double(text) != nil || ["true", "false", "null"].contains(text)
      return "\(entry.key.text) == \(isLiteral ? text : "\(Value.string(text))")"
    }.joined(separator: " && ")
  }

  private static func texts(_ nodes: [Node]) -> [String]? {
    let words = nodes.compactMap(\.scalar?.text)
    return words.count == nodes.count && !words.isEmpty ? words : nil
  }
}
