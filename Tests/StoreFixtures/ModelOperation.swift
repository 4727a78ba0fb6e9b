import CEL
package import Items
package import Store

/// A link in the simple model of a store.
package struct ModelLink: Hashable {
  package var title: String?
  package var tags: [String]

  package init(title: String?, tags: [String]) {
    self.title = title
    self.tags = tags
  }
}

/// An operation on a store and on its model; links are identified by a number in their URL.
package enum ModelOperation: Hashable {
  case create(Int, title: String, tag: String)
  case retitle(Int, String)
  case tag(Int, String)
  case untag(Int, String)
  case delete(Int)
  /// Adds or removes a property of the schema.
  case migrate(Bool)
  /// Several links in one transaction.
  case createMany(Range<Int>)

  /// A random operation.
  package static func random(using random: inout some RandomNumberGenerator) -> ModelOperation {
    let link = Int.random(in: 0..<30, using: &random)
    let word = "w\(Int.random(in: 0..<8, using: &random))"
    return switch Int.random(in: 0..<20, using: &random) {
    case 0..<7: .create(link, title: word, tag: "t\(link % 4)")
    case 7..<10: .retitle(link, word)
    case 10..<13: .tag(link, word)
    case 13..<15: .untag(link, word)
    case 15..<18: .delete(link)
    case 18: .createMany(link..<link + 5)
    default: .migrate(Bool.random(using: &random))
    }
  }

  // MARK: Text

  /// The operation on one line.
  package var text: String {
    switch self {
    case .create(let link, let title, let tag): "create \(link) \(title) \(tag)"
    case .retitle(let link, let title): "retitle \(link) \(title)"
    case .tag(let link, let tag): "tag \(link) \(tag)"
    case .untag(let link, let tag): "untag \(link) \(tag)"
    case .delete(let link): "delete \(link)"
    case .migrate(let hasNote): "migrate \(hasNote ? 1 : 0)"
    case .createMany(let links): "createMany \(links.lowerBound) \(links.upperBound)"
    }
  }

  /// Parses the format of `text`.
  package init?(_ text: some StringProtocol) {
    let words = String(text).split(separator: " ").map(String.init)
    guard words.count >= 2, let number = Int(words[1]) else { return nil }
    switch (words[0], words.count) {
    case ("create", 4): self = .create(number, title: words[2], tag: words[3])
    case ("retitle", 3): self = .retitle(number, words[2])
    case ("tag", 3): self = .tag(number, words[2])
    case ("untag", 3): self = .untag(number, words[2])
    case ("delete", 2): self = .delete(number)
    case ("migrate", 2): self = .migrate(number == 1)
    case ("createMany", 3): self = .createMany(number..<(Int(words[2]) ?? number))
    default: return nil
    }
  }

  // MARK: Doing it

  /// Applies it to the model.
  package func apply(to model: inout [Int: ModelLink]) {
    switch self {
    case .create(let link, let title, let tag): Self.merge(link, title, tag, into: &model)
    case .retitle(let link, let title): model[link]?.title = title
    case .tag(let link, let tag):
      if let known = model[link], !known.tags.contains(tag) { model[link]?.tags.append(tag) }
    case .untag(let link, let tag): model[link]?.tags.removeAll { $0 == tag }
    case .delete(let link): model[link] = nil
    case .migrate: break
    case .createMany(let links):
      for link in links { Self.merge(link, "many", "batch", into: &model) }
    }
  }

  private static func merge(
    _ link: Int, _ title: String, _ tag: String, into model: inout [Int: ModelLink]
  ) {
    var merged = model[link] ?? ModelLink(title: nil, tags: [])
    merged.title = title
    if !merged.tags.contains(tag) { merged.tags.append(tag) }
    model[link] = merged
  }

  /// Applies it to a store, which is reopened for another schema.
  package func perform(on store: inout Database, at path: String) throws {
    switch self {
    case .create(let link, let title, let tag): try Self.create(link, title, tag, in: store)
    case .retitle(let link, let title):
      try Self.update(link, in: store) {
        try store.items.update($0, set: [("title", .string(title))])
      }
    case .tag(let link, let tag):
      try Self.update(link, in: store) { try store.items.update($0, add: [("tags", .string(tag))]) }
    case .untag(let link, let tag):
      try Self.update(link, in: store) {
        try store.items.update($0, remove: [("tags", .string(tag))])
      }
    case .delete(let link):
      try Self.update(link, in: store) { try store.items.delete($0) }
    case .migrate(let hasNote):
      store = try StoreFixture(at: .file(path), Self.schema(hasNote: hasNote)).store
    case .createMany(let links):
      try store.transaction {
        for link in links { try Self.create(link, "many", "batch", in: store) }
      }
    }
  }

  private static func url(_ link: Int) -> String { "https://example.org/\(link)" }

  private static func create(
    _ link: Int, _ title: String, _ tag: String, in store: Database
  ) throws {
    _ = try store.items.create(
      "Link",
      set: [
        ("url", .string(url(link))), ("title", .string(title)), ("tags", [.string(tag)]),
      ], onConflict: .merge)
  }

  private static func update<Result>(
    _ link: Int, in store: Database, _ body: (ItemReference) throws -> Result
  ) throws {
    guard let item = try store.items.get("Link", identity: url(link)),
      let reference = item.reference
    else { return }
    _ = try body(reference)
  }

  /// The schema with or without an additional property.
  package static func schema(hasNote: Bool) -> EntitySchema {
    let link = StoreFixture.link
    let note = PropertySchema(
      name: "note", type: .string, default: "none", searchWeight: 1, isIndexed: true)
    return EntitySchema(
      name: link.name, properties: link.properties + (hasNote ? [note] : []),
      identity: link.identity)
  }

  /// The contents of a store, as a model.
  package static func model(of store: Database) throws -> [Int: ModelLink] {
    var model: [Int: ModelLink] = [:]
    try store.items.forEach(Query("Link")) { item in
      guard case .string(let url)? = item.field("url"), let slash = url.lastIndex(of: "/"),
        let number = Int(url[url.index(after: slash)...]),
        case .list(let tags)? = item.field("tags")
      else { return true }
      var title: String?
      if case .string(let text)? = item.field("title") { title = text }
      let words = tags.compactMap { tag in if case .string(let text) = tag { text } else { nil } }
      model[number] = ModelLink(title: title, tags: words)
      return true
    }
    return model
  }
}
