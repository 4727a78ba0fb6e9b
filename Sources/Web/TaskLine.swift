import ErrandKit

/// The parts of a line that adds a task, such as `Water the plants every monday #home`.
struct TaskLine {
  /// The values for `add-task`, as written on the command line.
  private(set) var values: [String: String]
  let tags: [String]

  /// The words that `do` knows as parts of a task beside its times.
  private static let telling: Set = ["priority", "project"]
  /// The words that may stand before a day.
  private static let leads: Set = ["on", "by", "due", "until", "for"]
  /// The maximum number of words of a day and a time.
  private static let longestTime = 7

  var title: String { values["title"] ?? "" }

  /// Reads a line as `errand do` does; a day in another form, such as `+3d`, may stand at its end.
  init(_ line: String, _ errand: Errand) {
    let all = line.split(whereSeparator: \.isWhitespace).map(String.init)
    func isTag(_ word: String) -> Bool { word.hasPrefix("#") && word.count > 1 }
    tags = all.filter(isTag).map { String($0.dropFirst()) }
    let text = all.filter { !isTag($0) }.joined(separator: " ")
    let said = text.lowercased().split(separator: " ").map(String.init)
    if said.contains(where: Self.telling.contains),
      let found = try? errand.understand("add task \(text)").first, found.action == "add-task"
    {
      values = Dictionary(found.arguments.map { ($0.name, $0.text) }) { $1 }
    } else {
      values = errand.values(of: text, for: "title", of: "add-task")
    }
    if values["due"] == nil, values["repeat"] == nil { takeDay(errand.when) }
  }

  /// Takes the longest day or time at the end of the title out of it.
  private mutating func takeDay(_ when: (String) -> String?) {
    let words = title.split(separator: " ").map(String.init)
    for count in stride(from: min(Self.longestTime, words.count - 1), to: 0, by: -1) {
      let text = words.suffix(count).joined(separator: " ")
      // A number alone is more likely a part of the title.
      guard text.contains(where: \.isLetter) || text.contains("-") || text.hasPrefix("+"),
        let found = when(text)
      else { continue }
      let isLed =
        words.count > count + 1 && Self.leads.contains(words[words.count - count - 1].lowercased())
      values["title"] = words.dropLast(isLed ? count + 1 : count).joined(separator: " ")
      values["due"] = found
      return
    }
  }
}
