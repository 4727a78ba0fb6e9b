package import Items
package import Source
package import YAML

/// What a kind of item is: its properties, its identity and how it is shown (language §3).
package struct EntityDefinition: Sendable {
  package struct Property: Sendable {
    package let name: Scalar
    package let type: DataType
    package private(set) var title: String?
    package private(set) var description: String?
    package private(set) var defaultNode: Node?
    /// Its weight in full-text search; nil keeps it out.
    package private(set) var searchWeight: Double?
    package private(set) var isIndexed = false
    /// What its values must be beside their type; nil when any will do.
    package private(set) var constraints: ValueConstraints?
    /// The values that other properties had before, each with the one that it became here.
    package private(set) var formerValues: [String: [String: String]] = [:]
  }

  package struct Query: Sendable {
    package let name: Scalar
    package let filter: ExpressionSource?
    package let sort: [Scalar]
    package let limit: Int?
  }

  package struct Transfer: Sendable {
    /// The media type, such as `text/plain`.
    package let mediaType: String
    package let template: Template
  }

  package let name: Scalar
  package let description: String?
  package let properties: [Property]
  /// The properties by which two items are the same one, all of them together.
  package let identities: [Scalar]
  /// The property by which two items are the same one; nil where there is none, or several.
  package var identity: Scalar? { identities.count == 1 ? identities[0] : nil }
  /// How people call one of them, such as "link".
  package let displayName: String
  /// How people call several of them, such as "links".
  package let displayNamePlural: String
  package let titleTemplate: Template?
  package let subtitleTemplate: Template?
  /// Templates that lists set off before the subtitle, such as `overdue`; empty ones are left out.
  package let warningTemplates: [Template]
  /// Templates that lists show after the subtitle, such as tags; empty ones are left out.
  package let markTemplates: [Template]
  package let queries: [Query]
  package let transfer: [Transfer]

  /// The property of a name.
  package func property(_ name: String) -> Property? {
    properties.first { $0.name.text == name }
  }

  init(_ name: Scalar, _ reader: inout DefinitionReader) {
    let collector = reader.collector
    self.name = name
    collector.check(name, form: .upperCamel, of: "an entity")
    if ["sqlite", "errand"].contains(where: name.text.lowercased().hasPrefix) {
      collector.report(
        "reserved-name", "names that begin with `Sqlite` or `Errand` are the store's own",
        at: name.span, help: "choose another name")
    }
    description = reader.text("description")
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
    identities = reader.scalars("identity") ?? []
    var one: String?
    var other: String?
    var title: Template?
    var subtitle: Template?
    var warnings: [Template] = []
    var marks: [Template] = []
    if let node = reader.node("display"),
      var display = DefinitionReader(node, what: "`display`", collector)
    {
      if let node = display.node("name"),
        var names = DefinitionReader(node, what: "`display.name`", collector)
      {
        one = names.text("one")
        other = names.text("other")
        names.finish()
      }
      title = display.template("title")
      subtitle = display.template("subtitle")
      warnings = display.templates("warnings")
      marks = display.templates("marks")
      display.finish()
    }
    displayName = one ?? Self.words(of: name.text)
    displayNamePlural = other ?? displayName + "s"
    titleTemplate = title
    subtitleTemplate = subtitle
    warningTemplates = warnings
    markTemplates = marks
    queries = reader.entries("queries").compactMap { Query($0, collector) }
    transfer = reader.entries("transfer").compactMap { entry in
      guard let template = entry.value.scalar.flatMap(collector.template) else { return nil }
      return Transfer(mediaType: entry.key.text, template: template)
    }
    collector.checkDistinct(identities, of: "the names of an identity")
    for identity in identities where property(identity.text) == nil {
      collector.report(
        "unknown-property", "`identity` names `\(identity.text)`, which isn't a property",
        at: identity.span,
        help: Suggestion.help(for: identity.text, in: properties.map(\.name.text)))
    }
    for property in properties {
      for other in property.formerValues.keys.sorted() where self.property(other) == nil {
        collector.report(
          "unknown-property", "`formerly` names `\(other)`, which isn't a property",
          at: property.name.span)
      }
    }
    for key in queries.flatMap(\.sort) {
      if let problem = sortProblem(key.text, at: key.span) { collector.report(problem) }
    }
  }
}

extension EntityDefinition {
  /// The words of a name: `reading list` for `ReadingList`.
  private static func words(of name: String) -> String {
    name.reduce(into: "") { text, character in
      if character.isUppercase, !text.isEmpty { text += " " }
      text += character.lowercased()
    }
  }
}

extension EntityDefinition.Property {
  fileprivate init?(_ entry: Mapping.Entry, _ collector: DiagnosticCollector) {
    name = entry.key
    collector.check(name, form: .lowerCamel, of: "a property")
    if SystemField.named(name.text) != nil
      || NameForm.givenVariables.contains(name.text) && name.text != "run"
    {
      collector.report(
        "reserved-name", "every item has `\(name.text)` already", at: name.span,
        help: "choose another name")
    }
    // `done: bool` says all there is to say.
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
    title = reader.text("title")
    description = reader.text("description")
    defaultNode = reader.node("default")
    searchWeight = reader.double("search")
    isIndexed = reader.bool("index") ?? false
    constraints = reader.constraints(of: name, type)
    formerValues = reader.formerValues()
    reader.refuseRequired()
    reader.finish()
    guard let type else { return nil }
    self.type = type
    if let searchWeight, searchWeight <= 0 || searchWeight > 1000,
      let span = reader.mapping["search"]?.span
    {
      collector.report("bad-weight", "`search` must be a weight above 0, at most 1000", at: span)
    }
  }
}

extension EntityDefinition.Query {
  fileprivate init?(_ entry: Mapping.Entry, _ collector: DiagnosticCollector) {
    guard var reader = DefinitionReader(entry.value, what: "a query", collector) else {
      return nil
    }
    name = entry.key
    filter = reader.expression("where")
    sort = reader.scalars("sort") ?? []
    limit = reader.int("limit")
    reader.finish()
  }
}

extension EntityDefinition {
  /// The names by which items can be sorted.
  package var sortableNames: [String] {
    properties.filter(\.type.hasOrder).map(\.name.text) + [
      "id", "createdAt", "updatedAt",
    ]
  }

  /// The key for `createdAt desc`; nil where no direction is written after a name.
  private static func direction(in key: String, _ names: [String]) -> String? {
    let words = key.split { $0 == " " || $0 == ":" || $0 == "," }.map(String.init)
    guard words.count == 2, names.contains(words[0]) else { return nil }
    return switch words[1].lowercased() {
    case "desc", "descending", "down", "reverse":
      "for the largest or newest first write `-\(words[0])`"
    case "asc", "ascending", "up": "write `\(words[0])`; a `-` before it reverses the order"
    default: nil
    }
  }

  /// The problem with a name to sort by, with or without `-` before it; nil for a good one.
  package func sortProblem(_ key: String, at span: Span?) -> Diagnostic? {
    let name = key.hasPrefix("-") ? String(key.dropFirst()) : key
    let names = sortableNames
    if names.contains(name) { return nil }
    let help = Self.direction(in: name, names) ?? Suggestion.help(for: name, in: names)
    guard let property = property(name) else {
      return Diagnostic(
        "unknown-property", "\(self.name.text) has no property `\(name)` to sort by", at: span,
        help: help)
    }
    return Diagnostic(
      "no-order", "`\(name)` is of the type \(property.type.description), which has no order",
      at: span,
      help: help)
  }
}
