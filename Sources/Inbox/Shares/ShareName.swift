package import CEL

/// Unique names of shares, from the time and a random number, so that they sort by time.
package enum ShareName {
  /// Makes a name from a time and a random number.
  package static func make(at moment: Timestamp, chance: UInt64) -> String {
    let time = String(max(0, moment.microseconds))
    let number = String(chance, radix: 16)
    return String(repeating: "0", count: max(0, 18 - time.count)) + time + "."
      + String(repeating: "0", count: 16 - number.count) + number
  }

  /// The short form for typing: the first digits of the random number, or the full name if another
  /// program chose it.
  package static func short(_ name: String) -> String {
    let parts = name.split(separator: ".")
    guard parts.count == 2, parts[0].utf8.count >= 18, parts[1].utf8.count == 16 else {
      return name
    }
    return String(parts[1].prefix(8))
  }

  /// Whether a typed word identifies a share.
  package static func matches(_ word: String, _ name: String) -> Bool {
    if word.isEmpty { return false }
    return name == word || name.hasPrefix(word)
      || short(name) != name && name.split(separator: ".").last?.hasPrefix(word) == true
  }
}
