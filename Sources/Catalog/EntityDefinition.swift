package import Items
package import Source
package import YAML

/// An entity: its properties, identity and display (language §3).
package struct EntityDefinition: Sendable {
  /// A property.
  package struct Property: Sendable {
    package let name: Scalar
    package internal(set) var type = DataType.any
    package internal(set) var title: String?
    package internal(set) var description: String?
    package internal(set) var defaultNode: Node?
    /// Weight in full-text search; nil if not indexed.
    package internal(set) var searchWeight: Double?
    package internal(set) var isIndexed = false
    /// Whether an item may not refer to itself by it, directly or through other items.
    package internal(set) var isAcyclic = false
    /// Whether it is a long text, which is compressed and shown only on request.
    package internal(set) var isLong = false
    /// Whether its values are shared through a hub.
    package internal(set) var isShared = true
    /// Constraints on its values besides the type; nil for none.
    package internal(set) var constraints: ValueConstraints?
    /// Its former name, whose stored values it takes over; nil for none.
    package internal(set) var formerName: Scalar?
    /// Former values by former property, each with the value that replaces it.
    package internal(set) var formerValues: [String: [String: String]] = [:]
  }

  /// A named query.
  package struct Query: Sendable {
    package let name: Scalar
    package internal(set) var filter: ExpressionSource?
    package internal(set) var sort: [Scalar] = []
    package internal(set) var limit: Int?
  }

  /// A text form of an item for other programs.
  package struct Transfer: Sendable {
    /// Media type, such as `text/plain`.
    package let mediaType: String
    package let template: Template
  }

  package let name: Scalar
  /// The language of its texts; nil for English.
  package internal(set) var language: String?
  package internal(set) var description: String?
  package internal(set) var properties: [Property] = []
  /// Properties that together identify an item.
  package internal(set) var identities: [Scalar] = []
  /// The only identifying property; nil if there is none, or several.
  package var identity: Scalar? { identities.count == 1 ? identities[0] : nil }
  /// Singular name shown to people, such as "link".
  package internal(set) var displayName: String = ""
  /// Plural name shown to people, such as "links".
  package internal(set) var displayNamePlural: String = ""
  package internal(set) var titleTemplate: Template?
  package internal(set) var subtitleTemplate: Template?
  /// Templates that lists show before the subtitle, such as `overdue`; empty ones are omitted.
  package internal(set) var warningTemplates: [Template] = []
  /// Templates that lists show after the subtitle, such as tags; empty ones are omitted.
  package internal(set) var markTemplates: [Template] = []
  package internal(set) var queries: [Query] = []
  package internal(set) var transfer: [Transfer] = []
  /// The rule by which an item that is done gets a successor; nil for none.
  package internal(set) var repetition: Repetition?
  /// The properties that say when an item takes place; nil for the default.
  package internal(set) var occurrence: Occurrence?

  /// Returns the property with a name.
  package func property(_ name: String) -> Property? { properties.first { $0.name.text == name } }

  init(_ name: Scalar, _ reader: inout DefinitionReader) {
    let collector = reader.collector
    self.name = name
    collector.check(name, form: .upperCamel, of: "an entity")
    if ["sqlite", "errand"].contains(where: name.text.lowercased().hasPrefix) {
      collector.report(
        "reserved-name", "names that begin with `Sqlite` or `Errand` are reserved for the store",
        at: name.span, help: "choose another name")
    }
    reader.read(Self.keys, into: &self)
    if displayName.isEmpty { displayName = Self.words(of: name.text) }
    if displayNamePlural.isEmpty { displayNamePlural = displayName + "s" }
    collector.checkDistinct(identities, of: "the names of an identity")
    for identity in identities where property(identity.text) == nil {
      collector.report(
        "unknown-property", "`identity` names `\(identity.text)`, which is not a property",
        at: identity.span, help: help(onIdentity: identity.text))
    }
    for property in properties {
      if let former = property.formerName, self.property(former.text) != nil {
        collector.report(
          "duplicate-name", "`formerly` names `\(former.text)`, which is still a property",
          at: former.span,
          help: "rename that property; to move some of its values write "
            + "`formerly: {\(former.text): [value]}`")
      }
      for other in property.formerValues.keys.sorted() where self.property(other) == nil {
        collector.report(
          "unknown-property", "`formerly` names `\(other)`, which is not a property",
          at: property.name.span)
      }
    }
    checkRepetition(collector)
    checkOccurrence(collector)
    for property in properties where property.isAcyclic {
      if property.type.entityName == name.text { continue }
      collector.report(
        "invalid-value", "`acyclic` is only for properties that refer to a \(name.text)",
        at: property.name.span, help: "remove it")
    }
    for key in queries.flatMap(\.sort) {
      if let problem = sortProblem(key.text, at: key.span) { collector.report(problem) }
    }
  }
}

extension EntityDefinition {
  /// Advice on an identity that is no property.
  private func help(onIdentity name: String) -> String {
    let parts = name.split { ", ".contains($0) }
    if parts.count > 1 { return "write `identity: [\(parts.joined(separator: ", "))]`" }
    if ["id", "uid", "ref"].contains(name) { return "remove it: every item has `\(name)` already" }
    let names = properties.map(\.name.text)
    if let meant = Suggestion.didYouMean(name, in: names) { return meant }
    let some = names.prefix(3).map { "`\($0)`" }.joined(separator: " or ")
    return "name one that is there\(some.isEmpty ? "" : ", such as \(some)"), or add it below "
      + "`properties:`, as `\(name): string`"
  }

  /// Keys of its document.
  static let keys: [Key<Self>] = [
    Key("description", "Its meaning, in a sentence.", .text { $0.description = $1 }),
    Key(
      "language", "The language of its texts; English by default.",
      .other(.text) { $0.language = LanguageCode.read(&$1) }),
    Key(
      "properties", "Its properties by name: a type, or a mapping.", isRequired: true,
      .other(.names(.property, of: .either([.type, .keys { Property.keys }]))) {
        $0.readProperties(&$1)
      }),
    Key("identity", "Properties that identify an item.", .texts { $0.identities = $1 }),
    Key(
      "display", "Display of its items.",
      .other(.keys { displayKeys }) {
        let text = $1.mapping["display"]?.scalar?.text
        $1.readMapping("display", displayKeys, into: &$0) {
          "write `display: {title: '\(text ?? "{{ self.name }}")'}`"
        }
      }),
    Key(
      "queries", "Searches by name.",
      .entries(.keys { Query.keys }) { entity, entries, collector in
        entity.queries = entries.compactMap { Query($0, collector) }
      }),
    Key(
      "repeats", "How an item that is done gets a successor.",
      .other(.keys { Repetition.keys }) { entity, reader in
        guard reader.mapping["repeats"] != nil else { return }
        var repetition = Repetition()
        reader.readMapping("repeats", Repetition.keys, into: &repetition)
        entity.repetition = repetition
      }),
    Key(
      "occurs", "The properties that say when an item takes place.",
      .other(.keys { Occurrence.keys }) { entity, reader in
        guard reader.mapping["occurs"] != nil else { return }
        var occurrence = Occurrence()
        reader.readMapping("occurs", Occurrence.keys, into: &occurrence)
        entity.occurrence = occurrence
      }),
    Key(
      "transfer", "Its text for other programs, by media type.",
      .entries(.template) { entity, entries, collector in
        entity.transfer = entries.compactMap { entry in
          if entry.value.scalar == nil {
            collector.report(
              "wrong-type", "`\(entry.key.text)` must be text, not \(entry.value.kindName)",
              at: entry.value.span)
          }
          if !entry.key.text.contains("/") {
            collector.report(
              "invalid-value", "`\(entry.key.text)` is not a media type", at: entry.key.span,
              help: entry.key.text == "text" || entry.key.text == "plain"
                ? "write `text/plain`" : "write one such as `text/plain` or `text/html`")
          }
          return entry.value.scalar.flatMap(collector.template)
            .map { Transfer(mediaType: entry.key.text, template: $0) }
        }
      }),
  ]

  private static let displayKeys: [Key<Self>] = [
    Key(
      "name", "Singular and plural name.",
      .other(.keys { nameKeys }) {
        let text = $1.mapping["name"]?.scalar?.text
        $1.readMapping("name", nameKeys, what: "`display.name`", into: &$0) {
          "write `name: {one: \(text ?? "thing"), other: \(text ?? "thing")s}`"
        }
      }),
    Key("title", "Line that represents an item.", .template { $0.titleTemplate = $1 }),
    Key("subtitle", "Text next to the title.", .template { $0.subtitleTemplate = $1 }),
    Key("warnings", "Texts before the subtitle.", .templates { $0.warningTemplates = $1 }),
    Key("marks", "Texts after the subtitle.", .templates { $0.markTemplates = $1 }),
  ]

  private static let nameKeys: [Key<Self>] = [
    Key("one", "Such as `link`.", .text { $0.displayName = $1 }),
    Key("other", "Such as `links`.", .text { $0.displayNamePlural = $1 }),
  ]

  private mutating func readProperties(_ reader: inout DefinitionReader) {
    let collector = reader.collector
    let entries = reader.entries("properties")
    properties = entries.compactMap { Property($0, collector) }
    let isEmpty = reader.mapping["properties"].map {
      $0.mapping != nil || $0.scalar?.isNull == true
    }
    if entries.isEmpty, isEmpty ?? reader.lacks("properties") {
      collector.report(
        "no-properties", "an entity needs at least one property", at: name.span,
        help: "add `properties:` with a name and a type")
    }
    collector.checkDistinct(properties.map(\.name), of: "the properties")
  }

  /// Splits a name into words: `reading list` for `ReadingList`.
  private static func words(of name: String) -> String {
    name.reduce(into: "") { text, character in
      if character.isUppercase, !text.isEmpty { text += " " }
      text += character.lowercased()
    }
  }
}

extension EntityDefinition.Property {
  /// Keys of a property.
  static let keys: [Key<Self>] =
    [
      Key("type", "Its type.", isRequired: true, .beside(.type)),
      Key("values", "The values of an `enum`.", .beside(.list(of: .text))),
      Key("title", "Title shown to people.", .text { $0.title = $1 }),
      Key("description", "Its meaning, in a sentence.", .text { $0.description = $1 }),
      Key("default", "The value of an item without one.", .value { $0.defaultNode = $1 }),
      Key("search", "Its weight in full-text search.", .double { $0.searchWeight = $1 }),
      Key("index", "Whether filters on it use an index.", .bool { $0.isIndexed = $1 }),
      Key(
        "acyclic", "Whether an item may not refer to itself by it, also through others.",
        .bool { $0.isAcyclic = $1 }),
      Key(
        "long", "Whether it is a long text: compressed, and shown only on request.",
        .bool { $0.isLong = $1 }),
      Key("sync", "Whether its values are shared with other machines.", .bool { $0.isShared = $1 }),
      Key(
        "formerly", "Its former name, or former values of other properties.",
        .beside(.either([.text, .names(of: .either([.list(of: .text), .names(of: .text)]))]))),
    ] + DefinitionReader.constraintKeys()

  fileprivate init?(_ entry: Mapping.Entry, _ collector: DiagnosticCollector) {
    name = entry.key
    collector.check(name, form: .lowerCamel, of: "a property")
    if NameKind.property.reserves(name.text) {
      collector.report(
        "reserved-name", "every item has `\(name.text)` already", at: name.span,
        help: "choose another name")
    }
    // The short form `done: bool`.
    if let scalar = entry.value.scalar, !scalar.isNull {
      guard let type = collector.type(scalar) else { return nil }
      self.type = type
      return
    }
    guard
      var reader = DefinitionReader(
        entry.value, what: "a property", collector,
        help: ListAdvice.type(entry.value, of: entry.key))
    else { return nil }
    let type = reader.type(of: name, "the property")
    self.type = type ?? .any
    reader.read(Self.keys, into: &self)
    let limits = reader.constraints(of: name, type)
    constraints = limits.isEmpty ? nil : limits
    (formerName, formerValues) = reader.formerValues()
    reader.refuseRequired()
    for key in ["unique", "primary", "primaryKey", "primary_key", "key", "id"]
    where reader.mapping[key] != nil {
      reader.refuse(
        key, help: "remove it, and write `identity: \(name.text)` below the entity's name")
    }
    reader.finish()
    guard type != nil else { return nil }
    if let searchWeight, searchWeight <= 0 || searchWeight > 1000,
      let span = reader.mapping["search"]?.span
    {
      collector.report("bad-weight", "`search` must be a weight above 0, at most 1000", at: span)
    }
  }
}

extension EntityDefinition.Query {
  /// Keys of a query.
  static let keys: [Key<Self>] = [
    Key("where", "Condition on an item.", .expression { $0.filter = $1 }),
    Key("sort", "Properties, each with `-` for the largest first.", .texts { $0.sort = $1 }),
    Key("limit", "Maximum number of items.", .int { $0.limit = $1 }),
  ]

  fileprivate init?(_ entry: Mapping.Entry, _ collector: DiagnosticCollector) {
    name = entry.key
    let text = entry.value.scalar?.text
    guard
      var reader = DefinitionReader(
        entry.value, what: "a query", collector,
        help:
          "write `\(entry.key.text): {where: '\(text == nil || text == "true" ? "…" : text ?? "")'}`"
      )
    else { return nil }
    reader.read(Self.keys, into: &self)
    reader.finish()
  }
}

extension EntityDefinition {
  /// Names of properties that items can be sorted by.
  package var sortableNames: [String] {
    properties.filter(\.type.hasOrder).map(\.name.text) + ["id", "createdAt", "updatedAt"]
  }

  /// The problem with a sort key, with or without a leading `-`; nil if it is valid.
  package func sortProblem(_ key: String, at span: Span?) -> Diagnostic? {
    let name = SortKey(parsing: key).property
    let names = sortableNames
    if names.contains(name) { return nil }
    let help = Suggestion.help(for: name, in: names)
    guard let property = property(name) else {
      let own = properties.first(where: \.type.isTime)
      return Diagnostic(
        "unknown-property", "\(self.name.text) has no property `\(name)` to sort by", at: span,
        help: ["date", "day", "time"].contains(name.lowercased())
          ? own.map { "write `\(key.hasPrefix("-") ? "-" : "")\($0.name.text)`, or `createdAt`" }
            ?? help
          : help)
    }
    return Diagnostic(
      "no-order", "`\(name)` is of the type \(property.type.description), which has no order",
      at: span,
      help: help)
  }
}
