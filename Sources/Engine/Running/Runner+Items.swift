import CEL
import Catalog
import Source
import Store

/// The verbs that work on items of the store.
extension Runner {
  func find(_ arguments: VerbArguments) throws -> Value {
    guard let entity = arguments.name("entity") else { return .null }
    let first = try arguments.flag("first")
    var query = Query(entity)
    if case .string(let match)? = try arguments.value("match") { query.match = match }
    if case .sort(let keys) = arguments.argument("sort") { query.sort = keys }
    if case .int(let limit)? = try arguments.value("limit") {
      guard limit >= 0 else { throw RunError(.invalidValue, "`limit` can't be below 0") }
      query.limit = Int(limit)
    }
    if first { query.limit = 1 }
    var source: ExpressionSource?
    if case .filter(let filter, _) = arguments.argument("where") {
      query.filter = self.filter(filter)
      source = filter.source
    }
    try session.queryObserver?(query)
    let store = try session.store(for: entity)
    let items = try session.translating(in: source) { try store.find(query) }
    if first { return items.first.map { .object($0) } ?? .null }
    return .list(items.map { .object($0) })
  }

  /// A filter over items with the values that its variables have now.
  private func filter(_ expression: CompiledExpression) -> Filter {
    let names = expression.program.variables
    return Filter(expression.program, in: session.context.environment) { name in
      names.firstIndex(of: name).map { frame.slots[expression.slots[$0]] }
    }
  }

  func get(_ arguments: VerbArguments) throws -> Value {
    let value = try arguments.value("ref") ?? .null
    guard let entity = arguments.name("entity") else {
      if case .object = value { return value }
      return .object(try ItemResolver(session).item(reference: renderer.text(of: value)))
    }
    // A number alone is the reference of an item of the entity.
    if case .int(let id) = value {
      return .object(try ItemResolver(session).item(String(id), of: entity, named: "ref"))
    }
    return try Converter(session).convert(value, to: .entity(entity), named: "ref")
  }

  func create(_ arguments: VerbArguments) throws -> Value {
    guard let entity = arguments.name("entity") else { return .null }
    let definition = try session.entity(entity).definition
    let values = try arguments.fields("set", of: definition)
    let policy = arguments.name("onConflict").flatMap(ConflictPolicy.init) ?? .fail
    let store = try session.store(for: entity)
    return .object(
      try session.translating { try store.create(Draft(entity, values), onConflict: policy) })
  }

  func update(_ arguments: VerbArguments) throws -> Value {
    let item = try arguments.item("item")
    let definition = try session.entity(item.entity).definition
    let reference = try saved(item)
    let set = try arguments.fields("set", of: definition)
    let add = try arguments.fields("add", of: definition)
    let remove = try arguments.fields("remove", of: definition)
    let store = try session.store(for: item.entity)
    return .object(
      try session.translating {
        try store.update(reference, set: set, add: add, remove: remove)
      })
  }

  func delete(_ arguments: VerbArguments, _ step: CompiledStep) throws {
    let item = try arguments.item("item")
    let reference = try saved(item)
    if try arguments.value("confirm") != .bool(false) {
      let prompt = "Delete \(renderer.title(of: item)) (\(reference))?"
      let keys = [step.bindingName, step.label].compactMap { $0 }
      guard try Asker(session).confirm(prompt, keys: keys, danger: false) else {
        throw RunError(.declined, "“\(prompt)” was answered with no")
      }
    }
    let store = try session.store(for: item.entity)
    try session.translating { try store.delete(reference) }
  }

  func recordUse(_ arguments: VerbArguments) throws {
    let item = try arguments.item("item")
    let use: Use =
      switch arguments.name("how") {
      case "share": .share
      case "save": .save
      default: .open
      }
    let reference = try saved(item)
    let store = try session.store(for: item.entity)
    // A library that can only be read counts no use; that is no reason to fail.
    if store.isReadOnly { return }
    try session.translating { try store.recordUse(of: reference, as: use) }
  }

  /// The value that a property is set to; one value stands for a list where one is added.
  func property(
    _ property: EntityDefinition.Property, _ field: CompiledArgument.Field
  ) throws -> Value {
    var value = try value(of: field.value)
    // Null is what an unset optional parameter gives: the default stands, or what is stored.
    if case .null = value { return .null }
    if case .list = property.type.unwrapped, field.type == nil {
      if case .list = value {} else { value = .list([value]) }
    }
    do {
      return try Converter(session).convert(value, to: property.type, named: field.name)
    } catch var error as RunError {
      if error.span == nil { error.span = field.span }
      throw error
    }
  }

  private func saved(_ item: Item) throws -> ItemReference {
    guard item.isSaved, let reference = item.reference else {
      throw RunError(
        .invalidValue, "\(renderer.title(of: item)) is not saved", help: "save it first")
    }
    return reference
  }
}
