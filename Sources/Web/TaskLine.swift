/// The parts of a line that adds a task: its title, tags, and a due day or time at the end.
struct TaskLine {
  let title: String
  /// The due day or time, such as `2026-11-27` or `2026-11-27T17:00`; nil for none.
  let due: String?
  let tags: [String]

  /// The words that may stand before a day.
  private static let leads: Set = ["on", "by", "due", "until", "for"]
  /// The maximum number of words of a day and a time.
  private static let longestTime = 7

  /// Reads a line such as `Send the book back on friday #library`.
  ///
  /// - Parameter when: Parses words as a day or a time; nil if they are neither.
  init(_ line: String, when: (String) -> String?) {
    let all = line.split(whereSeparator: \.isWhitespace).map(String.init)
    tags = all.filter { $0.hasPrefix("#") && $0.count > 1 }.map { String($0.dropFirst()) }
    let words = all.filter { !($0.hasPrefix("#") && $0.count > 1) }
    for count in stride(from: min(Self.longestTime, words.count - 1), to: 0, by: -1) {
      let text = words.suffix(count).joined(separator: " ")
      // A number alone is more likely a part of the title.
      guard text.contains(where: \.isLetter) || text.contains("-") || text.hasPrefix("+") else {
        continue
      }
      var used = count
      guard let found = when(text) else { continue }
      if words.count > used + 1, Self.leads.contains(words[words.count - used - 1].lowercased()) {
        used += 1
      }
      title = words.dropLast(used).joined(separator: " ")
      due = found
      return
    }
    title = words.joined(separator: " ")
    due = nil
  }
}
