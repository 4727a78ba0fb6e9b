package import CEL
package import Source

/// An error in the form that other programs read (language §8).
package struct ErrorJSON {
  /// The stable name of the kind of error.
  package let code: String
  /// What failed, with which value.
  package let message: String
  /// What to do about it.
  package let help: String?
  /// The names of the steps that led there, the outermost first.
  package let path: [String]
  /// Where the failing step or expression stands.
  package let span: Span?
  /// Each of the errors, when there are several.
  package let all: [ErrorJSON]
  /// How many others there are that were left out.
  package let more: Int
  /// The errors that led to it, the latest first.
  package let causes: [Cause]

  /// What of an error is told that led to another one.
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

  /// The members of the error, in their order.
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

  /// Errors of which each led to the one before it; nil for none.
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
