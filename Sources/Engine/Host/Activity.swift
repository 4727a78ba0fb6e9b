package import CEL

/// Something that goes on for a while, as other programs may show it.
package struct Activity: Sendable, Equatable {
  /// How far it has come.
  package enum State: String, CaseIterable, Sendable {
    case active, done, failed, cancelled
  }

  /// What it is.
  package enum Kind: String, CaseIterable, Sendable {
    /// One that a step tells of, whatever process that runs in.
    case step
    case run, job, `import`, download
  }

  /// What tells it from others of the person.
  package let key: String
  package let kind: Kind
  package var title: String
  package var state = State.active
  /// What is done, in whatever it counts; nil where that is not known.
  package var done: Double?
  /// How much there is to do; nil where that is not known.
  package var total: Double?
  /// What is being done just now, or why it failed.
  package var detail: String?

  /// An activity that goes on.
  package init(_ kind: Kind, key: String, title: String) {
    self.kind = kind
    self.key = key
    self.title = title
  }

  /// Which part is done, from 0 to 1; nil where that is not known.
  package var fraction: Double? {
    guard let done, let total, total > 0 else { return nil }
    return min(max(done / total, 0), 1)
  }

  /// The activity with what it leaves out as it was before.
  package func filled(from earlier: Activity) -> Activity {
    var filled = self
    if filled.title.isEmpty { filled.title = earlier.title }
    if filled.done == nil { (filled.done, filled.total) = (earlier.done, earlier.total) }
    if filled.detail == nil { filled.detail = earlier.detail }
    return filled
  }

  /// It as a value for programs.
  package var fields: [(String, Value)] {
    [
      ("key", .string(key)), ("kind", .string(kind.rawValue)), ("title", .string(title)),
      ("state", .string(state.rawValue)), ("done", Self.number(done)),
      ("total", Self.number(total)), ("detail", detail.map(Value.string) ?? .null),
    ]
  }

  private static func number(_ number: Double?) -> Value {
    guard let number else { return .null }
    return Int64(exactly: number).map(Value.int) ?? .double(number)
  }
}
