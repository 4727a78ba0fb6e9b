import ForeignText
import Links

/// The rules of a site's robots.txt (RFC 9309).
package struct RobotsRules {
  /// A rule for paths with a prefix; `*` matches any text, and `$` the end.
  private struct Rule {
    let pattern: [UInt8]
    let isAllowed: Bool
  }

  private var rules: [Rule] = []

  /// The maximum number of bytes read of a file (§2.5).
  private static let maxBytes = 500 << 10
  /// The maximum number of rules and the maximum length of a pattern.
  private static let maxRules = 5_000
  private static let maxPattern = 1_000

  /// Parses the rules for a user agent: those that name it, else those for all.
  package init(_ text: String, agent: String) {
    var named: [Rule] = []
    var general: [Rule] = []
    var hasNamed = false
    var isForUs = false
    var isForAll = false
    var isInAgents = false
    for line in String(decoding: text.utf8.prefix(Self.maxBytes), as: UTF8.self)
      .split(whereSeparator: \.isNewline)
    {
      let content = line.prefix { $0 != "#" }
      guard let colon = content.firstIndex(of: ":") else { continue }
      let key = String(content[..<colon]).trimmingBlanks.lowercased()
      let value = String(content[content.index(after: colon)...]).trimmingBlanks
      switch key {
      case "user-agent":
        if !isInAgents { (isForUs, isForAll) = (false, false) }
        isInAgents = true
        if value == "*" { isForAll = true }
        if value.lowercased().prefix(while: { $0 != "/" && $0 != " " }) == agent.lowercased() {
          (isForUs, hasNamed) = (true, true)
        }
      case "allow", "disallow":
        isInAgents = false
        // An empty rule has no effect.
        guard !value.isEmpty, value.utf8.count <= Self.maxPattern else { continue }
        let rule = Rule(pattern: Self.normalized(value), isAllowed: key == "allow")
        if isForUs, named.count < Self.maxRules { named.append(rule) }
        if isForAll, general.count < Self.maxRules { general.append(rule) }
      default: break
      }
    }
    rules = hasNamed ? named : general
  }

  /// Whether a URL of the site may be fetched: the longest matching rule counts, and of equally
  /// long ones the one that allows (§2.2.2).
  package func allows(_ url: String) -> Bool {
    guard let url = try? WebURL(url) else { return false }
    let path = (url.path.isEmpty ? "/" : url.path) + (url.query.map { "?" + $0 } ?? "")
    if path == "/robots.txt" { return true }
    let bytes = Self.normalized(path)
    var best: (length: Int, isAllowed: Bool) = (-1, true)
    for rule in rules where Self.matches(rule.pattern[...], bytes[...]) {
      let length = rule.pattern.count
      if length > best.length || length == best.length && rule.isAllowed {
        best = (length, rule.isAllowed)
      }
    }
    return best.isAllowed
  }

  /// Percent-encodes characters beyond ASCII and normalizes percent-encoding to upper case.
  private static func normalized(_ text: String) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    var large = 0
    for byte in text.utf8 {
      if byte >= 0x80 {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else if large > 0 {
        large -= 1
        result.append((0x61...0x66).contains(byte) ? byte & 0xDF : byte)
      } else {
        if byte == UInt8(ascii: "%") { large = 2 }
        result.append(byte)
      }
    }
    return result
  }

  /// Whether a path matches a pattern. Backtracks only to the last `*`, so that the time is bounded
  /// by the product of both lengths.
  private static func matches(_ pattern: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>) -> Bool {
    let isWhole = pattern.last == UInt8(ascii: "$")
    let pattern = Array(isWhole ? pattern.dropLast() : pattern)
    let path = Array(path)
    var position = 0
    var place = 0
    var star: (position: Int, place: Int)?
    while true {
      if position == pattern.count, !isWhole || place == path.count { return true }
      if position < pattern.count, pattern[position] == UInt8(ascii: "*") {
        star = (position, place)
        position += 1
      } else if position < pattern.count, place < path.count, pattern[position] == path[place] {
        position += 1
        place += 1
      } else if let last = star, last.place < path.count {
        star = (last.position, last.place + 1)
        position = last.position + 1
        place = last.place + 1
      } else {
        return false
      }
    }
  }
}
