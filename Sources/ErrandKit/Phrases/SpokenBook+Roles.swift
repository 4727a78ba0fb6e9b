import CEL
import Phrases
import Program

/// Parameters that are said beside a text, as in `oil the hinges tagged shed` and `buy milk #shopping`.
extension SpokenBook {
  /// The most parameters that are taken out of a text, and the most words of one.
  private static let mostRoles = 3
  private static let longestRole = 10

  /// Takes parameters out of the texts beside which they are said.
  func settleRoles(in values: inout [Understanding.Argument], of action: String) {
    let own = parametersOfActions[action] ?? []
    for index in values.indices where values[index].kind == PhraseTable.Kind.words.rawValue {
      values[index].text = withoutRole(values[index].text, before: values)
    }
    func free() -> [PhraseTable.Parameter] {
      own.filter { parameter in
        !values.contains { $0.name == parameter.name }
          && (table.roles.contains { $0.name == parameter.name } || parameter.kind == .list)
      }
    }
    for index in values.indices
    where values[index].kind == PhraseTable.Kind.words.rawValue && !values[index].words.isEmpty
      && PhraseText.trimmed(values[index].words).hasPrefix(values[index].text)
    {
      for _ in 0..<Self.mostRoles {
        let free = free()
        guard !free.isEmpty, let (rest, taken) = role(in: values[index].text, of: action, free)
        else { break }
        values[index].text = rest
        values[index].words = rest
        values += taken
      }
    }
  }

  /// A text without the word for a parameter that was taken from behind it, as in `wheels, due` before a day.
  private func withoutRole(_ text: String, before values: [Understanding.Argument]) -> String {
    let words = text.split(separator: " ")
    guard words.count > 1, let last = words.last.map({ PhraseText.bare($0.lowercased()) }),
      !vocabulary.small.contains(last)
    else { return text }
    let isRole = table.roles.contains { role in
      values.contains { $0.name == role.name && !$0.words.isEmpty }
        && PhraseTemplate.words(in: role.template, rule: { _ in nil }).contains(last)
    }
    return isRole ? PhraseText.trimmed(words.dropLast().joined(separator: " ")) : text
  }

  /// The words of a sentence before its first comma or after its last one, and those at its end that say a
  /// parameter, each with the rest.
  func clauses(of sentence: String) -> [(clause: String, rest: String)] {
    var clauses: [(clause: String, rest: String)] = []
    func part(_ text: Substring) -> String { PhraseText.trimmed(String(text)) }
    let marks = sentence.indices.filter { ",、".contains(sentence[$0]) }
    if let first = marks.first, let last = marks.last {
      clauses.append((part(sentence[..<first]), part(sentence[first...].dropFirst())))
      clauses.append((part(sentence[last...].dropFirst()), part(sentence[..<last])))
    }
    let words = sentence.split(separator: " ").map(String.init)
    guard words.count > 2 else { return clauses }
    // Each role by the first action that has it.
    let actions = Set(
      table.roles.compactMap { role in table.parameters.first { $0.name == role.name }?.action })
    for start in max(2, words.count - Self.longestRole)..<words.count {
      let end = PhraseText.trimmed(words[start...].joined(separator: " "))
      guard
        Self.hashtags(in: end) != nil
          || actions.contains(where: {
            parameters(in: end, of: $0, parametersOfActions[$0] ?? []) != nil
          })
      else { continue }
      clauses.append((end, words[..<start].joined(separator: " ")))
      break
    }
    return clauses.filter { !$0.clause.isEmpty && !$0.rest.isEmpty }
  }

  /// The tags of a text that is nothing but words such as `#music`; nil for another one.
  private static func hashtags(in text: String) -> [Substring]? {
    let words = text.split(separator: " ")
    guard words.allSatisfy({ $0.hasPrefix("#") && $0.count > 1 }) else { return nil }
    return words.map { $0.dropFirst() }
  }

  /// An understanding with the parameter that a clause says; nil if it says none that is free.
  func adding(_ clause: String, to understood: Understanding) -> Understanding? {
    let own = parametersOfActions[understood.action] ?? []
    let free = own.filter { parameter in
      !understood.arguments.contains { $0.name == parameter.name }
    }
    var taken = parameters(in: clause, of: understood.action, free) ?? []
    if let tags = Self.hashtags(in: clause), let list = free.first(where: { $0.kind == .list }) {
      taken = [argument(list, tags.joined(separator: ","), words: clause)]
    }
    let bare = withoutEmptyWords(SpokenForm.words(of: PhraseText.composed(clause)))
      .map(\.text).joined(separator: " ")
    if taken.isEmpty, let day = free.first(where: { $0.kind == .when || $0.kind == .date }),
      let reading = times.reading(bare, SpokenTimes.Direction(day, besideText: true)),
      let value = day.kind == .when ? reading.when : reading.day?.iso8601
    {
      taken = [argument(day, value, words: clause)]
    }
    guard !taken.isEmpty else { return nil }
    var understood = understood
    understood.arguments = (understood.arguments + taken).sorted { $0.name < $1.name }
    return understood
  }

  /// The parameters at the beginning of a text, up to a colon, or at its end; nil for none.
  private func role(
    in text: String, of action: String, _ free: [PhraseTable.Parameter]
  ) -> (rest: String, taken: [Understanding.Argument])? {
    if let marks = text.firstIndex(of: ":"), text.index(after: marks) < text.endIndex,
      text[text.index(after: marks)] == " ",
      let taken = parameters(in: String(text[..<marks]), of: action, free)
    {
      return (PhraseText.trimmed(String(text[text.index(marks, offsetBy: 2)...])), taken)
    }
    let words = text.split(separator: " ").map(String.init)
    let count = words.reversed().prefix { $0.hasPrefix("#") }.count
    let end = words.suffix(count).joined(separator: " ")
    if count > 0, count < words.count, let tags = Self.hashtags(in: end),
      let list = free.first(where: { $0.kind == .list })
    {
      return (
        words.dropLast(count).joined(separator: " "),
        [argument(list, tags.joined(separator: ","), words: end)]
      )
    }
    for start in max(1, words.count - Self.longestRole)..<max(1, words.count) {
      let end = words[start...].joined(separator: " ")
      guard let taken = parameters(in: end, of: action, free) else { continue }
      return (PhraseText.trimmed(words[..<start].joined(separator: " ")), taken)
    }
    return nil
  }

  private func argument(
    _ parameter: PhraseTable.Parameter, _ text: String, words: String
  ) -> Understanding.Argument {
    Understanding.Argument(
      name: parameter.name, words: words, text: text, kind: parameter.kind.rawValue,
      type: parameter.type, entity: parameter.entity, range: 0..<0)
  }

  /// The parameters that the whole of a text says; nil for another text.
  func parameters(
    in text: String, of action: String, _ free: [PhraseTable.Parameter]
  ) -> [Understanding.Argument]? {
    guard let match = roleBook(of: action)?.match(text), !match.slots.isEmpty,
      match.slots.keys.allSatisfy({ name in free.contains { $0.name == name } })
    else { return nil }
    return match.slots.compactMap { name, value in
      guard let parameter = free.first(where: { $0.name == name }) else { return nil }
      let range = match.ranges[name] ?? 0..<0
      let raw = String(String.UnicodeScalarView(PhraseText.composed(text)[range]))
      return argument(parameter, self.text(value, parameter, raw: raw), words: raw)
    }
  }
}
