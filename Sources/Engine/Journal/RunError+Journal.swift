package import CEL

extension RunError {
  /// The error as a journal keeps it.
  var journalValue: Value {
    var fields: [(String, Value)] = [
      ("code", .string(code.name)), ("message", .string(message)), ("data", data),
    ]
    if !path.isEmpty { fields.append(("path", .list(path.map(Value.string)))) }
    if let status { fields.append(("status", .int(Int64(status)))) }
    if isDeliberate { fields.append(("deliberate", true)) }
    if !mayRepeat { fields.append(("once", true)) }
    if isUsage { fields.append(("usage", true)) }
    if let line { fields.append(("line", .int(line))) }
    if let cause { fields.append(("cause", cause.journalValue)) }
    return .map(MapValue(fields))
  }

  /// The error that a journal kept; nil for another value.
  package init?(journal value: Value) {
    guard case .map(let map) = value, case .string(let code)? = map["code"],
      case .string(let message)? = map["message"]
    else { return nil }
    self.init(Code(code), message)
    data = map["data"] ?? .null
    if case .list(let names)? = map["path"] {
      path = names.compactMap { name in
        if case .string(let text) = name { text } else { nil }
      }
    }
    if case .int(let number)? = map["status"] { status = Int32(clamping: number) }
    if case .int(let number)? = map["line"] { line = number }
    isDeliberate = map["deliberate"] != nil
    mayRepeat = map["once"] == nil
    isUsage = map["usage"] != nil
    cause = map["cause"].flatMap { RunError(journal: $0) }
  }
}
