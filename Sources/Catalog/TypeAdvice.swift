import CEL
import Items
import Source

/// Corrections for types written as in another language.
package enum TypeAdvice {
  /// The type that an unknown type name probably means; nil if unclear.
  package static func meant(by text: String) -> String? {
    guard text.utf8.count <= 80 else { return nil }
    return meant(by: text[...], depth: 0)
  }

  /// Advice on an unknown type name.
  ///
  /// - Parameter elements: The type of the elements, given by another key.
  package static func help(for text: String, elements: String? = nil) -> String {
    if let elements, ["list", "array", "sequence", "set"].contains(text.lowercased()) {
      return "write `type: list<\(meant(by: elements) ?? elements)>`, and remove the other key"
    }
    if let type = meant(by: text) {
      if text.lowercased() == "number" { return "write `double`, or `int` for whole numbers" }
      return "write `\(type)`"
    }
    if let choice = choice(meantBy: text) { return choice }
    switch text.lowercased() {
    case "reference", "ref", "relation", "foreign", "entity", "item", "lookup":
      return "the name of an entity is the type, as in `type: Link`"
    case "choice", "select", "oneof", "literal", "enumeration":
      return "write `type: enum` with `values: [a, b]` beside it"
    case "money", "currency", "price", "amount", "percent", "percentage":
      return "write `double`, or `int` for whole numbers such as cents"
    case "email", "phone", "password", "uuid", "html", "markdown": return "write `string`"
    case "list", "array", "sequence", "set", "tuple":
      return "give the type of its elements, as in `list<string>`"
    case "map", "dict", "dictionary", "hash", "object", "record", "struct":
      return "give the type of its values, as in `map<string>`; `map<any>` takes all"
    default: break
    }
    let names = DataType.simple.map(\.description) + ["enum"]
    if let near = Suggestion.nearest(to: String(text.prefix { $0.isLetter }), in: names) {
      return "did you mean `\(near)`?"
    }
    let entity =
      NameForm.upperCamel.corrected(text).map { "for an entity write `\($0)`; else " } ?? ""
    return entity
      + "a type is one of \(names.joined(separator: ", ")), list<T>, map<T> or the name "
      + "of an entity, with `?` where it may be missing"
  }

  /// The type for `a | b`, `enum(a, b)`, `varchar(80)` and `int = 3`; nil for other texts.
  private static func choice(meantBy text: String) -> String? {
    if let equals = text.firstRange(of: " = "),
      let type = meant(by: text[..<equals.lowerBound], depth: 0)
        ?? DataType.parse(text[..<equals.lowerBound].trimmed).map(\.description)
    {
      return "write `{type: \(type), default: \(text[equals.upperBound...].trimmed)}`"
    }
    if let open = text.firstIndex(of: "("), text.hasSuffix(")") {
      let inner = text[text.index(after: open)...].dropLast()
      let word = text[..<open].lowercased()
      if ["varchar", "char", "string", "text", "nvarchar"].contains(word), Int(inner) != nil {
        return "write `{type: string, maxLength: \(inner)}`"
      }
      if ["decimal", "numeric", "float"].contains(word) { return "write `double`" }
      if ["enum", "choice", "oneof", "literal"].contains(word) { return enumeration(inner, ",") }
    }
    return text.contains("|") ? enumeration(text[...], "|") : nil
  }

  private static func enumeration(_ text: Substring, _ mark: Character) -> String? {
    let words = text.split(separator: mark).map { part in
      String(part.trimmed.filter { !"'\"".contains($0) })
    }
    guard words.count > 1,
      words.allSatisfy({
        !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) }
      })
    else { return nil }
    return "write `{type: enum, values: [\(words.joined(separator: ", "))]}`"
  }

  private static func meant(by text: Substring, depth: Int) -> String? {
    guard depth < 4 else { return nil }
    let text = text.trimmed
    let lower = text.lowercased()
    func inner(_ text: Substring) -> String? {
      let text = String(text).trimmed
      return meant(by: text[...], depth: depth + 1)
        ?? DataType.parse(text).map { _ in text }
    }
    for (ending, wrap) in [(" | null", "?"), (" | none", "?"), (" or null", "?"), ("?", "?")]
    where lower.hasSuffix(ending) {
      return inner(text.dropLast(ending.count)).map { $0 + wrap }
    }
    if lower.hasSuffix("[]") { return inner(text.dropLast(2)).map { "list<\($0)>" } }
    for beginning in ["list of ", "array of "] where lower.hasPrefix(beginning) {
      let element = text.dropFirst(beginning.count)
      return inner(element).map { "list<\($0)>" }
        ?? (element.hasSuffix("s") ? inner(element.dropLast()).map { "list<\($0)>" } : nil)
    }
    if let open = text.firstIndex(where: { "<[(".contains($0) }), let close = text.last,
      ">])".contains(close)
    {
      let element = text[text.index(after: open)...].dropLast()
      switch text[..<open].lowercased() {
      case "list", "array", "set", "sequence": return inner(element).map { "list<\($0)>" }
      case "map", "dict", "record":
        return inner(element.split(separator: ",").last ?? element).map { "map<\($0)>" }
      case "optional", "maybe", "nullable": return inner(element).map { $0 + "?" }
      default: return nil
      }
    }
    return word(lower) ?? (text == lower ? entity(text) : simple(lower))
  }

  /// The type with another language's name.
  private static func word(_ word: String) -> String? {
    switch word {
    case "integer", "long", "int32", "int64", "uint", "whole": "int"
    case "number", "float", "decimal", "real", "numeric": "double"
    case "boolean", "bit", "truth", "flag": "bool"
    case "str", "text", "varchar", "char", "character", "word", "words": "string"
    case "datetime", "date-time", "time", "instant", "moment": "timestamp"
    case "day": "date"
    case "timedelta", "interval", "timespan", "length": "duration"
    case "uri", "href", "address": "url"
    case "path", "filename", "folder": "file"
    case "unknown", "mixed", "dyn", "dynamic", "value", "anything": "any"
    default: nil
    }
  }

  /// The type whose name is written in capitals.
  private static func simple(_ word: String) -> String? {
    DataType.simple.first { $0.description == word }?.description
  }

  /// The built-in entity whose name is written in lower case.
  private static func entity(_ word: String) -> String? {
    let name = word.prefix(1).uppercased() + word.dropFirst()
    return BuiltIn.names.contains(name) && BuiltIn.isEntity(name) ? name : nil
  }
}
