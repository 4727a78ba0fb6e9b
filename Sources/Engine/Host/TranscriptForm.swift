import CEL
package import Items
import Program
import Store

/// The form of entries for other programs (`docs/events.md`): text is plain, and its kind states
/// its purpose.
enum TranscriptForm {
  /// The maximum number of characters of a text, of rows of a table, and of cards.
  private static let (textLimit, rowLimit, cardLimit) = (32_000, 1_000, 200)

  /// A text, cut if it is very long.
  static func cut(_ text: String) -> String {
    text.utf8.count <= textLimit ? text : text.prefix(textLimit) + "…"
  }

  // MARK: Contents

  /// A presentation; omitted cards, rows or texts are counted.
  static func fields(of presentation: Presentation, isSaid: Bool = false) -> [(String, Value)] {
    if isSaid || presentation.value.isNull, case .text("") = presentation.layout {
      return [("as", .null)]
    }
    switch presentation.layout {
    case .text(let text):
      return isSaid
        ? [("as", .null)]
        : [
          ("as", .string(presentation.isMarkdown ? "markdown" : "text")),
          ("text", .string(cut(text))),
        ]
    case .cards(let cards):
      let shown = cards.prefix(cardLimit).map { card in
        Value.record([
          ("title", .string(cut(card.title))), ("subtitle", .text(card.details?.text)),
          ("ref", .text(card.reference)),
        ])
      }
      return [("as", "card"), ("cards", .list(Array(shown))), ("count", .int(Int64(cards.count)))]
    case .table(let columns, let rows):
      let shown = rows.prefix(rowLimit).map { Value.list($0.map { .string(cut($0)) }) }
      return [
        ("as", "table"), ("columns", .list(columns.map(Value.string))), ("rows", .list(shown)),
        ("count", .int(Int64(rows.count))),
      ]
    case .fields(let fields):
      return [
        ("as", "fields"), ("fields", .record(fields.map { ($0.name, .string(cut($0.text))) })),
      ]
    }
  }

  static func fields(of progress: Progress) -> [(String, Value)] {
    [
      ("label", .text(progress.label)), ("done", .number(progress.done)),
      ("total", .number(progress.total)), ("unit", .string(progress.unit.rawValue)),
    ]
  }

  static func fields(of question: Question) -> [(String, Value)] {
    var fields: [(String, Value)] = [
      ("key", .string(question.key)), ("prompt", .string(cut(question.prompt))),
    ]
    switch question.kind {
    case .text(let type):
      fields += [
        ("form", "ask"), ("type", .string(type.description)),
        ("control", .string(Control(type).rawValue)),
        ("values", .list(type.words.map(Value.string))),
        ("entity", .text(type.entityName)), ("isOptional", .bool(type.isOptional)),
        ("limits", limits(question.constraints)), ("default", .text(question.defaultText)),
        ("suggestions", .list(question.suggestions.prefix(cardLimit).map(Value.string))),
      ]
    case .choice(let choices, let many):
      let listed = choices.prefix(rowLimit).enumerated().map { index, choice in
        Value.record([
          ("number", .int(Int64(index) + 1)), ("title", .string(cut(choice.title))),
          ("subtitle", .text(choice.subtitle)), ("ref", .text(choice.reference)),
        ])
      }
      fields += [
        ("form", "choose"), ("control", .string((many ? Control.manyOf : .oneOf).rawValue)),
        ("many", .bool(many)), ("choices", .list(listed)),
      ]
    case .confirmation(let danger):
      fields += [
        ("form", "confirm"), ("control", .string(Control.toggle.rawValue)),
        ("danger", .bool(danger)),
      ]
    }
    return fields + [("problem", .text(question.problem))]
  }

  private static func limits(_ constraints: ValueConstraints) -> Value {
    .record(
      [
        ("min", constraints.min.map { .number($0) }), ("max", constraints.max.map { .number($0) }),
        ("minLength", constraints.minLength.map { .int(Int64($0)) }),
        ("maxLength", constraints.maxLength.map { .int(Int64($0)) }),
        ("pattern", constraints.pattern.map { .string($0.text) }),
      ].compactMap { name, value in value.map { (name, $0) } })
  }

  /// The answer as the person gave it.
  static func value(of reply: Reply, to question: Question) -> Value {
    switch (reply, question.kind) {
    case (.text(let text), _):
      .string(cut(text.isEmpty ? question.defaultText ?? "" : text))
    case (.chosen(let positions), .choice(let choices, let many)):
      many
        ? .list(positions.filter(choices.indices.contains).map { .string(choices[$0].title) })
        : .text(positions.first.flatMap { choices.indices.contains($0) ? choices[$0].title : nil })
    case (.confirmed(let isYes), _): .bool(isYes)
    case (.chosen, _): .null
    }
  }

  static func fields(of error: RunError) -> [(String, Value)] {
    [
      ("code", .string(error.code.name)),
      ("message", .string(cut(error.farewell ?? error.message))),
      ("help", .text(error.advice)), ("path", .list(error.path.suffix(20).map(Value.string))),
      ("remedies", .list((error.remedy.map(remedies) ?? []) + retry(error))),
    ]
  }

  /// Remedies of a failure, for programs.
  private static func remedies(_ remedy: Remedy) -> [Value] {
    func todo(_ what: String, _ fields: (String, Value)...) -> [Value] {
      [.record([("do", .string(what))] + fields)]
    }
    switch remedy {
    case .advice(let text):
      if let name = text.split(separator: " ").last, text.hasPrefix("errand secret set ") {
        return todo("secret", ("name", .string(String(name))))
      }
      guard let answer = didYouMean(text) else { return [] }
      return todo("answer", ("value", .string(answer)))
    case .answer(let key), .callParameter(let key): return todo("answer", ("key", .string(key)))
    case .agree: return todo("confirm")
    case .parameter(let name, _, _): return todo("answer", ("key", .string(name)))
    case .choose(let references):
      return references.prefix(20).flatMap { line in
        todo("answer", ("value", .string(String(line.prefix { $0 != " " }))))
      }
    case .list(let entity, _): return todo("open", ("entity", .string(entity)))
    case .save(let url): return todo("save", ("url", .string(url)))
    case .allow(let grants), .allowEnqueuer(let grants):
      return todo("allow", ("capabilities", .list(grants.map(Value.string))))
    case .cancelRun(let run): return todo("cancel", ("run", .int(run)))
    case .startAnew: return todo("retry", ("fromStart", true))
    case .store: return todo("command", ("text", "errand doctor"))
    case .installNetwork: return todo("install", ("program", "errand-net"))
    case .nameHandler, .discardShare, .raiseSteps: return []
    }
  }

  /// The value that an advice proposes; nil if it proposes none.
  private static func didYouMean(_ advice: String) -> String? {
    guard advice.hasPrefix("did you mean "), advice.hasSuffix("?") else { return nil }
    var text = advice.dropFirst("did you mean ".count).dropLast()
    for (open, close) in [("`", "`"), ("“", "”")]
    where text.hasPrefix(open) && text.hasSuffix(close) {
      text = text.dropFirst().dropLast()
    }
    return text.contains(" ") ? nil : String(text)
  }

  private static func retry(_ error: RunError) -> [Value] {
    switch error.code {
    case .network, .timeout, .http, .busy, .exec, .io: [.record([("do", "retry")])]
    default: []
    }
  }

  // MARK: Values

  /// A value for the record: an item is its reference and title.
  static func value(_ value: Value, depth: Int = 0) -> Value {
    if depth > 16 { return .string("…") }
    if let item = value.item {
      return .record([
        ("entity", .string(item.entity)), ("ref", .text(item.reference?.description)),
      ])
    }
    switch value {
    case .string(let text): return .string(cut(text))
    case .list(let values):
      return .list(values.prefix(rowLimit).map { self.value($0, depth: depth + 1) })
    case .map(let map):
      return .record(
        map.entries.prefix(rowLimit).map { ($0.key.text, self.value($0.value, depth: depth + 1)) })
    case .object(let object): return .string(object.typeName)
    case .bytes(let bytes): return .string("\(bytes.count) bytes")
    default: return value
    }
  }

  /// An estimate of the size of a value as JSON, in bytes.
  static func size(of value: Value) -> Int {
    switch value {
    case .string(let text): text.utf8.count + 3
    case .list(let values): values.reduce(2) { $0 + size(of: $1) }
    case .map(let map): map.entries.reduce(2) { $0 + size(of: $1.key) + size(of: $1.value) + 2 }
    default: 24
    }
  }
}

/// The control with which a value is entered, by its type.
package enum Control: String, CaseIterable, Sendable {
  case line, lines, number, date, moment, when, duration
  case toggle = "switch"
  case oneOf = "one-of"
  case manyOf = "many-of"
  case item, items, file, secret

  /// The control of a type.
  package init(_ type: DataType) {
    switch type.unwrapped {
    case .int, .double: self = .number
    case .bool: self = .toggle
    case .date: self = .date
    case .timestamp: self = .moment
    case .when: self = .when
    case .duration: self = .duration
    case .enumeration: self = .oneOf
    case .file, .share: self = .file
    case .entity: self = .item
    case .list(let element):
      switch element.unwrapped {
      case .enumeration: self = .manyOf
      case .entity: self = .items
      default: self = .line
      }
    case .map, .record, .any: self = .line
    case .string, .url, .refined, .optional: self = .line
    }
  }
}
