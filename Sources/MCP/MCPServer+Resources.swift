import ErrandKit

extension MCPServer {
  private static let scheme = "errand://"
  private static let pageSize = 100

  /// Returns the result of a request for items.
  func resources(_ method: String, _ parameters: JSONValue, _ peer: Peer) throws -> JSONValue {
    switch method {
    case "resources/list": try list(after: parameters["cursor"])
    case "resources/read": try read(parameters["uri"]?.string, peer)
    default: templates()
    }
  }

  private var entities: [Errand.DefinitionSummary] {
    errand.definitions.filter { $0.kind == "entity" }
  }

  private func templates() -> JSONValue {
    let templates: [JSONValue] = entities.map { entity in
      [
        "uriTemplate": .string("\(Self.scheme)\(entity.name)/{id}{?text}"),
        "name": .string(entity.name), "mimeType": "application/json",
        "description": .string("\(entity.description) With text=true, the texts of pages, too."),
      ]
    }
    return ["resourceTemplates": .array(templates)]
  }

  /// Lists the items of one entity after another; a cursor is the entity and its served items,
  /// such as `Link 44 43 42`.
  private func list(after cursor: JSONValue?) throws -> JSONValue {
    let names = entities.map(\.name)
    let parts = cursor?.string?.split(separator: " ", maxSplits: 1).map(String.init) ?? []
    let known: ServedItems? = parts.count == 2 ? ServedItems(parts[1]) : ServedItems()
    guard cursor == nil || parts.count == 2 && names.contains(parts[0]), var served = known
    else {
      throw ProtocolError(.invalidParameters, "unknown cursor")
    }
    var found: [ItemSnapshot] = []
    for name in names.drop(while: { $0 != parts.first ?? $0 }) {
      var last: String?
      if name == parts.first {
        func text(_ id: Int64) -> String { "\(name.lowercased()):\(id)" }
        do throws(ErrandError) {
          last = try served.last { (try? reader().item(text($0))) != nil }.map(text)
        } catch { throw ProtocolError(.invalidParameters, "\(error.message); list again") }
      }
      found += try reader().find(name, limit: Self.pageSize + 1 - found.count, after: last)
      if found.count > Self.pageSize { break }
    }
    let page = found.prefix(Self.pageSize)
    var next: String?
    if found.count > page.count, let entity = page.last?.entity {
      if entity != parts.first { served = ServedItems() }
      served.append(page.filter { $0.entity == entity }.map(\.id))
      next = "\(entity) \(served.text)"
    }
    return .members([
      "resources": .array(
        page.map { item in
          .members([
            "uri": .string("\(Self.scheme)\(item.entity)/\(item.id)"),
            "name": .string(item.reference), "title": .string(item.title),
            "description": item.subtitle.map(JSONValue.string), "mimeType": "application/json",
          ])
        }),
      "nextCursor": next.map(JSONValue.string),
    ])
  }

  private func read(_ uri: String?, _ peer: Peer) throws -> JSONValue {
    guard let uri else { throw ProtocolError(.invalidParameters, "`uri` must be a string") }
    let parts = uri.split(separator: "?", maxSplits: 1)
    let path = (parts.first ?? "").dropFirst(Self.scheme.count).split(separator: "/")
    let unknown = ProtocolError(
      peer.isModern ? .invalidParameters : .unknownResource, "there is no resource \(uri)",
      data: ["uri": .string(uri)])
    guard uri.hasPrefix(Self.scheme), path.count == 2, let id = Int64(path[1]),
      entities.contains(where: { $0.name == path[0] })
    else { throw unknown }
    let item: ItemSnapshot
    do { item = try reader().item("\(path[0].lowercased()):\(id)") } catch {
      guard (error as? ErrandError)?.code == "not-found" else { throw error }
      throw unknown
    }
    let fields =
      parts.count == 2 && parts[1] == "text=true"
      ? item.fields : item.fields.without(Tool.pageText)
    return [
      "contents": [
        ["uri": .string(uri), "mimeType": "application/json", "text": .string(try fields.text())]
      ]
    ]
  }
}
