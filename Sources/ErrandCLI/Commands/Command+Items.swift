import CEL
import Catalog
import Engine
import Items
import Source

extension Command {
  static let find = Command(
    "find", "find items of an entity", usage: "ENTITY [WORDS…]",
    discussion: "WORDS are searched for; without them the newest come first.",
    flags: [
      Flag(
        "where", .value("EXPR"), "only items for which an expression holds: 'status == \"ready\"'"),
      Flag("sort", .value("KEY"), "order by a property, `-` before it for the largest first"),
      Flag("limit", short: "n", .value("N"), "how many at most"),
      Flag("first", .toggle, "only the first"),
      Flag("after", .value("REF"), "go on after the last item of the page before"),
      Flag("explain", .toggle, "show how it runs: what in SQL, what in process, and each score"),
    ]
  ) { invocation, arguments in
    guard let word = arguments.words.first else {
      throw UsageError("there is no entity", help: "errand find Link --limit 10")
    }
    let session = try invocation.session()
    var search = Run.Search(entity: try entity(word, session.library))
    let words = arguments.words.dropFirst().joined(separator: " ")
    search.match = words.isEmpty ? nil : words
    search.filter = arguments.last("where")
    search.sort = arguments.all("sort").flatMap { $0.split(separator: ",").map(String.init) }
    search.limit = try limit(arguments)
    search.after = arguments.last("after")
    if arguments.isOn("explain") {
      let explanation = try session.explain(try session.query(search))
      try ExplanationWriter(invocation).write(explanation, of: search.entity)
      return ExitStatus.done
    }
    if arguments.isOn("first") {
      search.limit = 1
      let item = try session.find(search).first
      guard let item else { throw RunError(.notFound, "nothing was found") }
      try invocation.resultWriter.write(.object(item))
    } else {
      try invocation.resultWriter.write(.list(try session.find(search).map { .object($0) }))
    }
    return ExitStatus.done
  }

  static let get = Command(
    "get", "show items", usage: "REF…",
    discussion: "A REF looks like link:42; a URL stands for its link."
  ) { invocation, arguments in
    let session = try invocation.session()
    for item in try items(arguments.words, session) {
      try invocation.resultWriter.write(detail: item)
    }
    return ExitStatus.done
  }

  static let create = Command(
    "create", "create an item", usage: "ENTITY NAME=VALUE…",
    flags: [
      Flag(
        "on-conflict", .value("fail|keep|merge|replace"),
        "what to do when an item of the same identity is there [default fail]")
    ]
  ) { invocation, arguments in
    guard let word = arguments.words.first else {
      throw UsageError("there is no entity", help: "errand create Task title='Write'")
    }
    let session = try invocation.session()
    let entity = try entity(word, session.library)
    let policy = arguments.last("on-conflict") ?? "fail"
    guard let policy = ConflictPolicy(rawValue: policy) else {
      throw UsageError(
        "--on-conflict can't be `\(policy)`", help: "it is fail, keep, merge or replace")
    }
    let values = try session.properties(try fields(arguments.words.dropFirst()), of: entity)
    // A merge may find what is missing in the item that is there.
    if policy == .fail || policy == .replace {
      try session.expectRequired(of: entity, in: values.map(\.name))
    }
    let item = try session.create(entity, values, onConflict: policy)
    try invocation.resultWriter.write(changed: item, item.isNew == true ? "Created" : "Updated")
    return ExitStatus.done
  }

  static let update = Command(
    "update", "change an item", usage: "REF [NAME=VALUE…]",
    flags: [
      Flag("add", .value("NAME=VALUE"), "add to a list, such as tags=swift"),
      Flag("remove", .value("NAME=VALUE"), "take out of a list"),
    ]
  ) { invocation, arguments in
    guard let word = arguments.words.first else {
      throw UsageError("there is no item", help: "errand update link:42 title='Swift'")
    }
    let session = try invocation.session()
    let item = try items([word], session)[0]
    let set = try session.properties(try fields(arguments.words.dropFirst()), of: item.entity)
    let add = try session.properties(
      try arguments.pairs("add").map { ($0.key, $0.value) }, of: item.entity)
    let remove = try session.properties(
      try arguments.pairs("remove").map { ($0.key, $0.value) }, of: item.entity)
    if set.isEmpty, add.isEmpty, remove.isEmpty {
      throw UsageError("there is nothing to change", help: "give NAME=VALUE, --add or --remove")
    }
    let changed = try session.update(item, set: set, add: add, remove: remove)
    try invocation.resultWriter.write(changed: changed, "Updated")
    return ExitStatus.done
  }

  static let delete = Command(
    "delete", "delete items", usage: "REF…", discussion: "Asks first, unless --yes is given."
  ) { invocation, arguments in
    let session = try invocation.session()
    // All are looked up before any is deleted, so that a mistyped one loses nothing.
    let items = try items(arguments.words, session)
    let titles = items.map { session.renderer.title(of: $0) }
    try session.delete(items)
    for (item, title) in zip(items, titles) {
      invocation.say("Deleted \(title) (\(item.reference?.description ?? "")).")
    }
    return ExitStatus.done
  }

  // MARK: Words

  /// The entity that a word means: `Link`, `link` or `links`.
  static func entity(_ word: String, _ library: Library) throws -> String {
    let names = library.entityNames
    if names.contains(word) { return word }
    let lowered = word.lowercased()
    // What a project calls its items can't hide what the layers below call theirs.
    let layered = names.sorted {
      (library.layer(ofEntity: $0) ?? .file) < (library.layer(ofEntity: $1) ?? .file)
    }
    for name in layered where EntitySchema.kind(of: name) == lowered { return name }
    for name in layered {
      if EntitySchema.kind(of: name) == lowered || name.lowercased() == lowered { return name }
      do {
        let definition = try library.entity(name)
        if definition?.displayNamePlural == lowered || definition?.displayName == lowered {
          return name
        }
      } catch {
        // What it is called cannot be told, but may be guessed.
        if lowered.hasPrefix(name.lowercased()) { throw error }
      }
    }
    throw UsageError(
      "there is no entity `\(word)`", help: Suggestion.help(for: word, in: names))
  }

  private static func items(_ words: [String], _ session: Run) throws -> [Item] {
    guard !words.isEmpty else {
      throw UsageError("there is no item", help: "give a reference, such as link:42")
    }
    return try words.map { word in
      // A URL can only mean a link; anything else names its entity.
      try session.item(word, of: word.contains("://") ? "Link" : nil)
    }
  }

  private static func fields(
    _ words: ArraySlice<String>
  ) throws -> [(name: String, text: String)] {
    try words.map { word in
      guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
        throw UsageError("“\(word)” is not of the form NAME=VALUE")
      }
      return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }
  }

  private static func limit(_ arguments: ParsedArguments) throws -> Int? {
    guard let text = arguments.last("limit") else { return nil }
    guard let limit = Int(text), limit >= 0 else {
      throw UsageError("--limit is a whole number from 0, and “\(text)” is not")
    }
    return limit
  }
}
