import CEL
import Catalog
import Engine
import Items
import Program
import Source

/// Resolves words of a command line to items and entities.
enum ItemWords {
  /// Resolves an entity: `Link`, `link` or `links`.
  static func entity(_ word: String, in catalog: DefinitionCatalog) throws -> String {
    let names = catalog.entityNames
    if names.contains(word) { return word }
    // `time-entries` are the time entries of a `TimeEntry`.
    let lowered = word.lowercased()
    let spaced = lowered.replacing("-", with: " ")
    // A project's plural must not hide those of lower layers.
    let layered = names.sorted {
      (catalog.layer(ofEntity: $0) ?? .file) < (catalog.layer(ofEntity: $1) ?? .file)
    }
    for name in layered where EntitySchema.kind(of: name) == lowered { return name }
    for name in layered {
      if EntitySchema.kind(of: name) == lowered || name.lowercased() == lowered { return name }
      do {
        let definition = try catalog.entity(name)
        let shown = [definition?.displayNamePlural, definition?.displayName]
        if shown.contains(lowered) || shown.contains(spaced) {
          return name
        }
      } catch {
        // Its plural is unknown, but this may be a form of it.
        if lowered.hasPrefix(name.lowercased()) { throw error }
      }
    }
    throw UsageError(
      "unknown entity `\(word)`",
      help: WordForm.isName(word)
        ? "it is a single item: errand get \(word)" : Suggestion.help(for: word, in: names))
  }

  /// Resolves an entity, or returns nil.
  static func entityIfNamed(_ word: String, in catalog: DefinitionCatalog) throws -> String? {
    guard !word.contains(":"), Int64(word) == nil else { return nil }
    do { return try entity(word, in: catalog) } catch is UsageError { return nil }
  }

  /// Resolves an item: a reference, the URL of a link, or a number.
  ///
  /// - Throws: `not-found`, `ambiguous`, `invalid-value`.
  static func item(_ word: String, _ run: Run) throws -> Item {
    if let number = Int64(word), number > 0 {
      let found = try run.items(numbered: number, first: "Link")
      guard let first = found.first else {
        throw RunError(.notFound, "there is no item with the number \(word)")
      }
      if found.count == 1 { return first }
      return try run.choose(found, meantBy: word)
    }
    // A URL always names a link; other references name their entity.
    return try run.item(word, of: word.contains("://") ? "Link" : nil)
  }

  /// Returns a hint for a flag that may be a property name.
  @Sendable
  static func fieldHelp(_ flag: String) -> String? {
    "to set a property, write \(flag)=VALUE, without the --"
  }

  /// The references that words such as `link 1`, `links:1,2`, `link:1-3` or `link/1` stand for; nil for
  /// other words.
  static func references(
    meantBy words: some Collection<String>, in catalog: DefinitionCatalog
  ) throws -> [String]? {
    var rest = words.joined(separator: " ")[...]
    var found: [String] = []
    var kind: String?
    while let first = rest.first {
      if first.isLetter {
        let word = rest.prefix { $0.isLetter }
        rest = rest.dropFirst(word.count).drop { ":#/-_= ".contains($0) }
        // Most words are told from a reference without reading the entities.
        guard rest.first?.isNumber == true,
          let entity = try entityIfNamed(String(word), in: catalog)
        else { return nil }
        kind = EntitySchema.kind(of: entity)
      } else if let kind, first.isNumber {
        func takeNumber() -> Int64? {
          let digits = rest.prefix { $0.isNumber }
          rest = rest.dropFirst(digits.count)
          return ItemReference.parseID(digits)
        }
        guard let first = takeNumber() else { return nil }
        var last = first
        if let sign = ["..", "-"].first(where: rest.hasPrefix) {
          rest = rest.dropFirst(sign.count).drop { !$0.isNumber && $0 != "-" }
          guard let end = takeNumber(), first < end, end - first < 10 else { return nil }
          last = end
        }
        found += (first...last).map { "\(kind):\($0)" }
        guard rest.first.map({ ", ".contains($0) }) ?? true else { return nil }
        rest = rest.drop { ", #".contains($0) }
      } else {
        return nil
      }
    }
    return found.isEmpty ? nil : found
  }

  /// Rejects words that stand for references, before they are searched for.
  static func expectReferences(
    _ words: [String], in catalog: DefinitionCatalog
  ) throws {
    guard !words.allSatisfy(WordForm.isName),
      let meant = try references(meantBy: words, in: catalog)
    else {
      return
    }
    throw UsageError(
      "“\(words.joined(separator: " ").shortened)” is not a reference such as link:42",
      help: "write \(meant.joined(separator: " "))")
  }

  /// The words NAME=VALUE that stand for words such as `title: Milk`, `title = Milk` or
  /// `set due=next week`; nil for others.
  ///
  /// - Parameter definition: The entity; nil if any name may be that of a property.
  static func fields(
    meantBy words: some Collection<String>, of definition: EntityDefinition?
  ) -> String? {
    var fields: [(name: String, values: [String])] = []
    var isSpaced = true
    for word in words where !(fields.isEmpty && word == "set") {
      let name = String(word.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" })
      let value = word.dropFirst(name.count)
      let isEmpty = fields.last?.values.isEmpty ?? false
      if isEmpty, ["=", ":", ":=", "==", "to"].contains(word) { continue }
      let isProperty = definition.map { $0.property(name) != nil } ?? true
      if !name.isEmpty, let sign = value.first,
        sign == "=" || sign == ":" && !value.hasPrefix("://"),
        isProperty || sign == "="
      {
        let text = String(value.drop { ":=".contains($0) })
        fields.append((name, text.isEmpty ? [] : [text]))
        isSpaced = false
      } else if value.isEmpty, isProperty, fields.isEmpty || isSpaced && !isEmpty {
        fields.append((name, []))
      } else if fields.isEmpty {
        return nil
      } else {
        fields[fields.count - 1].values.append(
          isEmpty && word.first == "=" ? String(word.dropFirst()) : word)
      }
    }
    let texts = fields.map { field in
      let isList =
        if case .list? = definition?.property(field.name)?.type.unwrapped { true } else { false }
      let value =
        isList ? WordForm.commaSeparated(field.values) : field.values.joined(separator: " ")
      return "\(field.name)=\(value.isEmpty ? "VALUE" : value.quotedForShell)"
    }
    return texts.isEmpty ? nil : texts.joined(separator: " ")
  }

  /// Rejects the rest of a condition without quotes, as in `--where title == Swift`.
  static func expectWhole(_ filter: String?, _ words: ArraySlice<String>) throws(UsageError) {
    guard let filter, let sign = words.first,
      ["==", "=", "!=", "<", ">", "<=", ">=", "in", "&&", "||"].contains(sign)
    else { return }
    let value = words.dropFirst().joined(separator: " ")
    let isText =
      sign.contains("=") && value.first?.isLetter == true
      && value.allSatisfy { $0.isLetter || $0.isNumber || $0 == " " }
      && !["true", "false", "null"].contains(value)
    throw UsageError(
      "--where takes one word, and “\(sign)” is another one",
      help: "put the condition in quotes: --where '\(filter) \(sign == "=" ? "==" : sign) "
        + (isText ? "\"\(value)\"'" : "\(value)'"))
  }

  /// Parses words such as `title=Swift`.
  static func fields(
    _ words: ArraySlice<String>
  ) throws -> [(name: String, text: String)] {
    try words.map { word in
      guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
        throw UsageError("“\(word.shortened)” is not of the form NAME=VALUE")
      }
      return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }
  }
}
