/// Answers that were given ahead of time (language §8).
package final class Answers {
  private var answers: [String: [String]]
  /// Whether confirmations that are not marked `danger` are accepted.
  package let acceptsConfirmations: Bool

  /// Answers by key; a key that stands several times answers successive askings.
  package init(_ answers: [(key: String, value: String)] = [], acceptsConfirmations: Bool = false) {
    var byKey: [String: [String]] = [:]
    for (key, value) in answers { byKey[key, default: []].append(value) }
    self.answers = byKey
    self.acceptsConfirmations = acceptsConfirmations
  }

  /// Whether an answer is left under a key.
  func has(_ key: String) -> Bool { answers[key]?.isEmpty == false }

  /// Takes the next answer of the first key that has one.
  func take(_ keys: [String]) -> String? {
    for key in keys {
      if var values = answers[key], !values.isEmpty {
        let value = values.removeFirst()
        answers[key] = values
        return value
      }
    }
    return nil
  }

  /// The keys whose answers nobody asked for.
  package var unused: [String] { answers.filter { !$0.value.isEmpty }.map(\.key).sorted() }
}
