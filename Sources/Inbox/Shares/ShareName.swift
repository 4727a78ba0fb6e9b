package import CEL

/// Names of shares: the moment and a number by chance, so that they sort by time and are never used
/// twice.
package enum ShareName {
  /// A name for a share that is made at a moment.
  package static func make(at moment: Timestamp, chance: UInt64) -> String {
    let time = String(max(0, moment.microseconds))
    let number = String(chance, radix: 16)
    return String(repeating: "0", count: max(0, 18 - time.count)) + time + "."
      + String(repeating: "0", count: 16 - number.count) + number
  }

  /// The short form that people type: the first digits of what is by chance, or all of a name that
  /// another program made up.
  package static func short(_ name: String) -> String {
    let parts = name.split(separator: ".")
    guard parts.count == 2, parts[0].utf8.count >= 18, parts[1].utf8.count == 16 else {
      return name
    }
    return String(parts[1].prefix(8))
  }

  /// Whether a word that a person typed means a share.
  package static func matches(_ word: String, _ name: String) -> Bool {
    if word.isEmpty { return false }
    return name == word || name.hasPrefix(word)
      || short(name) != name && name.split(separator: ".").last?.hasPrefix(word) == true
  }
}
