import Catalog
import Engine
import Items
import Source
import YAML

/// The built-in entities replaced by own entities that lack properties built-in definitions need.
struct ReplacedEntities {
  /// The problems of own entities, by the names of the built-in definitions that need the original.
  private var problems: [String: [Diagnostic]] = [:]

  /// Compares each own entity with the built-in one of its name.
  init(in catalog: DefinitionCatalog) {
    guard catalog.replacesBuiltIns else { return }
    for name in catalog.entityNames {
      guard let builtIn = DefinitionCatalog.builtInEntity(named: name), !catalog.isBuiltIn(name),
        let own = try? catalog.entity(name)
      else { continue }
      let missing = builtIn.properties.filter { property in
        !Self.takesTheSame(own.property(property.name.text)?.type, property.type)
      }
      let users = catalog.builtInActionNames.filter { action in
        let words = Set((catalog.source(of: action) ?? "").split { !$0.isLetter && !$0.isNumber })
        return words.contains(name[...]) && missing.contains { words.contains($0.name.text[...]) }
      }
      guard !users.isEmpty else { continue }
      let needed = missing.map { "`\($0.name.text): \($0.type.description)`" }
      let shown = users.prefix(3).map { "`\($0)`" }.joined(separator: ", ")
      let problem = Diagnostic(
        "name-taken",
        "this replaces the built-in entity `\(name)`, but lacks properties used by \(shown)"
          + (users.count > 3 ? ", …" : ""), at: own.name.span,
        help: "choose another name, or keep the properties of the built-in one: add "
          + needed.joined(separator: ", "))
      for user in users { problems[user, default: []].append(problem) }
    }
  }

  /// Whether a property can substitute another: it has the same type, or a superset of its words.
  private static func takesTheSame(_ own: DataType?, _ other: DataType) -> Bool {
    switch (own, other) {
    case (.enumeration(let words)?, .enumeration(let needed)): Set(words).isSuperset(of: needed)
    case (.optional(let own)?, .optional(let other)): takesTheSame(own, other)
    default: own == other
    }
  }

  /// The problems that a built-in definition has because of own entities.
  func problems(of name: String) -> [Diagnostic] { problems[name] ?? [] }

  /// All problems, once each.
  var all: [Diagnostic] {
    var distinct = DistinctDiagnostics()
    for name in problems.keys.sorted() { distinct.add(problems(of: name)) }
    return distinct.all
  }
}
