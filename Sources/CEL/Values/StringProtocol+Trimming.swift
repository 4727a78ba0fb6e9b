extension StringProtocol {
  /// The text without space at its ends.
  var trimmed: String {
    let start = drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed())
  }
}
