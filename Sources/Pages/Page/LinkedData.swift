import CEL
import JSON

/// The JSON-LD of a page (schema.org).
struct LinkedData {
  /// The objects in document order, each before those nested in it.
  private var things: [MapValue] = []
  /// The objects by `@id`.
  private var named: [String: MapValue] = [:]
  private let parser = JSONParser(maxDepth: 64, maxBytes: 1 << 20, acceptsDuplicates: true)

  /// The maximum number of objects.
  private static let limit = 1_000

  init(_ tree: HTMLTree) {
    for (index, node) in tree.nodes.enumerated() where node.name == "script" {
      let type = (node["type"] ?? "").lowercased()
      guard type.hasPrefix("application/ld+json") else { continue }
      let text = tree.nodes[index..<node.end].map(\.text).joined()
      if let value = parsed(text) { collect(value) }
    }
  }

  /// Parses a text, after correcting common mistakes if necessary.
  private func parsed(_ text: String) -> Value? {
    if let value = try? parser.parse(text) { return value }
    return try? parser.parse(LooseJSON.repaired(text))
  }

  private mutating func collect(_ value: Value) {
    var waiting = [value]
    while let value = waiting.popLast(), things.count < Self.limit {
      switch value {
      case .list(let items): waiting += items.reversed()
      case .map(let map):
        if !Self.types(of: map).isEmpty {
          things.append(map)
          if case .string(let id)? = map["@id"], named[id] == nil { named[id] = map }
        }
        for name in ["mainEntity", "mainEntityOfPage", "hasPart", "itemReviewed", "@graph"] {
          if let inner = map[name], !(inner.isText) { waiting.append(inner) }
        }
      default: break
      }
    }
  }

  /// The type names of an object, without the vocabulary's URL.
  static func types(of map: MapValue) -> [String] {
    let values: [Value] =
      switch map["@type"] ?? .null {
      case .list(let values): values
      case let value: [value]
      }
    return values.compactMap { value in
      guard case .string(let name) = value else { return nil }
      return name.split { $0 == "/" || $0 == "#" || $0 == ":" }.last.map { String($0) }
    }
  }

  /// The object that most likely describes the page's content; the first of several.
  var main: Thing? {
    var best: (rank: Int, map: MapValue)?
    for map in things {
      let rank = Self.types(of: map).map(SchemaType.rank).max() ?? 0
      if rank > (best?.rank ?? 0) { best = (rank, map) }
    }
    return best.map { Thing(map: $0.map, named: named) }
  }

  /// The name of the site according to a `WebSite` object.
  var siteName: String? {
    things.lazy.filter { Self.types(of: $0).contains("WebSite") }
      .compactMap { Thing(map: $0, named: named).text("name") }.first
  }

  /// An object with access to those it references.
  struct Thing {
    let map: MapValue
    let named: [String: MapValue]

    /// A property as text: a string, or the name of an object.
    func text(_ name: String) -> String? {
      values(name).lazy.compactMap { self.name(of: $0) }.first
    }

    /// The names of all values of a property.
    func texts(_ name: String) -> [String] { values(name).compactMap { self.name(of: $0) } }

    /// The URL of a property.
    func address(_ name: String) -> String? {
      for value in values(name) {
        switch resolved(value) {
        case .string(let text): return text
        case .map(let map):
          for key in ["url", "contentUrl", "@id"] {
            if case .string(let text)? = map[key] { return text }
            if case .list(let items)? = map[key], case .string(let text)? = items.first {
              return text
            }
          }
        default: break
        }
      }
      return nil
    }

    /// The object that is the value of a property.
    func inner(_ name: String) -> Thing? {
      for case .map(let map) in values(name).map(resolved) { return Thing(map: map, named: named) }
      return nil
    }

    /// The maximum number of values of a property, since all may reference one long text.
    private static let maxValues = 50

    private func values(_ name: String) -> [Value] {
      switch map[name] ?? .null {
      case .null: []
      case .list(let values): Array(values.prefix(Self.maxValues))
      case let value: [value]
      }
    }

    /// The object that a value references; the value itself if it is not a reference.
    private func resolved(_ value: Value) -> Value {
      guard case .map(let map) = value, map.count == 1, case .string(let id)? = map["@id"],
        let thing = named[id]
      else { return value }
      return .map(thing)
    }

    private func name(of value: Value) -> String? {
      switch resolved(value) {
      case .string(let text): return CleanText.lineOfMarkup(text, limit: 2_000)
      case .map(let map):
        for key in ["name", "headline", "@value", "alternateName"] {
          if case .string(let text)? = map[key], let line = CleanText.lineOfMarkup(text) {
            return line
          }
        }
        return nil
      default: return nil
      }
    }
  }
}

extension Value {
  fileprivate var isText: Bool {
    if case .string = self { true } else { false }
  }
}
