import CEL
import Store

/// The arguments and preset answers of a recorded run.
package struct RecordedCall {
  /// Values by parameter index, for each call; usually one call.
  package let calls: [[Int: GivenValue]]
  /// The answers by key, in order.
  package let answers: [(key: String, value: String)]
  /// Whether confirmations without `danger` are accepted.
  package let acceptsConfirmations: Bool

  /// The working folder of the request; nil when unknown.
  package let folder: String?
  /// The file that defines the action; nil for one from a folder of definitions.
  package let origin: String?
  /// The permissions that restrict all steps, as encoded by `CapabilitySet`; null for none.
  let permissions: Value

  /// Key prefix of journal lines that record used answers.
  static let answerKey = "answer?"

  init(
    _ calls: [[Int: GivenValue]], _ answers: PresetAnswers, folder: String?, origin: String?,
    permissions: Value
  ) {
    self.permissions = permissions
    self.calls = calls
    self.folder = folder
    self.origin = origin
    self.answers = answers.all
    acceptsConfirmations = answers.acceptsConfirmations
  }

  /// Decodes a stored call, without the answers that the journal records as used.
  ///
  /// - Throws: `store` when the text is malformed.
  init(_ text: String, _ lines: [JournalLine], _ journal: RunJournal) throws {
    guard let map = try journal.value(ofText: text).asMap else {
      throw RunError(.store, "the recorded arguments of the run cannot be read")
    }
    calls = (map["calls"]?.asList ?? []).map(Self.given)
    var answers: [(key: String, value: String)] = []
    for case .list(let pair) in map["answers"]?.asList ?? [] where pair.count == 2 {
      if let key = pair[0].asText, let value = pair[1].asText { answers.append((key, value)) }
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

  /// The encoded call.
  func text(_ journal: RunJournal) throws -> String {
    try journal.text(
      of: .record([
        ("calls", .list(calls.map(Self.value))),
        ("answers", .list(answers.map { .list([.string($0.key), .string($0.value)]) })),
        ("yes", .bool(acceptsConfirmations)), ("folder", .text(folder)),
        ("origin", .text(origin)), ("permissions", permissions),
      ]))
  }
}

extension RecordedCall {
  private static func value(_ given: [Int: GivenValue]) -> Value {
    .record(
      given.sorted { $0.key < $1.key }.map { position, value in
        switch value {
        case .texts(let texts):
          (String(position), .list(["texts", .list(texts.map(Value.string))]))
        case .value(let value): (String(position), .list(["value", value]))
        }
      })
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
