import CEL
import Catalog
import Items
import Program
import Store

/// `find`: finds items of an entity.
enum FindVerb: Verb {
  static let word = "find"
  static let entity = Argument<ArgumentName>("entity", at: 0, .entityName, required: true)
  static let match = Argument<String>("match", at: 1, .value(.optional(.string)))
  static let filter = Argument<CompiledExpression>("where", at: 2, .filter)
  static let sort = Argument<[SortKey]>("sort", at: 3, .sortKeys)
  static let limit = Argument<Int64>(
    "limit", at: 4, .value(.optional(.int)), range: 0...Double.infinity)
  static let first = Argument<Bool>("first", at: 5, .value(.bool))
  static let summary = Argument<Bool>("summary", at: 6, .value(.bool))
  static let during = Argument<Value>("during", at: 7, .value(.any))
  static let like = Argument<Item>("like", at: 8, .value(.any))

  static let signature = VerbSignature(
    word,
    [entity, match, filter, sort, limit, first, summary, during, like], effect: .read,
    traits: .setsIt,
    resultType: ResultType { call in
      guard let entity = call.name(entity), let isSummary = call.flag(summary) else { return nil }
      if isSummary { return .record(summaryType(of: entity)) }
      // With `first` the result is one item or null.
      return call.flag(first).map { $0 ? .optional(.entity(entity)) : .list(.entity(entity)) }
    })

  private static func summaryType(of entity: String) -> RecordType {
    RecordType(
      "a summary of `find`", [.init("items", .list(.object(entity))), .init("text", .string)])
  }

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    guard let entity = arguments.name(entity) else { return .null }
    let run = arguments.run
    let first = try arguments.flag(first)
    var query = Query(entity)
    query.match = try arguments.value(match)?.asText
    // Near matches are returned only with a summary that mentions them.
    if try arguments.flag(summary) { query.closeMatches = .ifFew }
    if case .sort(let keys) = arguments[sort] { query.sort = keys }
    if let limit = try arguments.int(limit) { query.limit = Int(limit) }
    if first { query.limit = 1 }
    if let value = try arguments.value(during), !value.isNull {
      query.during = try run.range(value, named: during.name)
    }
    if let value = try arguments.value(like), !value.isNull {
      query.like = try arguments.item(like)
      guard query.match == nil, query.sort.isEmpty, query.during == nil else {
        throw RunError(
          .invalidValue, "`like` has an order of its own: the most similar item is first",
          help: "use it without `match`, `sort` and `during`")
      }
    }
    var source: ExpressionSource?
    if case .filter(let filter, _) = arguments[filter] {
      query.filter = self.filter(filter, arguments.runner)
      source = filter.source
    }
    try run.queryObserver?(query)
    let store = try run.store(for: entity)
    func found() throws -> [Item] {
      try arguments.runner.searching(store, in: source) { try store.items.find(query) }
    }
    if try arguments.flag(summary) {
      let definition = try run.workspace.entity(entity).definition
      return try store.search.searching {
        let items = try found()
        let text = try RunError.translating(in: source) {
          try FoundText(query, of: definition, words: arguments.run.words).text(items, in: store)
        }
        return .record([("items", .list(items.map { .object($0) })), ("text", .string(text))])
      }
    }
    let items = try found().map { Value.object($0) }
    return first ? items.first ?? .null : .list(items)
  }

  /// A filter over items with the current values of its variables.
  static func filter(_ expression: CompiledExpression, _ runner: Runner) -> Filter {
    let names = expression.program.variables
    var filter = Filter(expression.program, in: runner.run.workspace.context.environment) { name in
      names.firstIndex(of: name).map { runner.frame.slots[expression.slots[$0]] }
    }
    filter.mustStop = runner.mustStop
    return filter
  }
}
