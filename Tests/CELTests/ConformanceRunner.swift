@testable import CEL

/// Runs a case and says what went wrong.
enum ConformanceRunner {
  static func failure(of one: ConformanceCase) -> String? {
    var environment = Environment(allowsUndeclaredNames: true)
    environment.container = one.container
    environment.knowsBlocks = one.file == "block_ext"
    environment.expandsMacros = !one.disableMacros
    environment.add(RequiredMessage.type)
    for name in one.bindings.keys { environment.variables[name] = .dyn }
    let outcome: Value
    do {
      let program = try environment.compile(Expression.parse(one.expr))
      if one.checkOnly { return nil }
      outcome = try program.evaluate(one.bindings.mapValues(\.value))
    } catch {
      return one.error == nil ? "failed: \(error)" : nil
    }
    guard let wanted = one.value?.value else { return "gave \(outcome)" }
    return isSame(outcome, wanted) ? nil : "gave \(outcome), not \(wanted)"
  }

  /// Whether both are the same, type by type; NaN is the same as NaN.
  private static func isSame(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.double(let x), .double(let y)): x == y || x.isNaN && y.isNaN
    case (.list(let x), .list(let y)):
      x.count == y.count && zip(x, y).allSatisfy { isSame($0, $1) }
    case (.map(let x), .map(let y)):
      x.count == y.count
        && y.entries.allSatisfy { entry in x[entry.key].map { isSame($0, entry.value) } ?? false }
    default: a.typeName == b.typeName && a == b
    }
  }
}

/// The one message type that the cases use, by its name in their container.
final class RequiredMessage: ObjectValue {
  static let type = ObjectType(
    "cel.expr.conformance.proto2.TestRequired", fields: [("required_int32", .int)]
  ) { fields in RequiredMessage(fields) }

  private let fields: MapValue

  init(_ fields: MapValue) {
    self.fields = fields
  }

  var typeName: String { Self.type.name }
  var fieldNames: [String] { Self.type.fields.map(\.name) }
  func field(_ name: String) -> Value? { fields[name] }
  func hasField(_ name: String) -> Bool { fields[name] != nil }
  func isEqual(to other: any ObjectValue) -> Bool {
    (other as? RequiredMessage)?.fields == fields
  }
}
