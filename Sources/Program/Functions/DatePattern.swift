package import CEL

/// A pattern for dates and times in the letters of Unicode (UTS #35, part 4, “Date Format
/// Patterns”), such as `d MMM yyyy`; names are English.
package struct DatePattern: Sendable {
  enum Part {
    case literal(String)
    case field(Character, count: Int)
  }

  /// What is wrong with a pattern, in one sentence.
  package struct Failure: Error, Hashable, Sendable {
    package let message: String
  }

  let parts: [Part]

  /// Reads a pattern; text between single quotes stands for itself, `''` for one quote.
  package init(_ pattern: String) throws(Failure) {
    var parts: [Part] = []
    var rest = Substring(pattern)
    while let letter = rest.first {
      if letter == "'" {
        parts.append(.literal(try Self.quoted(&rest)))
      } else if letter.isASCII, letter.isLetter {
        let run = rest.prefix { $0 == letter }
        guard Self.letters.contains(letter), run.count <= Self.maxCount(of: letter) else {
          if let other = Self.translation(ofStrftime: pattern) {
            throw Failure(
              message: "“\(pattern)” is a pattern of strftime; here it is written `\(other)`")
          }
          throw Failure(
            message: "“\(run)” isn't a field of a date pattern; put text between single quotes")
        }
        parts.append(.field(letter, count: run.count))
        rest = rest.dropFirst(run.count)
      } else {
        parts.append(.literal(String(letter)))
        rest = rest.dropFirst()
      }
    }
    self.parts = parts
  }

  private static let letters = "GyYuQqMLwdDEecahHKkmsSzOVZXx"

  /// UTS #35 has at most six letters in a field, but for fractions and the padding of years.
  private static func maxCount(of letter: Character) -> Int {
    switch letter {
    case "y", "Y", "u", "S": 9
    case "E", "e", "c": 6
    case "M", "L", "a", "G", "Z", "X", "x", "Q", "q": 5
    case "z", "O": 4
    case "D": 3
    default: 2
    }
  }

  private static func quoted(_ rest: inout Substring) throws(Failure) -> String {
    rest = rest.dropFirst()
    if rest.first == "'" {
      rest = rest.dropFirst()
      return "'"
    }
    var text = ""
    while let character = rest.first {
      rest = rest.dropFirst()
      if character != "'" {
        text.append(character)
      } else if rest.first == "'" {
        text.append("'")
        rest = rest.dropFirst()
      } else {
        return text
      }
    }
    throw Failure(message: "the date pattern has a single quote that is not closed")
  }

  /// The text of a moment on a wall in a zone.
  package func text(of moment: Timestamp, in zone: TimeZoneRules) -> String {
    let field = DateField(moment, zone)
    return parts.map { part in
      switch part {
      case .literal(let text): text
      case .field(let letter, let count): field.text(letter, count)
      }
    }.joined()
  }
}
