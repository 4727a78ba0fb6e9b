import CEL
import Items

/// Translates those parts of a `where` to SQL that mean exactly the same there.
///
/// SQL's NULL represents an operation's failure on null: `AND`, `OR` and `NOT` then propagate it as
/// CEL does. Where null is a value (`==`, `!=`, `in`), `IS` is used.
struct FilterTranslator {
  let table: EntityTable
  let filter: Filter
  let context: StoreContext
  /// Variables of macros over constants, which are being unrolled.
  var bound: [String: Value] = [:]
  /// Variables of macros over a list of the item, with the SQL of an element.
  var elements: [String: FilterTerm] = [:]
  /// The remaining effort for the whole condition, shared by nested macros.
  private let effort = TranslationEffort()
  /// The maximum length of a list of constants that is written out.
  static let maximumList = 200

  init(_ filter: Filter, table: EntityTable, context: StoreContext) {
    self.filter = filter
    self.table = table
    self.context = context
  }

  /// Whether a getter with these arguments uses UTC.
  private func showsUTC(_ arguments: [Expression]) -> Bool {
    switch arguments.first?.kind {
    case nil: context.world.localIsUTC()
    case .literal(.string("UTC")): true
    default: false
    }
  }

  // MARK: Truth

  /// The SQL condition for an expression; nil when SQL cannot express it.
  func condition(_ expression: Expression) -> FilterTerm? {
    effort.charge(1) ? limited(translated(expression)) : nil
  }

  /// The term, unless it is too long to be nested in others.
  private func limited(_ term: FilterTerm?) -> FilterTerm? {
    guard let term, term.sql.text.utf8.count <= FilterPlan.maximumBytes,
      term.sql.nesting <= Self.maximumNesting
    else { return nil }
    return term
  }

  /// The maximum nesting of parentheses: SQLite's parser stack holds a hundred symbols; a
  /// parenthesis takes up to five of them, and one around a `CASE` eight.
  private static let maximumNesting = 14

  private func translated(_ expression: Expression) -> FilterTerm? {
    var value: FilterTerm?
    switch expression.kind {
    case .and(let operands): return joined(operands, isUniversal: true, condition)
    case .or(let operands): return joined(operands, isUniversal: false, condition)
    case .unary(.not, let operand):
      if let flag = flag(operand, is: false) { return flag }
      return condition(operand)?.negated
    case .conditional(let choice, let then, let otherwise):
      guard let choice = condition(choice), let then = condition(then),
        let otherwise = condition(otherwise)
      else { return nil }
      return FilterTerm(
        Self.choice(choice, then, otherwise), .bool,
        nulls: FilterTerm.failing(choice, then, otherwise))
    case .binary(let symbol, let left, let right):
      let found =
        symbol == .in ? containment(of: left, in: right) : comparison(symbol, left, right)
      // Only a comparison of names and constants may be a constant that SQL does not know.
      guard found == nil, Self.isPlain(left), Self.isPlain(right) else { return found }
    case .call(let name, let receiver, let arguments, isRooted: false):
      if let term = call(name, receiver, arguments) { return term }
      value = function(name, receiver, arguments)
    default: value = term(expression)
    }
    if case .bool(let holds)? = constant(expression) { return FilterTerm(holds ? "1" : "0", .bool) }
    if let flag = flag(expression, is: true) { return flag }
    guard let value, value.kind == .bool else { return nil }
    // Null is not a Boolean, so as a condition it is a failure.
    return FilterTerm(value.sql, .bool, nulls: FilterTerm.failing(value))
  }

  /// Whether an expression is a constant or a name.
  private static func isPlain(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .literal, .identifier: true
    case .select(let operand, _, _): isPlain(operand)
    default: false
    }
  }

  /// `self.name` or `!self.name` of a Boolean property, in a form that an index serves.
  private func flag(_ expression: Expression, is value: Bool) -> FilterTerm? {
    guard case .select = expression.kind, var term = term(expression), term.kind == .bool,
      term.column != nil
    else { return nil }
    // Null is not a Boolean, so as a condition it is a failure.
    term.nulls = FilterTerm.failing(term)
    return equality(term, .bool(value))
  }

  /// The conjunction or disjunction of translated parts; nil when SQL cannot express a part.
  func joined<Part>(
    _ parts: [Part], isUniversal: Bool, _ translate: (Part) -> FilterTerm?
  ) -> FilterTerm? {
    var terms: [FilterTerm] = []
    for part in parts {
      guard let term = translate(part) else { return nil }
      if let truth = term.truth {
        // It decides the result, even if others fail.
        if truth != isUniversal { return term }
        continue
      }
      terms.append(term)
    }
    guard let first = terms.first else { return FilterTerm(isUniversal ? "1" : "0", .bool) }
    if terms.count == 1 { return first }
    if !isUniversal, let choice = choice(of: terms) { return choice }
    var result = FilterTerm(
      "(\(SQL.joined(terms.map(\.sql), separator: isUniversal ? " AND " : " OR ")))", .bool,
      nulls: terms.contains(where: \.mayFail) ? .failure : .never)
    if isUniversal {
      result.required = terms.flatMap(\.required)
    } else if !terms.contains(where: \.anchors.isEmpty) {
      result.anchors = terms.flatMap(\.anchors)
    }
    return result
  }

  /// The SQL of one of two values, or NULL when the condition failed.
  static func choice(_ choice: FilterTerm, _ then: FilterTerm, _ otherwise: FilterTerm) -> SQL {
    "(CASE \(choice.sql) WHEN 1 THEN \(then.sql) WHEN 0 THEN \(otherwise.sql) END)"
  }

  // MARK: Values

  /// The SQL of a value of the item; nil when SQL cannot express it.
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

  /// The SQL of a value of the item or of a constant; nil when SQL cannot express it.
  func operand(_ expression: Expression) -> FilterTerm? {
    term(expression) ?? constant(expression).flatMap(literal)
  }

  /// The SQL of a constant; nil when it has none.
  private func literal(_ value: Value) -> FilterTerm? {
    switch value {
    case .int(let int): FilterTerm("\(.int(int))", .int)
    case .double(let number): number.isNaN ? nil : FilterTerm("\(.double(number))", .double)
    // SQLite's functions end a text at NUL.
    case .string(let text): text.utf8.contains(0) ? nil : FilterTerm("\(.text(text))", .string)
    case .bool(let bool): FilterTerm(bool ? "1" : "0", .bool)
    case .timestamp(let moment) where moment.nanoseconds % 1_000 == 0:
      FilterTerm("\(.int(moment.microseconds))", .timestamp)
    case .duration(let length) where length.nanoseconds % 1_000 == 0:
      FilterTerm("\(.int(length.microseconds))", .duration)
    default: nil
    }
  }

  /// A call with a result of any type.
  private func function(
    _ name: String, _ receiver: Expression?, _ arguments: [Expression]
  ) -> FilterTerm? {
    switch name {
    // Rejected by `call`; translating the receiver again would double the work at each level.
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

  /// The field of `self.?field`; nil for other expressions.
  func optionalField(_ expression: Expression) -> String? {
    guard case .select(let operand, let field, isOptional: true) = expression.kind, isItem(operand)
    else { return nil }
    return field
  }

  /// The term of a field.
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

  /// The property with a name.
  func property(_ name: String) -> PropertySchema? {
    table.layout.index(of: name).map { table.schema.properties[$0] }
  }

  /// The kind of a type's values; nil when its columns are not plain values.
  static func kind(of type: DataType) -> FilterTerm.Kind? {
    switch type {
    case .string, .url, .file, .enumeration: .string
    case .int: .int
    case .double: .double
    case .bool: .bool
    case .timestamp: .timestamp
    case .date: .date
    case .when: .when
    case .duration: .duration
    case .entity(let name): .reference(name)
    case .any, .list, .map, .share, .record: nil
    case .optional(let type): kind(of: type)
    case .refined(let type): kind(of: type.base)
    }
  }

  // MARK: Constants

  /// The value of an expression that does not depend on the item; nil when it does, or fails.
  func constant(_ expression: Expression) -> Value? {
    if case .literal(let value) = expression.kind { return value }
    let environment = filter.environment
    for name in environment.freeNames(of: expression) {
      if bound[name.name] != nil { continue }
      if name.name == "self" || elements[name.name] != nil { return nil }
    }
    // Random values differ for each item.
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
  /// The nesting depth of parentheses, with those of `CASE` counted twice; names and values contain
  /// none.
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

/// The step budget for translating one condition: constants are evaluated and macros over them
/// unrolled, which would grow without bound when nested.
final class TranslationEffort {
  /// The remaining steps.
  var steps = 1_000_000
  /// The cost of compiling a constant expression.
  static let ofProgram = 20

  /// Consumes steps; returns false when none are left and SQL must be given up.
  func charge(_ cost: Int) -> Bool {
    steps -= cost
    return steps > 0
  }
}

extension Expression {
  /// Whether a predicate is true for this node or a descendant.
  func contains(_ condition: (Expression) -> Bool) -> Bool {
    var found = condition(self)
    kind.forEachPart { found = found || $0.contains(condition) }
    return found
  }
}
