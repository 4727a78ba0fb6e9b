import CEL

/// An ICU pattern, as Apple uses them, converted to RE2.
struct Pattern {
  static let mail = #"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}"#
  static let phone = #"\+?[0-9(][0-9() ./-]{5,}[0-9]"#

  /// The pattern, with its capturing groups.
  let withGroups: Code
  /// The pattern whose match is the first group, or the whole if it has no group.
  let forMatching: Code
  let forReplacing: Code
  /// The feature it needs that RE2 lacks; nil if there is none.
  private(set) var need: String?
  /// Whether the lookbehind and the lookahead became groups before and after the pattern's own.
  private(set) var before = false
  private var after = false

  /// Converts a pattern; one with embedded values is used unchanged.
  init(_ code: Code, isExact: Bool) {
    let flags = isExact ? "" : "(?i)"
    guard let text = code.literal else {
      let whole = isExact ? code : .joined([.text(flags), code])
      withGroups = whole
      forMatching = whole
      forReplacing = whole
      isKnown = false
      return
    }
    let pattern = Self.converted(text)
    var (behind, core, ahead) = Self.looks(pattern)
    if core.contains("(?=") || core.contains("(?!") || core.contains("(?<=")
      || core.contains("(?<!")
    {
      need = "a pattern that looks around"
      (behind, core, ahead) = ("", "", "")
    } else if Self.refersBack(core) {
      need = "a pattern that refers back"
    }
    let plain = Self.withoutGroups(core)
    let (b, a) = (Self.withoutGroups(behind), Self.withoutGroups(ahead))
    withGroups = .text(flags + core)
    if behind.isEmpty, ahead.isEmpty {
      forMatching = .text(flags + plain)
      forReplacing = .text(flags + core)
    } else {
      forMatching = .text(
        flags + (b.isEmpty ? "" : "(?:\(b))") + "(\(plain))" + (a.isEmpty ? "" : "(?:\(a))"))
      forReplacing = .text(flags + (b.isEmpty ? "" : "(\(b))") + core + (a.isEmpty ? "" : "(\(a))"))
      before = !b.isEmpty
      after = !a.isEmpty
    }
    if need == nil, let all = forReplacing.literal, !PatternMatches.isValid(all) {
      need = "a pattern that is not valid for RE2"
    }
    groups = Self.groupCount(core) + (before ? 1 : 0)
  }

  private var groups = 0
  /// Whether the pattern is known at translation time.
  private(set) var isKnown = true
  /// Whether a match is found by the pattern with groups alone.
  var isWhole: Bool { !before && !after }

  /// A replacement that restores the text matched for the lookbehind and the lookahead.
  func replacementWrapped(_ code: Code) -> Code {
    if !before, !after { return code }
    var parts = [code]
    if before { parts.insert(.text("\\1"), at: 0) }
    if after { parts.append(.text("\\\(groups + 1)")) }
    return .joined(parts)
  }

  /// A replacement with its backslashes escaped.
  static func escaped(_ code: Code) -> Code {
    switch code {
    case .text(let text): .text(text.replacing("\\", with: "\\\\"))
    case .joined(let parts): .joined(parts.map(escaped))
    case .converted(.text, let inner): .converted(.text, escaped(inner))
    default: code
    }
  }

  /// A replacement with RE2's references: `\1` for `$1`; a reference to a missing group is empty.
  func replacement(_ code: Code) -> Code {
    func convert(_ text: String) -> String {
      var result = ""
      var rest = text[...]
      while let letter = rest.popFirst() {
        if letter == "$", let digit = rest.first, digit.isASCII, let number = digit.wholeNumberValue
        {
          rest.removeFirst()
          if !isKnown || number <= groups - (before ? 1 : 0) {
            result += "\\\(number == 0 ? 0 : number + (before ? 1 : 0))"
          }
        } else if letter == "\\", let next = rest.popFirst() {
          switch next {
          case "n": result += "\n"
          case "t": result += "\t"
          case "r": result += "\r"
          case "\\": result += "\\\\"
          default: result.append(next)
          }
        } else if letter == "\\" {
          result += "\\\\"
        } else {
          result.append(letter)
        }
      }
      return result
    }
    switch code {
    case .text(let text): return .text(convert(text))
    case .joined(let parts):
      return .joined(
        parts.map { if case .text(let text) = $0 { .text(convert(text)) } else { $0 } })
    case .converted(.text, let inner): return .converted(.text, replacement(inner))
    default: return code
    }
  }

  static func quoted(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar.isASCII, !scalar.properties.isAlphabetic, !("0"..."9").contains(scalar),
        scalar != " "
      {
        result += scalar == "\n" ? "\\n" : "\\"
        if scalar == "\n" { continue }
      }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  // MARK: Syntax

  /// Replaces ICU syntax that differs from that of RE2.
  private static func converted(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    var isInClass = false
    while let letter = rest.popFirst() {
      if letter == "\\", let next = rest.popFirst() {
        switch next {
        case "R": result += "(?:\\r\\n|\\n|\\r)"
        case "h": result += isInClass ? " \\t\\x{A0}" : "[ \\t\\x{A0}]"
        case "Z": result += "\\n?\\z"
        case "u":
          let digits = rest.prefix(4)
          if digits.count == 4, digits.allSatisfy(\.isHexDigit) {
            result += "\\x{\(digits)}"
            rest = rest.dropFirst(4)
          } else {
            result += "u"
          }
        case "e": result += "\\x{1B}"
        case "/", "\"", "'", "`", "#", "@", "%", "&", ",", ":", ";", "<", ">", "=", "!", "~", " ",
          "_":
          result.append(next)
        case let other where !other.isASCII: result.append(other)
        default: result += "\\\(next)"
        }
        continue
      }
      if letter == "[" {
        if rest.hasPrefix("[:emoji:]]") {
          rest = rest.dropFirst(10)
          result += "[\\x{1F000}-\\x{1FAFF}\\x{2600}-\\x{27BF}\\x{2B00}-\\x{2BFF}#*0-9]"
          continue
        }
        if isInClass {
          result += rest.first == ":" ? "[" : "\\["
          continue
        }
        isInClass = true
        result.append(letter)
        if rest.first == "^" { result.append(rest.removeFirst()) }
        if rest.first == "]" {
          result += "\\]"
          rest.removeFirst()
        }
        continue
      }
      if letter == "]" { isInClass = false }
      if isInClass {
        result.append(letter)
        continue
      }
      // Possessive quantifiers match the same in nearly all patterns.
      if letter == "+", let last = result.last, "*+?}".contains(last),
        !result.hasSuffix("\\" + String(last))
      {
        continue
      }
      if letter == "(", rest.hasPrefix("?>") {
        rest = rest.dropFirst(2)
        result += "(?:"
        continue
      }
      if letter == "(", rest.hasPrefix("?<"), !rest.hasPrefix("?<="), !rest.hasPrefix("?<!") {
        rest = rest.dropFirst(2)
        result += "(?P<"
        continue
      }
      result.append(letter)
    }
    return result
  }

  /// Splits a pattern into lookbehind, match and lookahead.
  private static func looks(_ pattern: String) -> (String, String, String) {
    var core = pattern[...]
    var behind = ""
    var ahead = ""
    if core.hasPrefix("(?<="), let end = groupEnd(core, from: core.startIndex) {
      behind = String(core[core.index(core.startIndex, offsetBy: 4)..<end])
      core = core[core.index(after: end)...]
    }
    if let start = core.ranges(of: "(?=").last?.lowerBound, let end = groupEnd(core, from: start),
      core.index(after: end) == core.endIndex
    {
      ahead = String(core[core.index(start, offsetBy: 3)..<end])
      core = core[..<start]
    }
    let alternates = core.contains("|") && !behind.isEmpty
    return (behind, alternates ? "(?:\(core))" : String(core), ahead)
  }

  /// The index of the parenthesis that closes a group.
  private static func groupEnd(_ text: Substring, from start: Substring.Index) -> Substring.Index? {
    var depth = 0
    var isInClass = false
    var index = start
    while index < text.endIndex {
      switch text[index] {
      case "\\":
        index = text.index(after: index)
        if index == text.endIndex { return nil }
      case "[": isInClass = true
      case "]": isInClass = false
      case "(" where !isInClass: depth += 1
      case ")" where !isInClass:
        depth -= 1
        if depth == 0 { return index }
      default: break
      }
      index = text.index(after: index)
    }
    return nil
  }

  private static func refersBack(_ pattern: String) -> Bool {
    var isEscaped = false
    for letter in pattern {
      if isEscaped, letter.isASCII, let digit = letter.wholeNumberValue, digit > 0 { return true }
      isEscaped = letter == "\\" && !isEscaped
    }
    return false
  }

  private static func groupCount(_ pattern: String) -> Int {
    var count = 0
    scanGroups(pattern) { _ in count += 1 }
    return count
  }

  /// A pattern without capturing groups.
  static func withoutGroups(_ pattern: String) -> String {
    var result = pattern
    var places: [String.Index] = []
    scanGroups(pattern) { places.append($0) }
    for place in places.reversed() {
      let next = result.index(after: place)
      if result[next...].hasPrefix("?P<"), let end = result[next...].firstIndex(of: ">") {
        result.replaceSubrange(next...end, with: "?:")
      } else {
        result.insert(contentsOf: "?:", at: next)
      }
    }
    return result
  }

  /// Calls a closure with the index of each parenthesis that opens a capturing group.
  private static func scanGroups(_ pattern: String, _ body: (String.Index) -> Void) {
    var isInClass = false
    var index = pattern.startIndex
    while index < pattern.endIndex {
      switch pattern[index] {
      case "\\":
        index = pattern.index(after: index)
        if index == pattern.endIndex { return }
      case "[": isInClass = true
      case "]": isInClass = false
      case "(" where !isInClass:
        let rest = pattern[pattern.index(after: index)...]
        if !rest.hasPrefix("?") || rest.hasPrefix("?P<") { body(index) }
      default: break
      }
      index = pattern.index(after: index)
    }
  }
}
