import CEL
import Catalog
import Items
import Program
import Store

/// `find`: finds items of an entity.
enum FindVerb: PlainVerb {
  static let word = "find"
  static let entity = Argument<ArgumentName>("entity", at: 0, .entityName, required: true)
  static let match = Argument<String>("match", at: 1, .value(.optional(.string)))
  static let filter = Argument<CompiledExpression>("where", at: 2, .filter)
  static let sort = Argument<[SortKey]>("sort", at: 3, .sortKeys)
  static let limit = Argument<Int64>(
    "limit", at: 4, .value(.optional(.int)), range: 0...Double.infinity)
  static let first = Argument<Bool>("first", at: 5, .value(.bool))
  static let summary = Argument<Bool>("summary", at: 6, .value(.bool))

  static let signature = VerbSignature(
    word,
    [
      entity.declaration, match.declaration, filter.declaration, sort.declaration,
      limit.declaration, first.declaration, summary.declaration,
    ], effect: .read, traits: .setsIt,
    resultType: ResultType { call in
      if let summary = call[summary] {
        // With `summary` it is a map.
        guard case .value(.constant(.bool(let isSummary)), _, _) = summary else { return nil }
        if isSummary { return call.name(entity).map { .record(summaryType(of: $0)) } }
      }
      guard let entity = call.name(entity).map(DataType.entity) else {
        return nil
      }
      guard let first = call[first] else { return .list(entity) }
      // With `first` it is one item or null.
      guard case .value(.constant(.bool(let isFirst)), _, _) = first else { return nil }
      return isFirst ? .optional(entity) : .list(entity)
    })

  private static func summaryType(of entity: String) -> RecordType {
    RecordType(
      "a summary of `find`", [.init("items", .list(.object(entity))), .init("text", .string)])
  }

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    guard let entity = arguments.name(entity) else { return .null }
    let run = arguments.runner.run
    let first = try arguments.flag(first)
    var query = Query(entity)
    if case .string(let match)? = try arguments.value(match) { query.match = match }
    // Where nobody is told that they are only near, they are not found.
    query.isRelaxed = try arguments.flag(summary)
    if case .sort(let keys) = arguments[sort] { query.sort = keys }
    if let limit = try arguments.int(limit) {
      guard limit >= 0 else { throw RunError(.invalidValue, "`limit` can't be below 0") }
      query.limit = Int(limit)
    }
    if first { query.limit = 1 }
    var source: ExpressionSource?
    if case .filter(let filter, _) = arguments[filter] {
      query.filter = self.filter(filter, arguments.runner)
      source = filter.source
    }
    try run.queryObserver?(query)
    let store = try run.store(for: entity)
    if try arguments.flag(summary) {
      let definition = try run.workspace.entity(entity).definition
      return try store.search.searching {
        let items = try arguments.runner.searching(store, in: source) {
          try store.items.find(query)
        }
        let text = try RunError.translating(in: source) {
          try FoundText(query, of: definition).text(items, in: store)
        }
        let list = Value.list(items.map { .object($0) })
        return .map(MapValue([("items", list), ("text", .string(text))]))
      }
    }
    let items = try arguments.runner.searching(store, in: source) { try store.items.find(query) }
    if first { return items.first.map { .object($0) } ?? .null }
    return .list(items.map { .object($0) })
  }

  /// A filter over items with the values that its variables have now.
  static func filter(_ expression: CompiledExpression, _ runner: Runner) -> Filter {
    let names = expression.program.variables
    var filter = Filter(expression.program, in: runner.run.workspace.context.environment) { name in
      names.firstIndex(of: name).map { runner.frame.slots[expression.slots[$0]] }
    }
    filter.mustStop = runner.mustStop
    return filter
  }
}
