import CEL
import Store

/// What a run was asked with: values of parameters, and answers given ahead of time.
package struct RecordedCall {
  /// For each call, the values by the positions of their parameters; mostly there is one.
  package let calls: [[Int: GivenValue]]
  /// The answers by key, in their order.
  package let answers: [(key: String, value: String)]
  /// Whether confirmations that are not marked `danger` are accepted.
  package let acceptsConfirmations: Bool

  /// The folder in which it was asked for; nil where that is not known.
  package let folder: String?
  /// The file that defines what was asked for; nil where a folder of definitions does.
  package let origin: String?
  /// What all of its steps are held to, as `Permissions` keeps it; null for everything.
  let permissions: Value

  /// How the keys of lines begin that tell which answers were taken.
  static let answerKey = "answer?"

  init(
    _ calls: [[Int: GivenValue]], _ answers: Answers, folder: String?, origin: String?,
    permissions: Value
  ) {
    self.permissions = permissions
    self.calls = calls
    self.folder = folder
    self.origin = origin
    self.answers = answers.all
    acceptsConfirmations = answers.acceptsConfirmations
  }

  /// Reads what the store keeps of a call, without the answers that lines say were taken.
  ///
  /// - Throws: `store` when it is no such text.
  init(_ text: String, _ lines: [JournalLine], _ journal: RunJournal) throws {
    guard case .map(let map) = try journal.value(ofText: text) else {
      throw RunError(.store, "what the run was asked with can't be read")
    }
    var calls: [[Int: GivenValue]] = []
    if case .list(let values)? = map["calls"] { calls = values.map(Self.given) }
    self.calls = calls
    var answers: [(key: String, value: String)] = []
    if case .list(let pairs)? = map["answers"] {
      for case .list(let pair) in pairs where pair.count == 2 {
        if let key = pair[0].asText, let value = pair[1].asText { answers.append((key, value)) }
      }
    }
    for line in lines where line.key.hasPrefix(Self.answerKey) {
      let key = try journal.value(of: line).asText
      if let taken = answers.firstIndex(where: { $0.key == key }) { answers.remove(at: taken) }
    }
    self.answers = answers
    acceptsConfirmations = map["yes"] == true
    folder = map["folder"]?.asText
    origin = map["origin"]?.asText
    permissions = map["permissions"] ?? .null
  }

  /// The text that the store keeps.
  func text(_ journal: RunJournal) throws -> String {
    return try journal.text(
      of: .map(
        MapValue([
          ("calls", .list(calls.map(Self.value))),
          ("answers", .list(answers.map { .list([.string($0.key), .string($0.value)]) })),
          ("yes", .bool(acceptsConfirmations)),
          ("folder", folder.map(Value.string) ?? .null),
          ("origin", origin.map(Value.string) ?? .null), ("permissions", permissions),
        ])))
  }
}

extension RecordedCall {
  private static func value(_ given: [Int: GivenValue]) -> Value {
    .map(
      MapValue(
        given.sorted { $0.key < $1.key }.map { position, value -> (String, Value) in
          switch value {
          case .texts(let texts):
            (String(position), .list(["texts", .list(texts.map(Value.string))]))
          case .value(let value): (String(position), .list(["value", value]))
          }
        }))
  }

  private static func given(_ value: Value) -> [Int: GivenValue] {
    guard case .map(let entries) = value else { return [:] }
    var given: [Int: GivenValue] = [:]
    for case (.string(let key), .list(let parts)) in entries.entries {
      guard let position = Int(key), parts.count == 2 else { continue }
      if case .list(let texts) = parts[1], parts[0] == "texts" {
        given[position] = .texts(texts.compactMap(\.asText))
      } else {
        given[position] = .value(parts[1])
      }
    }
    return given
  }
}

extension Value {
  /// The text that it is; nil for another value.
  fileprivate var asText: String? { if case .string(let text) = self { text } else { nil } }
}
