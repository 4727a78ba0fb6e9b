package import CEL
package import Source

extension Diagnostic {
  /// The finding for another program.
  package var value: Value {
    var members: [(String, Value)] = [
      ("id", .string(id)), ("severity", .string(severity.rawValue)),
      ("message", .string(message)), ("help", help.map(Value.string) ?? .null),
    ]
    if let span {
      let end = span.file.position(of: span.range.upperBound)
      members += [
        ("file", .string(span.file.name)), ("line", .int(Int64(span.position.line))),
        ("column", .int(Int64(span.position.column))), ("endLine", .int(Int64(end.line))),
        ("endColumn", .int(Int64(end.column))),
      ]
    }
    return .map(MapValue(members))
  }
}
