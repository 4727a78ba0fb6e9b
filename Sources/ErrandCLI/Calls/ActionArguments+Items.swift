import CEL
import Catalog
import Engine
import Items
import Program
import YAML

extension ActionArguments {
  /// The only positional parameter, with its index; nil if there are several.
  private var single: (position: Int, parameter: ParameterDefinition)? {
    guard positional.count == 1, let parameter = positional.first else { return nil }
    return position(of: parameter.name.text).map { ($0, parameter) }
  }

  /// The only positional parameter and its entity, if it takes an item; such an action also accepts
  /// several items and runs once for each.
  var itemParameter: (position: Int, entity: String)? {
    guard let (position, parameter) = single,
      case .entity(let entity) = parameter.type.unwrapped
    else { return nil }
    return (position, entity)
  }

  /// The only positional parameter and its entity, if it takes a list of items.
  private var listParameter: (position: Int, entity: String)? {
    guard let (position, parameter) = single,
      case .list(.entity(let entity)) = parameter.type.unwrapped
    else { return nil }
    return (position, entity)
  }

  /// Finds the items selected by `--where` and search words for a list parameter; nil without
  /// `--where`.
  ///
  /// - Throws: `not-found`.
  func listedItems(
    _ arguments: Arguments, words: [String], _ run: Run
  ) throws -> (position: Int, value: Value)? {
    guard takesFilter, let (position, entity) = listParameter,
      let filter = arguments.last(ItemSelection.filterFlag.name)
    else { return nil }
    let items = try ItemSelection.searched(
      entity, words.joined(separator: " "), filter: filter, run
    ).items
    return (position, .list(items.map { .object($0) }))
  }

  /// Whether `--where` selects items and is not the name of a parameter.
  var takesFilter: Bool {
    (itemParameter != nil || listParameter != nil)
      && !definition.parameters.contains { $0.name.text == "where" }
  }

  /// Resolves the items to run for; nil if the words are an ordinary parameter value.
  ///
  /// - Throws: `not-found`, `ambiguous` or `declined`, before anything runs.
  func items(
    _ arguments: Arguments, words: [String], _ run: Run
  ) throws -> [Item]? {
    guard let (_, entity) = itemParameter else { return nil }
    if takesFilter, let filter = arguments.last(ItemSelection.filterFlag.name) {
      let items = try ItemSelection.searched(
        entity, words.joined(separator: " "), filter: filter, run
      ).items
      try run.agree(
        to: "Run `\(definition.name.text)` for \(run.summary(of: items))?",
        else: "Nothing done.")
      return items
    }
    guard words.contains("-") || words.count > 1 && words.allSatisfy({ isReference($0, entity) })
    else { return nil }
    return try ItemSelection.of(words, entity: entity, run).items
  }

  /// Returns several values for a single-value parameter, with its index: the action runs once for
  /// each. Nil if the words mean something else, such as free text, which has no boundaries.
  ///
  /// - Throws: `invalid-value` for a word of the wrong type, before anything runs.
  func repeatedValues(
    _ words: [String], _ run: Run
  ) throws -> (position: Int, values: [String])? {
    guard words.count > 1, let (position, parameter) = single, !takesAllWords(parameter),
      !words.contains("-")
    else { return nil }
    switch parameter.type.unwrapped {
    case .string, .any, .bool, .entity: return nil
    default: break
    }
    let values =
      parameter.type.unwrapped == .url ? words.map { ShellValue.address($0) ?? $0 } : words
    for value in values { try run.expect(value, fits: parameter) }
    return (position, values)
  }

  /// The parameter that reads one address per line from standard input, if `-` is the only word;
  /// otherwise nil.
  func lineParameter(_ words: [String]) -> (position: Int, parameter: ParameterDefinition)? {
    guard words == ["-"], let single, single.parameter.type.unwrapped == .url else { return nil }
    return single
  }

  /// Rejects words that cannot be the number or address that the action takes first.
  ///
  /// - Throws: `invalid-value` that names the search.
  func expectFitting(_ arguments: Arguments, in catalog: DefinitionCatalog) throws {
    let words = arguments.words.map(WordForm.normal)
    if definition.name.text == "remind", words.first == "me", words.count > 1 {
      let sentence = words.joined(separator: " ")
      throw UsageError(
        "`remind` takes a task, but this is a sentence", help: "write errand do remind \(sentence)")
    }
    // A title with a number may be searched for in quotes.
    if (itemParameter ?? listParameter) != nil, !words.contains(where: { $0.contains(" ") }) {
      try ItemWords.expectReferences(words, in: catalog)
    }
    guard let parameter = positional.first, !takesWords else { return }
    let type = parameter.type.unwrapped
    var isChoice = false
    if case .enumeration = type { isChoice = !parameter.isRequired }
    guard [.int, .url, .bool].contains(type) || isChoice else { return }
    func fits(_ word: String) -> Bool {
      if case .success = LiteralReader.read(ShellValue.address(word) ?? word, as: type) {
        true
      } else {
        word == "-"
      }
    }
    guard let index = words.firstIndex(where: { !fits($0) }), case let word = words[index],
      case .failure(let problem) = LiteralReader.read(word, as: type)
    else { return }
    let flag = flag(meantBy: word)
    if flag == nil, let split = arguments.split(at: index) { throw split.error }
    let meant = try NounAndVerb.command(meantBy: [definition.name.text] + words, in: catalog)
    if type == .bool || isChoice {
      let kind = try ItemWords.entityIfNamed(definition.name.text, in: catalog)
      let search = words.map(\.quotedForShell).joined(separator: " ")
      let toggle = "--\(parameter.name.text.flagName)"
      throw UsageError(
        "unexpected argument “\(word)”",
        help: meant.map { "did you mean `\($0)`?" }
          ?? (kind == nil || "--\(word)" == toggle
            ? isChoice
              ? problem.help ?? problem.message
              : "`errand \(call) \(toggle)` turns `\(parameter.name.text)` on"
            : help(onDay: words)
              ?? "to search: errand find \(definition.name.text) \(Self.tagged(search))")
          + "; `errand \(call) --help` lists the flags")
    }
    let own = words.filter(fits).map(\.quotedForShell).joined(separator: " ")
    let texts = words.filter { !fits($0) }
    let search = words.map(\.quotedForShell).joined(separator: " ")
    let names = flagged.map(\.name)
    var help = type == .int && texts.count > 1 ? nil : problem.help
    if let meant {
      help = "did you mean `\(meant)`?"
    } else if let flag {
      help = "write errand \(call) \(own) \(flag)"
    } else if !own.isEmpty, type == .url, texts.count == 1, word.contains(","), !word.contains(" "),
      names.contains("tags")
    {
      help = "write errand \(call) \(own) --tags \(word.quotedForShell)"
    } else if !own.isEmpty, type == .url, names.contains("title") {
      let title = texts.joined(separator: " ").quotedForShell
      help = "write errand \(call) \(own) --title \(title)"
    }
    if help == nil, let equals = word.firstIndex(of: "="), equals > word.startIndex {
      help = assignment(word[..<equals], word[word.index(after: equals)...])
    }
    throw RunError(
      .invalidValue, "`\(parameter.name.text)`: \(problem.message)",
      help: help ?? "write errand \(call) \(usage), or errand search \(search) to search for words"
    ).asUsage
  }

  /// Advice on a lone word for a day, or on `+overdue` of Taskwarrior; nil for other words.
  private func help(onDay words: [String]) -> String? {
    guard words.count == 1, flagged.contains(where: { $0.name == "due" }) else { return nil }
    switch words[0].lowercased() {
    case "today", "tomorrow": return "write errand \(call) --due \(words[0])"
    case "+overdue": return "write errand \(call) --overdue"
    default: return nil
    }
  }

  /// Advice on `name=value`, as it is written for `make`.
  private func assignment(_ name: Substring, _ value: Substring) -> String {
    let wanted = String(name)
    if positional.contains(where: { $0.name.text == wanted }) {
      return "write the value alone: errand \(call) \(String(value).quotedForShell)"
    }
    if let flag = flagged.first(where: { $0.name == wanted || $0.parameter.name.text == wanted }) {
      return "write errand \(call) --\(flag.name) \(String(value).quotedForShell)"
    }
    let known =
      positional.map { "\($0.name.text.uppercased()) (\($0.type.description))" }
      + flagged.map { "--\($0.name)" }
    return "`\(call)` has no `\(wanted)`; it takes \(known.joined(separator: ", "))"
  }

  /// The words of a search in which `project:x` of other programs is a tag.
  private static func tagged(_ search: String) -> String {
    var words = search.split(separator: " ").map(String.init)
    for (index, word) in words.enumerated() {
      for name in ["project:", "context:", "list:", "label:", "@", "+"] where word.hasPrefix(name) {
        words[index] = "tag:" + word.dropFirst(name.count)
      }
    }
    return words.joined(separator: " ")
  }

  /// The words with the address of a saved link for one such as `swift.org/blog`; a host alone stays
  /// a word, which finds all links of the site.
  func withAddresses(_ words: [String], _ run: Run, note: (String) -> Void) -> [String] {
    guard words.count == 1, words[0].contains("/"),
      (itemParameter ?? listParameter)?.entity == "Link",
      let url = ShellValue.address(words[0]), (try? run.item(url, of: "Link")) != nil
    else { return words }
    note("\(words[0]) is taken for \(url)")
    return [url]
  }

  /// Finds the action that does the same for another entity, such as `open-file` for `open` when all
  /// words refer to files; nil if there is none.
  func counterpart(for words: [String], in catalog: DefinitionCatalog) throws -> ActionDefinition? {
    guard let (_, entity) = itemParameter else { return nil }
    let kinds = Set(words.map { ItemReference.parse($0)?.kind })
    guard kinds.count == 1, case let kind?? = kinds.first, kind != EntitySchema.kind(of: entity),
      let other = try catalog.action("\(definition.name.text)-\(kind)"),
      let parameter = ActionArguments(other).itemParameter,
      EntitySchema.kind(of: parameter.entity) == kind
    else { return nil }
    return other
  }

  /// Whether all words are numbers or references of stored items.
  func namesItems(_ words: [String]) -> Bool {
    guard let (_, entity) = itemParameter, !words.isEmpty else { return false }
    return words.allSatisfy { isReference($0, entity) && !$0.contains("://") }
  }

  /// Whether a word names one item of an entity by number, reference or URL.
  private func isReference(_ word: String, _ entity: String) -> Bool {
    if let number = Int64(word) { return number > 0 }
    if word.contains("://") { return true }
    return ItemReference.parse(word)?.kind == EntitySchema.kind(of: entity)
  }
}
