/// Numbers in words.
package enum PhraseNumbers {
  private static let small = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
  ]
  private static let tens = [
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
  ]

  /// The English numbers below a hundred.
  static let lowEnglish: [String: Double] = {
    var words: [String: Double] = [:]
    for (number, word) in small.enumerated() { words[word] = Double(number) }
    for (index, ten) in tens.enumerated() {
      let number = Double(20 + index * 10)
      words[ten] = number
      for unit in 1...9 {
        words["\(ten)-\(small[unit])"] = number + Double(unit)
        words["\(ten) \(small[unit])"] = number + Double(unit)
      }
    }
    return words
  }()

  /// The English numbers up to 999, also with hyphens and with `and`.
  package static let english: [String: Double] = {
    var words = lowEnglish
    for (rest, number) in lowEnglish where number > 0 {
      for hundred in 1...9 {
        let value = Double(hundred * 100) + number
        words["\(small[hundred]) hundred \(rest)"] = value
        words["\(small[hundred]) hundred and \(rest)"] = value
      }
    }
    for hundred in 1...9 { words["\(small[hundred]) hundred"] = Double(hundred * 100) }
    return words
  }()
}
