import CEL
import Items

/// Turns the parts of a `where` that mean exactly the same in SQL into SQL.
///
/// SQL's NULL stands for the failure that an operation meets with null: `AND`, `OR` and `NOT` then
/// absorb and pass it on as CEL does. Where null is a value (`==`, `!=`, `in`), `IS` is used.
struct FilterTranslator {
  let table: EntityTable
  let filter: Filter
  let dateText: (Timestamp) -> String
  let midnight: (String) -> Timestamp?
  let localIsUTC: () -> Bool
  /// Variables of macros over constants that are being unrolled.
  var bound: [String: Value] = [:]
  /// Variables of macros over a list of the item, with the SQL of an element.
  var elements: [String: FilterTerm] = [:]
  /// What the translation of the whole condition may still cost; macros in macros share it.
  private let effort = TranslationEffort()
  /// The longest list of constants that is written out, each by itself.
  static let maximumList = 200

  init(_ filter: Filter, table: EntityTable, context: StoreContext) {
    self.filter = filter
    self.table = table
    dateText = context.dateText
    midnight = context.midnight
    localIsUTC = context.localIsUTC
  }

  /// Whether a getter with these arguments gives parts of a moment in UTC.
  private func showsUTC(_ arguments: [Expression]) -> Bool {
    switch arguments.first?.kind {
    case nil: localIsUTC()
    case .literal(.string("UTC")): true
    default: false
    }
  }

  // MARK: Truth

  /// The condition that holds where the expression does; nil when SQL cannot say it.
  func condition(_ expression: Expression) -> FilterTerm? {
    effort.charge(1) ? limited(translated(expression)) : nil
  }

  /// A term that is short enough for others to have it in them, some of them more than once.
  private func limited(_ term: FilterTerm?) -> FilterTerm? {
    guard let term, term.sql.text.utf8.count <= FilterPlan.maximumBytes,
      term.sql.nesting <= Self.maximumNesting
    else { return nil }
    return term
  }

  /// How deep brackets may nest: SQLite's parser has room for a hundred open symbols, and each
  /// bracket stands with up to five, that of a `CASE` with eight.
  private static let maximumNesting = 14

  private func translated(_ expression: Expression) -> FilterTerm? {
    var value: FilterTerm?
    switch expression.kind {
    case .and(let operands): return joined(operands, by: " AND ")
    case .or(let operands): return joined(operands, by: " OR ")
    case .unary(.not, let operand):
      if let flag = flag(operand, is: false) { return flag }
      return condition(operand)?.negated
    case .conditional(let choice, let then, let otherwise):
      guard let choice = condition(choice), let then = condition(then),
        let otherwise = condition(otherwise)
      else { return nil }
      return FilterTerm(
        """
        (CASE \(choice.sql) WHEN 1 THEN \(then.sql) WHEN 0 THEN \(otherwise.sql) END)
        """, .bool, nulls: FilterTerm.failing(choice, then, otherwise))
    case .binary(let symbol, let left, let right):
      return symbol == .in
        ? containment(of: left, in: right) : comparison(symbol, left, right)
    case .call(let name, let receiver, let arguments, isRooted: false):
      if let term = call(name, receiver, arguments) { return term }
      value = function(name, receiver, arguments)
    default: value = term(expression)
    }
    if case .bool(let holds)? = constant(expression) {
      return FilterTerm(holds ? "1" : "0", .bool)
    }
    if let flag = flag(expression, is: true) { return flag }
    guard let value, value.kind == .bool else { return nil }
    // Null is no truth value, so as a condition it is a failure.
    return FilterTerm(value.sql, .bool, nulls: FilterTerm.failing(value))
  }

  /// `self.name` or `!self.name` of a property that is true or false, as an index finds it.
  private func flag(_ expression: Expression, is value: Bool) -> FilterTerm? {
    guard case .select = expression.kind, var term = term(expression), term.kind == .bool,
      term.column != nil
    else { return nil }
    // Null is no truth value, so as a condition it is a failure.
    term.nulls = FilterTerm.failing(term)
    return equality(term, .bool(value))
  }

  private func joined(_ operands: [Expression], by word: String) -> FilterTerm? {
    var terms: [FilterTerm] = []
    // What decides, whatever the other operands are or fail of.
    let decisive = word == " OR "
    for operand in operands {
      guard let term = condition(operand) else { return nil }
      if let truth = term.truth {
        if truth == decisive { return term }
      } else {
        terms.append(term)
      }
    }
    guard let first = terms.first else { return FilterTerm(decisive ? "0" : "1", .bool) }
    if terms.count == 1 { return first }
    if word == " OR ", let choice = choice(of: terms) { return choice }
    var result = FilterTerm(
      "(\(SQL.joined(terms.map(\.sql), separator: word)))", .bool,
      nulls: terms.contains(where: \.mayFail) ? .failure : .never)
    if word == " OR ", !terms.contains(where: \.anchors.isEmpty) {
      result.anchors = terms.flatMap(\.anchors)
    }
    return result
  }

  // MARK: Values

  /// The SQL of a value of the item; nil when SQL cannot say it.
  func term(_ expression: Expression) -> FilterTerm? { limited(found(expression)) }

  private func found(_ expression: Expression) -> FilterTerm? {
    switch expression.kind {
    case .identifier(let name, isRooted: false): return elements[name]
    case .select(let operand, let field, isOptional: false):
      return isItem(operand) ? column(field) : nil
    case .call(let name, let receiver, let arguments, isRooted: false):
      return call(name, receiver, arguments) ?? function(name, receiver, arguments)
    case .unary(.not, _), .and, .or: return condition(expression)
    case .binary(let symbol, _, _) where symbol.givesTruth: return condition(expression)
    case .conditional(let choice, let then, let otherwise):
      return conditional(choice, then, otherwise)
    default: return nil
    }
  }

  /// The SQL of a value of the item or a constant; nil when SQL cannot say it.
  func operand(_ expression: Expression) -> FilterTerm? {
    term(expression) ?? constant(expression).flatMap(literal)
  }

  /// The SQL of a constant; nil when it has none.
  private func literal(_ value: Value) -> FilterTerm? {
    switch value {
    case .int(let int): FilterTerm("\(.int(int))", .int)
    case .double(let number): number.isNaN ? nil : FilterTerm("\(.double(number))", .double)
    // SQLite's functions end a text at a NUL.
    case .string(let text): text.utf8.contains(0) ? nil : FilterTerm("\(.text(text))", .string)
    case .bool(let bool): FilterTerm(bool ? "1" : "0", .bool)
    case .timestamp(let moment) where moment.nanoseconds % 1_000 == 0:
      FilterTerm("\(.int(moment.microseconds))", .timestamp)
    case .duration(let length) where length.nanoseconds % 1_000 == 0:
      FilterTerm("\(.int(length.microseconds))", .duration)
    default: nil
    }
  }

  /// A call that gives a value of any type.
  private func function(
    _ name: String, _ receiver: Expression?, _ arguments: [Expression]
  ) -> FilterTerm? {
    switch name {
    // A test that `call` gave up; to look into its receiver again would double with every level.
    case "contains", "startsWith", "endsWith", "all", "exists", "has", "hasValue": return nil
    case "size": return size(receiver, arguments)
    case "coalesce": return receiver == nil ? coalesced(arguments) : nil
    case "int", "double", "string":
      guard receiver == nil, arguments.count == 1 else { return nil }
      return conversion(to: name, of: arguments[0])
    case "orValue":
      guard let receiver, arguments.count == 1, let field = optionalField(receiver) else {
        return nil
      }
      return column(field).flatMap { column in operand(arguments[0]).flatMap { first(column, $0) } }
    default:
      guard let receiver, let operand = term(receiver) else { return nil }
      switch operand.kind {
      case .string: return textFunction(name, operand, arguments)
      case .duration: return arguments.isEmpty ? timePart(name, operand) : nil
      case .timestamp: return showsUTC(arguments) ? timePart(name, operand) : nil
      default: return nil
      }
    }
  }

  /// Whether an expression is the item itself.
  func isItem(_ expression: Expression) -> Bool {
    if case .identifier("self", _) = expression.kind {
      return bound["self"] == nil && elements["self"] == nil
    }
    return false
  }

  /// The field of `self.?field`; nil when an expression is something else.
  func optionalField(_ expression: Expression) -> String? {
    guard case .select(let operand, let field, isOptional: true) = expression.kind,
      isItem(operand)
    else { return nil }
    return field
  }

  /// The value of a field.
  func column(_ field: String) -> FilterTerm? {
    var term: FilterTerm
    switch field {
    case "id": term = FilterTerm("t.id", .int)
    case "createdAt", "updatedAt":
      term = FilterTerm("t.\(name: field)", .timestamp)
      term.isDate = field == "createdAt"
    case "isSaved": return FilterTerm("1", .bool)
    default:
      guard let property = property(field), let kind = Self.kind(of: property.type),
        !table.mistypedColumns.contains(field), !property.isBody
      else { return nil }
      term = FilterTerm("t.\(name: field)", kind, nulls: property.isOptional ? .value : .never)
    }
    term.column = field
    return term
  }

  /// The property of a name.
  func property(_ name: String) -> PropertySchema? {
    table.layout.index(of: name).map { table.schema.properties[$0] }
  }

  /// What the values of a type are; nil when its columns are no plain values.
  static func kind(of type: DataType) -> FilterTerm.Kind? {
    switch type {
    case .string, .url, .file, .enumeration: .string
    case .int: .int
    case .double: .double
    case .bool: .bool
    case .timestamp: .timestamp
    case .date: .date
    case .duration: .duration
    case .entity(let name): .reference(name)
    case .any, .list, .map, .share, .record: nil
    case .optional(let type): kind(of: type)
    case .refined(let type): kind(of: type.base)
    }
  }

  // MARK: Constants

  /// The value of an expression that does not look at the item; nil when it does, or fails.
  func constant(_ expression: Expression) -> Value? {
    if case .literal(let value) = expression.kind { return value }
    let environment = filter.environment
    for name in environment.freeNames(of: expression) {
      if bound[name.name] != nil { continue }
      if name.name == "self" || elements[name.name] != nil { return nil }
    }
    // Chance must be taken for each item.
    if Self.calls("uuid", in: expression) { return nil }
    guard effort.charge(TranslationEffort.ofProgram),
      let program = try? environment.compile(expression)
    else { return nil }
    return try? program.evaluate(left: &effort.steps) { index in
      let name = program.variables[index]
      return bound[name] ?? filter.value(of: name)
    }
  }

  private static func calls(_ function: String, in expression: Expression) -> Bool {
    expression.contains { part in
      if case .call(function, _, _, _) = part.kind { true } else { false }
    }
  }
}

extension SQL {
  /// How deep its brackets nest, those of a `CASE` counting twice; no name and no value has any.
  fileprivate var nesting: Int {
    var weights: [Int] = []
    var depth = 0
    var deepest = 0
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "(") {
        weights.append(rest.starts(with: "CASE".utf8) ? 2 : 1)
        depth += weights.last ?? 0
        deepest = max(deepest, depth)
      } else if byte == UInt8(ascii: ")") {
        depth -= weights.popLast() ?? 0
      }
    }
    return deepest
  }
}

/// The steps that the translation of one condition may take: constants are evaluated and macros over
/// them written out, which would grow without end where they nest.
final class TranslationEffort {
  /// The steps that are left.
  var steps = 1_000_000
  /// What it costs to make a constant expression ready.
  static let ofProgram = 20

  /// Pays for so many steps; false when they are not left, and SQL is to be given up.
  func charge(_ cost: Int) -> Bool {
    steps -= cost
    return steps > 0
  }
}

extension Expression {
  /// Whether a condition holds for this node or one below it.
  func contains(_ condition: (Expression) -> Bool) -> Bool {
    condition(self) || parts.contains { $0.contains(condition) }
  }

  /// The nodes directly below, in the order of the text.
  private var parts: [Expression] {
    switch kind {
    case .literal, .identifier: []
    case .select(let operand, _, _), .unary(_, let operand): [operand]
    case .index(let a, let b, _), .binary(_, let a, let b): [a, b]
    case .call(_, let receiver, let arguments, _):
      (receiver.map { [$0] } ?? []) + arguments
    case .and(let operands), .or(let operands): operands
    case .conditional(let a, let b, let c): [a, b, c]
    case .list(let elements): elements.map(\.value)
    case .map(let entries): entries.flatMap { [$0.key, $0.value] }
    case .object(_, let fields, _): fields.map(\.value)
    }
  }
}
