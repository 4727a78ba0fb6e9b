import CEL
import Catalog
import Engine
import Items
import YAML

extension ActionArguments {
  /// The only parameter that words stand for, with its position; nil where they stand for several.
  private var single: (position: Int, parameter: ParameterDefinition)? {
    guard positional.count == 1, let parameter = positional.first else { return nil }
    return position(of: parameter.name.text).map { ($0, parameter) }
  }

  /// The only parameter that words stand for, and its entity, when it takes an item: such an intent
  /// takes several of them, too, and runs once for each.
  var itemParameter: (position: Int, entity: String)? {
    guard let (position, parameter) = single,
      case .entity(let entity) = parameter.type.unwrapped
    else { return nil }
    return (position, entity)
  }

  /// The only parameter that words stand for, and the entity, when it takes a list of items.
  private var listParameter: (position: Int, entity: String)? {
    guard let (position, parameter) = single,
      case .list(.entity(let entity)) = parameter.type.unwrapped
    else { return nil }
    return (position, entity)
  }

  /// The items that `--where` and words to search for choose, for the parameter that takes a list;
  /// nil without `--where`.
  ///
  /// - Throws: `not-found`.
  func listedItems(
    _ arguments: ParsedArguments, words: [String], _ session: Run
  ) throws -> (position: Int, value: Value)? {
    guard takesFilter, let (position, entity) = listParameter,
      let filter = arguments.last(ItemSelection.filterFlag.name)
    else { return nil }
    let items = try ItemSelection.searched(
      entity, words.joined(separator: " "), filter: filter, session
    ).items
    return (position, .list(items.map { .object($0) }))
  }

  /// Whether `--where` chooses items, and no parameter has the name.
  var takesFilter: Bool {
    (itemParameter != nil || listParameter != nil)
      && !definition.parameters.contains { $0.name.text == "where" }
  }

  /// The items to run for, when more or others than one text are meant; nil leaves the words to the
  /// parameter.
  ///
  /// - Throws: `not-found`, `ambiguous`, `declined`; nothing is done then.
  func items(
    _ arguments: ParsedArguments, words: [String], _ session: Run
  ) throws -> [Item]? {
    guard let (_, entity) = itemParameter else { return nil }
    if takesFilter, let filter = arguments.last(ItemSelection.filterFlag.name) {
      let items = try ItemSelection.searched(
        entity, words.joined(separator: " "), filter: filter, session
      ).items
      try session.agree(
        to: "Run `\(definition.name.text)` for \(session.summary(of: items))?",
        else: "Nothing done.")
      return items
    }
    guard words.contains("-") || words.count > 1 && words.allSatisfy({ isReference($0, entity) })
    else { return nil }
    return try ItemSelection.of(words, entity: entity, session).items
  }

  /// The values of several words for a parameter that takes one, with its position: what is asked
  /// for runs once for each; nil where words mean something else.
  ///
  /// Of free text nobody knows where one value ends.
  ///
  /// - Throws: `invalid-value` for a word that does not fit, before anything is run.
  func repeatedValues(
    _ words: [String], _ session: Run
  ) throws -> (position: Int, values: [String])? {
    guard words.count > 1, let (position, parameter) = single, !takesAllWords(parameter),
      !words.contains("-")
    else { return nil }
    switch parameter.type.unwrapped {
    case .string, .any, .bool, .entity: return nil
    default: break
    }
    for word in words { try session.expect(word, fits: parameter) }
    return (position, words)
  }

  /// The intent that does the same for items of another entity, by its name: `open-file` for `open`
  /// where all words are references of files; nil where there is none.
  func counterpart(for words: [String], in library: Library) throws -> ActionDefinition? {
    guard let (_, entity) = itemParameter else { return nil }
    let kinds = Set(words.map { ItemReference.parse($0)?.kind })
    guard kinds.count == 1, case let kind?? = kinds.first, kind != EntitySchema.kind(of: entity),
      let other = try library.action("\(definition.name.text)-\(kind)"),
      let parameter = ActionArguments(other).itemParameter,
      EntitySchema.kind(of: parameter.entity) == kind
    else { return nil }
    return other
  }

  /// Whether words are numbers or references of items, which must be stored to have any.
  func namesItems(_ words: [String]) -> Bool {
    guard let (_, entity) = itemParameter, !words.isEmpty else { return false }
    return words.allSatisfy { isReference($0, entity) && !$0.contains("://") }
  }

  /// Whether a word can only name one item of an entity: by its number, reference or URL.
  private func isReference(_ word: String, _ entity: String) -> Bool {
    if let number = Int64(word) { return number > 0 }
    if word.contains("://") { return true }
    return ItemReference.parse(word)?.kind == EntitySchema.kind(of: entity)
  }
}
