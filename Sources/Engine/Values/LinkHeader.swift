import Links

/// The `Link` header of a reply (RFC 8288 §3).
enum LinkHeader {
  /// The targets by their relations, in the order in which they stand, resolved against a base.
  static func links(in text: String, base: String) -> [(relation: String, url: String)] {
    var found: [(relation: String, url: String)] = []
    let base = try? WebURL(base)
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      rest = rest[rest.index(after: start)...]
      guard let end = rest.firstIndex(of: ">") else { break }
      let target = String(rest[..<end])
      rest = rest[rest.index(after: end)...]
      let parameters = takeParameters(&rest)
      let url = base.flatMap { try? $0.resolve(target).text } ?? target
      for relation in parameters.split(separator: " ") {
        let name = relation.lowercased()
        if !found.contains(where: { $0.relation == name }) { found.append((name, url)) }
      }
    }
    return found
  }

  /// The relations of a link; goes to the comma after it.
  private static func takeParameters(_ rest: inout Substring) -> Substring {
    var relations = Substring()
    while let character = rest.first, character != "," {
      guard character == ";" else {
        rest.removeFirst()
        continue
      }
      rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
      let name = rest.prefix { $0 != "=" && $0 != ";" && $0 != "," }
      rest = rest.dropFirst(name.count)
      guard rest.first == "=" else { continue }
      rest = rest.dropFirst()
      let value: Substring
      if rest.first == "\"" {
        value = rest.dropFirst().prefix { $0 != "\"" }
        rest = rest.dropFirst(value.count + 2)
      } else {
        value = rest.prefix { $0 != ";" && $0 != "," && $0 != " " }
        rest = rest.dropFirst(value.count)
      }
      if name.lowercased() == "rel", relations.isEmpty { relations = value }
    }
    return relations
  }
}
