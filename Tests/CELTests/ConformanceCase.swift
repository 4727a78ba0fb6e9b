import FoundationEssentials
import Testing

@testable import CEL

/// One case of the conformance suite, in the form that its README describes.
struct ConformanceCase: Decodable, CustomTestStringConvertible, Sendable {
  let file: String
  let section: String
  let name: String
  let expr: String
  let container: String
  let disableCheck: Bool
  let disableMacros: Bool
  let checkOnly: Bool
  let bindings: [String: CaseValue]
  let value: CaseValue?
  let error: [String]?
  let deducedType: String?
  let typeEnv: [String]?

  enum CodingKeys: String, CodingKey {
    case file, section, name, expr, container, bindings, value, error
    case disableCheck = "disable_check"
    case disableMacros = "disable_macros"
    case checkOnly = "check_only"
    case deducedType = "deduced_type"
    case typeEnv = "type_env"
  }

  var testDescription: String { "\(file)/\(section)/\(name): \(expr)" }
}

/// A value as the suite writes it: its type, and its content as JSON.
struct CaseValue: Decodable, Sendable {
  let value: Value

  init(from decoder: any Decoder) throws {
    var parts = try decoder.unkeyedContainer()
    let type = try parts.decode(String.self)
    switch type {
    case "null": value = .null
    case "bool": value = .bool(try parts.decode(Bool.self))
    case "int64": value = .int(Int64(try parts.decode(String.self)) ?? 0)
    case "uint64": value = .uint(UInt64(try parts.decode(String.self)) ?? 0)
    case "double": value = .double(Double(try parts.decode(String.self)) ?? .nan)
    case "string": value = .string(try parts.decode(String.self))
    case "bytes": value = .bytes(Base64.decode(try parts.decode(String.self)) ?? [])
    case "type": value = .type(TypeName(try parts.decode(String.self)))
    case "list": value = .list(try parts.decode([CaseValue].self).map(\.value))
    case "map":
      value = .map(
        MapValue(entries: try parts.decode([[CaseValue]].self).map { ($0[0].value, $0[1].value) }))
    default:
      throw DecodingError.dataCorruptedError(in: parts, debugDescription: "unknown type \(type)")
    }
  }
}
