package import CEL
import Phrases
import Source

/// The understanding of a sentence: an intent or a shortcut with values.
package struct Understanding: Sendable {
  /// A value for a parameter.
  package struct Argument: Sendable {
    package let name: String
    /// The words that it was taken from; empty for a value that the phrase implies.
    package internal(set) var words: String
    /// The value as written on the command line, in English.
    package internal(set) var text: String
    let kind: String
    let type: String
    /// The entity of an item.
    let entity: String
    /// The scalars of the composed sentence that it was taken from.
    package internal(set) var range: Range<Int>

    /// Whether it is an item that is to be looked up.
    package var isItem: Bool { kind == PhraseTable.Kind.item.rawValue }

    /// The value with its type.
    package var value: Value {
      switch type {
      case "bool": .bool(text == "true")
      case "int": Int64(text).map { .int($0) } ?? .string(text)
      case "double": Double(text).map { .double($0) } ?? .string(text)
      case "list": .list(text.split(separator: ",").map { .string(String($0)) })
      default: .string(text)
      }
    }
  }

  package let action: String
  package let phrase: String
  package let language: String
  package internal(set) var arguments: [Argument]
  /// Parameters that a call needs besides.
  package let missing: [String]
  /// Words for times that no parameter takes, such as `at 5pm` of a day.
  package let leftOut: [String]
  /// Whether a value is any words.
  package let hasGuess: Bool
  /// Whether the phrase is from elsewhere.
  package let isForeign: Bool
  /// Whether its words are those of no phrase, so that it is asked about before anything changes.
  package internal(set) var isLoose = false
  /// Whether some of its words were not understood, so that it is only done after a yes.
  package var isUnsure: Bool { uses.contains { $0.use == "\(SpokenBook.Use.unknown)" } }
  /// The worth of the words that a loose reading shares with its phrase.
  package internal(set) var score = 0.0
  /// The words of a loose reading with their uses.
  package internal(set) var uses: [(word: String, use: String)] = []
  /// The item that is so already, for a sentence that sets a state; nil for another one.
  package internal(set) var unchanged: String?

  /// Whether states of an item are those that the phrase sets; nil if it sets none of them.
  func isAlready(_ states: [String: Bool]) -> Bool? {
    arguments.lazy.compactMap { argument -> Bool? in
      guard argument.type == "bool", argument.words.isEmpty, let state = states[argument.name]
      else { return nil }
      return state == (argument.text == "true")
    }.first
  }

  /// The number of scalars that were taken for any words.
  var open: Int {
    arguments.lazy.filter { $0.isItem || $0.kind == PhraseTable.Kind.words.rawValue }
      .map(\.range.count).reduce(0, +)
  }

  /// Whether it begins with any words that are the value of a text.
  var beginsWithGuess: Bool {
    arguments.contains { argument in
      argument.range.lowerBound == 0 && !argument.range.isEmpty
        && argument.kind == PhraseTable.Kind.words.rawValue
    }
  }

  /// The parameters, for a call.
  package var parameters: [String: JSONValue] {
    Dictionary(arguments.map { ($0.name, JSONValue($0.value)) }) { $1 }
  }

  /// The intent and its parameters as a record, with the uses of the words of a loose reading.
  package var value: Value {
    let parameters = MapValue(arguments.map { ($0.name, $0.value) })
    let left = Value.list(leftOut.map(Value.string))
    let words = Value.list(uses.map { .record(["word": $0.word, "use": $0.use]) })
    let score = Value.double((score * 10).rounded() / 10)
    var further: [(String, Value)] = leftOut.isEmpty ? [] : [("leftOut", left)]
    if isLoose { further += [("words", words), ("score", score)] }
    return .map(
      MapValue([("intent", .string(action)), ("parameters", .map(parameters))] + further))
  }

  /// Lines that mark the words of a sentence with the parameters they were assigned to.
  package func drawing(of sentence: String) -> [String] {
    let scalars = PhraseText.composed(sentence)
    var line = ""
    var marks = ""
    var names: [(column: Int, name: String)] = []
    let ranges = arguments.filter { !$0.range.isEmpty }.sorted {
      $0.range.lowerBound < $1.range.lowerBound
    }
    for (index, scalar) in scalars.enumerated() {
      let text = String(Character(scalar))
      let width = text.displayWidth
      let argument = ranges.first { $0.range.contains(index) }
      if let argument, argument.range.lowerBound == index {
        names.append((marks.count, argument.name))
      }
      line += scalar == "\n" ? " " : text
      marks += String(repeating: argument == nil ? " " : "─", count: width)
    }
    var lines = [line, marks]
    // The names go below the marks, on separate lines where they would overlap.
    var rows: [String] = []
    for (column, name) in names {
      if let row = rows.firstIndex(where: { $0.displayWidth + 1 < column || $0.isEmpty }) {
        rows[row] += String(repeating: " ", count: column - rows[row].displayWidth) + name
      } else {
        rows.append(String(repeating: " ", count: column) + name)
      }
    }
    lines += rows
    return names.isEmpty ? [line] : lines
  }
}
