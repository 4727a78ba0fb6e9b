/// Answers that were given ahead of time (language §8).
package final class Answers {
  private var answers: [String: [String]]
  /// Those that were given, in their order.
  let all: [(key: String, value: String)]
  /// Hears which answer is taken.
  var isTaken: ((_ key: String) throws -> Void)?
  /// Whether confirmations that are not marked `danger` are accepted.
  package let acceptsConfirmations: Bool

  /// Answers by key; a key that stands several times answers successive askings.
  package init(_ answers: [(key: String, value: String)] = [], acceptsConfirmations: Bool = false) {
    all = answers
    var byKey: [String: [String]] = [:]
    for (key, value) in answers { byKey[key, default: []].append(value) }
    self.answers = byKey
    self.acceptsConfirmations = acceptsConfirmations
  }

  /// Whether an answer is left under a key.
  func has(_ key: String) -> Bool { answers[key]?.isEmpty == false }

  /// Takes the next answer of the first key that has one.
  func take(_ keys: [String]) throws -> String? {
    for key in keys {
      if var values = answers[key], !values.isEmpty {
        let value = values.removeFirst()
        answers[key] = values
        try isTaken?(key)
        return value
      }
    }
    return nil
  }

  /// The keys whose answers nobody asked for.
  package var unused: [String] { answers.filter { !$0.value.isEmpty }.map(\.key).sorted() }
}
