import CEL
import ForeignText
import Items

/// Reads todo.txt (github.com/todotxt/todo.txt): one task a line, with `due:`, `t:` and `rec:` of common programs.
enum TodoTextRecords {
  static func records(_ window: ByteWindow) -> [ImportRecord] {
    var window = window
    var keys = TaskKeys("todo.txt")
    var records: [ImportRecord] = []
    while true {
      let number = window.line
      guard let line = window.nextLine() else { return records }
      guard let line else {
        records.append(ImportRecord(number: number, content: .bad(.lineTooLong)))
        continue
      }
      if !line.allSatisfy(\.isWhitespace) { records.append(task(line, number, &keys).record()) }
    }
  }

  /// Whether a line begins as only a task does: done, with a priority, or with dates or tags.
  static func isTask(_ line: Substring) -> Bool {
    let words = line.split(separator: " ")
    guard let first = words.first else { return false }
    if first == "x" { return words.count > 1 && words[1].contains { $0.isLetter || $0.isNumber } }
    return priority(first) != nil
      || words.contains { word in
        guard let (name, value) = pair(word) else { return false }
        return ["due", "t", "rec"].contains(name) && value.contains(where: \.isNumber)
      }
  }

  static func task(_ line: String, _ number: Int, _ keys: inout TaskKeys) -> ForeignTask {
    var task = ForeignTask(number: number, key: "")
    var words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })[...]
    if words.first == "x" {
      task.isDone = true
      words.removeFirst()
    }
    if let letter = words.first.flatMap(priority) {
      take(letter, &task)
      words.removeFirst()
    }
    var dates: [Substring] = []
    while dates.count < (task.isDone ? 2 : 1), let word = words.first,
      CivilDate(iso8601: String(word)) != nil
    {
      dates.append(word)
      words.removeFirst()
    }
    // A done task begins with the day of its completion.
    if let created = dates.popLast() { task.created = .string(String(created)) }
    if task.isDone, let done = dates.first {
      task.updated = .string(String(done))
    } else if task.isDone {
      (task.created, task.updated) = (.null, task.created)
    }
    let text = words.filter { !takePair($0, &task) }
    // A project or tag between words of the title is one of these words, too.
    let first = text.firstIndex { mark($0) == nil } ?? text.endIndex
    let last = text.lastIndex { mark($0) == nil } ?? first
    for word in text {
      switch mark(word) {
      case "+"?: task.projects.append(String(word.dropFirst()))
      case "@"?: task.tags.append(String(word.dropFirst()))
      default: break
      }
    }
    if first < text.endIndex { task.title = text[first...last].joined(separator: " ") }
    if task.title.isEmpty { task.title = text.joined(separator: " ") }
    // A line that is done later is the same one if it has the day on which it was written.
    let day = task.created.isNull ? task.updated : task.created
    task.key = keys.key([day.inJSON.text, task.title].joined(separator: "\n"))
    return task
  }

  private static func mark(_ word: Substring) -> Character? {
    word.count > 1 && (word.first == "+" || word.first == "@") ? word.first : nil
  }

  private static func priority(_ word: Substring) -> Character? {
    let bytes = Array(word.utf8)
    guard bytes.count == 3, bytes[0] == UInt8(ascii: "("), bytes[2] == UInt8(ascii: ")"),
      (0x41...0x5A).contains(bytes[1])
    else { return nil }
    return Character(Unicode.Scalar(bytes[1]))
  }

  private static func take(_ letter: Character, _ task: inout ForeignTask) {
    let known: [Character: ForeignTask.Priority] = ["A": .high, "B": .medium]
    task.priority = known[letter] ?? .low
    if letter > "C" { task.losses.append("priority (\(letter)) is read as low") }
  }

  private static func pair(_ word: Substring) -> (name: Substring, value: Substring)? {
    guard let colon = word.firstIndex(of: ":"), colon > word.startIndex else { return nil }
    let value = word[word.index(after: colon)...]
    return value.isEmpty || value.hasPrefix("//") ? nil : (word[..<colon], value)
  }

  /// Sets a property from a word such as `due:2026-01-31`; false for one of another program, which stays in the text.
  private static func takePair(_ word: Substring, _ task: inout ForeignTask) -> Bool {
    guard let (name, value) = pair(word) else { return false }
    let text = String(value)
    switch name {
    case "due", "t":
      guard let day = BookmarkDate.value(text), case .string = day else { return false }
      if name == "due" { task.due = day } else { task.start = day }
    case "pri":
      guard let letter = priority("(\(text))") else { return false }
      take(letter, &task)
    case "rec":
      guard let rule = rule(text) else { return false }
      task.repetition = rule.text
    case "errand": task.rest = text
    default: return false
    }
    return true
  }

  /// The rule of `1w`, which counts from completion, or `+1w`, which counts from the due day.
  static func rule(_ text: String) -> RepeatRule? {
    let isStrict = text.hasPrefix("+")
    let length = isStrict ? String(text.dropFirst()) : text
    if length == "b" || length == "1b" { return RepeatRule("every weekday") }
    guard let unit = length.last, let name = units.first(where: { $0.key == unit })?.value else {
      return nil
    }
    let digits = length.dropLast()
    guard let number = digits.isEmpty ? 1 : Int(digits), number > 0 else { return nil }
    return RepeatRule(isStrict ? "every \(number) \(name)" : "\(number) \(name) after done")
  }

  /// The units of `rec:`.
  static let units: KeyValuePairs<Character, String> = [
    "d": "days", "w": "weeks", "m": "months", "y": "years",
  ]
}
