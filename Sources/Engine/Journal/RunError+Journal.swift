package import CEL

extension RunError {
  /// The encoded error.
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
    return .record(fields)
  }

  /// Decodes an error; nil for other values.
  package init?(journal value: Value) {
    guard let map = value.asMap else { return nil }
    self.init(value)
    path = (map["path"]?.asList ?? []).compactMap(\.asText)
    status = (map["status"]?.asInt).map { Int32(clamping: $0) }
    line = map["line"]?.asInt
    isDeliberate = map["deliberate"] != nil
    mayRepeat = map["once"] == nil
    isUsage = map["usage"] != nil
    cause = map["cause"].flatMap { RunError(journal: $0) }
  }
}
