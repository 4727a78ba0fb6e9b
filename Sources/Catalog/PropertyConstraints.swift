import CEL
import Items
import Source
import YAML

extension DefinitionReader {
  /// What the values of a property must be beside its type; reports what cannot be meant.
  mutating func constraints(of name: Scalar, _ type: DataType?) -> ValueConstraints? {
    // Nearly no property has any, and an entity has many properties.
    guard mentions(["min", "max", "minLength", "maxLength", "pattern"]) else { return nil }
    var constraints = ValueConstraints(
      min: double("min"), max: double("max"), minLength: int("minLength"),
      maxLength: int("maxLength"))
    if let scalar = scalar("pattern") {
      do throws(EvaluationError) {
        constraints.pattern = try TextPattern(scalar.text)
      } catch {
        collector.report("bad-pattern", error.message, at: scalar.span)
      }
    }
    if let type {
      let element: DataType = if case .list(let element) = type.unwrapped { element } else { type }
      let isList = element != type
      expect(["min", "max"], "numbers", of: name, [.int, .double].contains(type.unwrapped))
      expect(
        ["minLength", "maxLength"], "texts and lists", of: name,
        isList || [.string, .url, .file].contains(type.unwrapped))
      expect(
        ["pattern"], "texts", of: name, [.string, .url, .file].contains(element.unwrapped))
    }
    expect("min", notAbove: "max", constraints.min, constraints.max)
    expect(
      "minLength", notAbove: "maxLength", constraints.minLength.map(Double.init),
      constraints.maxLength.map(Double.init))
    return constraints.isEmpty ? nil : constraints
  }

  /// Reports keys that mean nothing for the type of a property.
  private func expect(_ keys: [String], _ what: String, of name: Scalar, _ holds: Bool) {
    if holds { return }
    for key in keys {
      guard let span = mapping.entry(key)?.key.span else { continue }
      collector.report(
        "invalid-value", "`\(key)` is for \(what), and `\(name.text)` is of another type",
        at: span,
        help: "take it out, or give `\(name.text)` another type")
    }
  }

  /// Reports a least value above the largest.
  private func expect(_ low: String, notAbove high: String, _ least: Double?, _ most: Double?) {
    guard let least, let most, least > most, let span = mapping[low]?.span else { return }
    collector.report("invalid-value", "`\(low)` is above `\(high)`", at: span)
  }

  /// The values that other properties had before, by their properties, each with the value of this
  /// one that it became.
  mutating func formerValues() -> [String: [String: String]] {
    var values: [String: [String: String]] = [:]
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
          "wrong-type", "`formerly` names values of other properties", at: entry.value.span)
      }
    }
    return values
  }
}
