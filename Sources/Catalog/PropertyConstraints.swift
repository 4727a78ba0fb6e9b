package import CEL
import Items
import Source
package import YAML

extension DefinitionReader {
  /// Keys of constraints on values; part of larger tables.
  static func constraintKeys<Subject>() -> [Key<Subject>] {
    [
      Key("min", "Minimum; of a length in seconds.", .beside(.double)),
      Key("max", "Maximum; of a length in seconds.", .beside(.double)),
      Key("minLength", "Minimum number of characters or elements.", .beside(.int)),
      Key("maxLength", "Maximum number of characters or elements.", .beside(.int)),
      Key("pattern", "Pattern of the whole text (RE2).", .beside(.text)),
    ]
  }

  /// Reads constraints on values.
  mutating func constraints() -> ValueConstraints {
    // The common case: no constraints (entities have many properties).
    var constraints = ValueConstraints()
    guard mentions(["min", "max", "minLength", "maxLength", "pattern"]) else { return constraints }
    (constraints.min, constraints.max) = (double("min"), double("max"))
    (constraints.minLength, constraints.maxLength) = (int("minLength"), int("maxLength"))
    constraints.pattern = scalar("pattern").flatMap(collector.pattern)
    expect("min", notAbove: "max", constraints.min, constraints.max)
    expect(
      "minLength", notAbove: "maxLength", constraints.minLength.map(Double.init),
      constraints.maxLength.map(Double.init))
    return constraints
  }

  /// Reads constraints on the values of a property or parameter; reports those that do not apply
  /// to its type.
  mutating func constraints(of name: Scalar, _ type: DataType?) -> ValueConstraints {
    let constraints = constraints()
    guard let type else { return constraints }
    let element: DataType = if case .list(let element) = type.unwrapped { element } else { type }
    let isList = element != type
    var isEnum = false
    if case .enumeration = element.unwrapped { isEnum = true }
    let text = mapping["type"]?.scalar?.text
    expect(
      ["values"], "an `enum`", of: name, isEnum,
      help: text.map {
        "write `type: \($0.replacing(element.unwrapped.description, with: "enum"))`"
      }
        ?? "add `type: enum`")
    if type.unwrapped == .any { return constraints }
    let isText = [.string, .url, .file].contains(element.unwrapped.base)
    let hasLength = isList || [.string, .url, .file].contains(type.unwrapped)
    expect(
      ["min", "max"], "numbers", of: name,
      [.int, .double, .duration].contains(type.unwrapped.base),
      help: hasLength
        ? "for the length write `minLength` or `maxLength`"
        : type.isTime
          ? "write a condition: `where: self >= …`, as in `where: self >= today()`" : nil)
    expect(["minLength", "maxLength"], "texts and lists", of: name, hasLength)
    expect(["search"], "texts and lists of them", of: name, isText)
    expect(["pattern"], "texts", of: name, [.string, .url, .file].contains(element.unwrapped))
    return constraints
  }

  /// Reports constraints that do not apply to the type of a property or parameter.
  private func expect(
    _ keys: [String], _ what: String, of name: Scalar, _ holds: Bool,
    help: @autoclosure () -> String? = nil
  ) {
    if holds { return }
    for key in keys {
      guard known.contains(key), let span = mapping.entry(key)?.key.span else { continue }
      collector.report(
        "invalid-value", "`\(key)` is only for \(what); `\(name.text)` has another type",
        at: span,
        help: help() ?? "remove it, or give `\(name.text)` another type")
    }
  }

  /// Reports a minimum above the maximum.
  private func expect(_ low: String, notAbove high: String, _ least: Double?, _ most: Double?) {
    guard let least, let most, least > most, let span = mapping[low]?.span else { return }
    collector.report(
      "invalid-value", "`\(low)` is above `\(high)`, so no value fits", at: span,
      help: "swap the two")
  }

  /// Reads `formerly`: the former name of the property, or by property its former values and the
  /// values that replace them.
  mutating func formerValues() -> (name: Scalar?, values: [String: [String: String]]) {
    var values: [String: [String: String]] = [:]
    if let name = mapping["formerly"]?.scalar, !name.isNull {
      _ = node("formerly")
      return (name, [:])
    }
    for entry in entries("formerly") {
      let texts = entry.value.scalar.map { [$0] } ?? entry.value.sequence?.compactMap(\.scalar)
      if let texts {
        values[entry.key.text] = Dictionary(texts.map { ($0.text, $0.text) }) { $1 }
      } else if let renamed = entry.value.mapping {
        values[entry.key.text] = renamed.entries.reduce(into: [:]) { values, entry in
          values[entry.key.text] = entry.value.scalar?.text
        }
      } else {
        collector.report(
          "wrong-type", "`formerly` must be a mapping from other properties to their values",
          at: entry.value.span)
      }
    }
    return (nil, values)
  }
}

extension DiagnosticCollector {
  /// Compiles a scalar as a regular expression; reports errors and returns nil.
  package func pattern(_ scalar: Scalar) -> TextPattern? {
    let inner = scalar.text.dropFirst().dropLast()
    if scalar.text.utf8.count > 2, scalar.text.hasPrefix("/"), scalar.text.hasSuffix("/"),
      inner.hasPrefix("^") || inner.hasSuffix("$") || inner.contains("[")
    {
      report(
        "bad-pattern", "a pattern has no slashes around it", at: scalar.span,
        help: "write `'\(inner.replacing("'", with: "''"))'`")
      return nil
    }
    do throws(EvaluationError) {
      return try TextPattern(scalar.text)
    } catch {
      report("bad-pattern", error.message, at: scalar.span, help: Self.help(onPattern: scalar.text))
      return nil
    }
  }

  /// Advice on a regular expression that is a pattern of a shell, or names a group as elsewhere.
  private static func help(onPattern text: String) -> String? {
    if text.hasPrefix("*") {
      let inner = text.replacing(".", with: "\\.").replacing("*", with: ".*")
      return "write `'\(inner)'`: `.*` stands for any letters"
    }
    let isNamed = text.contains("(?<") && !text.contains("(?<=") && !text.contains("(?<!")
    return isNamed ? "a group is named by `(?P<name>…)`" : nil
  }
}
