package import CEL
package import Source

/// An error as JSON for other programs (language §8).
package struct ErrorJSON {
  /// The stable code of the error.
  package let code: String
  /// The message: the failure and its value.
  package let message: String
  /// The suggested fix.
  package let help: String?
  /// The names of the enclosing steps, outermost first.
  package let path: [String]
  /// The place of the failing step or expression.
  package let span: Span?
  /// The individual errors, if there are several.
  package let all: [ErrorJSON]
  /// The number of further errors omitted.
  package let more: Int
  /// The chain of causes, latest first.
  package let causes: [Cause]

  /// The parts of a cause that are included.
  package typealias Cause = (code: String, message: String, path: [String])

  package init(
    code: String, message: String, help: String?, path: [String], span: Span?, all: [ErrorJSON],
    more: Int = 0, causes: [Cause] = []
  ) {
    self.code = code
    self.message = message
    self.help = help
    self.path = path
    self.span = span
    self.all = all
    self.more = more
    self.causes = causes
  }

  /// The error as a JSON object.
  package var value: Value {
    var fields: [(String, Value)] = [
      ("code", .string(code)), ("message", .string(message)),
      ("help", help.map(Value.string) ?? .null), ("path", .list(path.map(Value.string))),
    ]
    if let span {
      fields += [
        ("file", .string(span.file.name)), ("line", .int(Int64(span.position.line))),
        ("column", .int(Int64(span.position.column))),
      ]
    }
    if !all.isEmpty { fields.append(("all", .list(all.map(\.value)))) }
    if more > 0 { fields.append(("more", .int(Int64(more)))) }
    if let cause = Self.value(of: causes[...]) { fields.append(("cause", cause)) }
    return .map(MapValue(fields))
  }

  /// Returns nested objects for a chain of causes; nil if it is empty.
  package static func value(of causes: ArraySlice<Cause>) -> Value? {
    causes.reversed().reduce(nil) { earlier, cause in
      let fields: [(String, Value)] = [
        ("code", .string(cause.code)), ("message", .string(cause.message)),
        ("path", .list(cause.path.map(Value.string))),
      ]
      return .map(MapValue(fields + (earlier.map { [("cause", $0)] } ?? [])))
    }
  }
}
