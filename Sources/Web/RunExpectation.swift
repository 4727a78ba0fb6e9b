import ErrandKit

/// A test made of a run: its values and answers, the items that it gave, and its result.
extension RunPage {
  /// The button that makes a test of an ended run; nil for a run that cannot become one.
  func expectation(_ transcript: JSONValue) -> HTML? {
    let name = transcript["name"]?.string ?? ""
    guard (try? errand.text(of: name))?.isOwn == true,
      let test = test(transcript, of: name), let json = try? test.text()
    else { return nil }
    return form(
      "/source/\(name.pathEncoded)", with: ["do": "test", "test": json],
      "<button class=\"b\">\(HTML.icon("check"))Expect this</button>")
  }

  private func test(_ transcript: JSONValue, of name: String) -> JSONValue? {
    guard case .object(let parameters)? = transcript["parameters"],
      let definition = try? errand.definition(name),
      !definition.parameters.contains(where: \.takesPaths)
    else { return nil }
    let entries = transcript["entries"]?.array ?? []
    var test: [String: JSONValue] = [:]
    var given = parameters
    test["input"] = given.removeValue(forKey: "input")
    if !given.isEmpty { test["parameters"] = .object(given) }
    var answers: [String: JSONValue] = [:]
    var (references, expected): ([String], [String: JSONValue]) = ([], [:])
    var (said, shown): ([JSONValue], [JSONValue?]) = ([], [])
    for entry in entries {
      references += Self.references(in: entry["value"]) + Self.references(in: entry["cards"])
      switch entry["kind"]?.string {
      case "question":
        if entry["control"] == "secret" { return nil }
        if let key = entry["key"]?.string, let answer = entry["answer"] { answers[key] = answer }
      case "say": if let text = entry["text"] { said.append(text) }
      case "show": shown.append(Self.shown(entry))
      case "result": expected["output"] = output(entry["value"] ?? .null)
      case "error": expected["error"] = entry["code"]
      case "ended" where !["done", "failed"].contains(entry["state"]?.string): return nil
      default: break
      }
    }
    if !answers.isEmpty { test["answers"] = .object(answers) }
    if !said.isEmpty { expected["dialog"] = .array(said) }
    if !shown.isEmpty {
      let known = shown.compactMap(\.self)
      expected["shown"] =
        known.count == shown.count ? .array(known) : ["size": .int(Int64(shown.count))]
    }
    let items = items(references)
    if !items.isEmpty { test["given"] = .object(items.mapValues { .array($0) }) }
    guard !expected.isEmpty else { return nil }
    test["expect"] = .object(expected)
    return .object(test)
  }

  /// The value that a presentation is compared with: its text, or the titles of its items; nil if it
  /// is not known.
  private static func shown(_ entry: JSONValue) -> JSONValue? {
    let titles = (entry["cards"]?.array ?? []).compactMap { $0["title"] }
    // One item looks like a list of one.
    if titles.count > 1, entry["count"] == .int(Int64(titles.count)) { return .array(titles) }
    return entry["text"]
  }

  /// The references of items in a value.
  private static func references(in value: JSONValue?) -> [String] {
    switch value {
    case .array(let values)?: values.flatMap { references(in: $0) }
    case .object(let members)?:
      members["ref"]?.string.map { [$0] } ?? members.values.flatMap { references(in: $0) }
    default: []
    }
  }

  /// A result, in which the title of an item stands for it.
  private func output(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let values): return .array(values.map(output))
    case .object(let members):
      guard let item = members["ref"]?.string.flatMap({ try? reader.item($0) }) else {
        return value
      }
      return .string(item.title)
    default: return value
    }
  }

  /// Items as a test has them in its library, by their entities.
  private func items(_ references: [String]) -> [String: [JSONValue]] {
    var (items, seen): ([String: [JSONValue]], Set<String>) = ([:], [])
    // Of what a test is given, the last is the newest, which a run found first.
    for reference in references.prefix(20).reversed() where seen.insert(reference).inserted {
      guard let item = try? reader.item(reference), let fields = try? fields(of: item.entity)
      else { continue }
      var members: [String: JSONValue] = [:]
      for field in fields where !["private", "reading"].contains(field.name) {
        switch item[field.name] {
        case .string(let text) where !text.isEmpty: members[field.name] = .string(text)
        case .int(let number): members[field.name] = .int(number)
        case .array(let list) where !list.isEmpty && list.allSatisfy({ $0.string != nil }):
          members[field.name] = .array(list)
        default: break
        }
      }
      items[item.entity, default: []].append(.object(members))
    }
    return items
  }
}
