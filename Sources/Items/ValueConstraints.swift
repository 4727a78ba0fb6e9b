package import CEL

/// Constraints on a value in addition to its type.
package struct ValueConstraints: Hashable, Sendable {
  /// The minimum of a number, or of a length in seconds.
  package var min: Double?
  /// The maximum of a number, or of a length in seconds.
  package var max: Double?
  /// The minimum number of characters, or of elements of a list.
  package var minLength: Int?
  /// The maximum number of characters, or of elements of a list.
  package var maxLength: Int?
  /// The pattern that a whole string, or each string of a list, must match.
  package var pattern: TextPattern?

  package init(
    min: Double? = nil, max: Double? = nil, minLength: Int? = nil, maxLength: Int? = nil,
    pattern: TextPattern? = nil
  ) {
    self.min = min
    self.max = max
    self.minLength = minLength
    self.maxLength = maxLength
    self.pattern = pattern
  }

  /// Whether there are no constraints.
  package var isEmpty: Bool { self == ValueConstraints() }

  /// The violated constraint, worded to follow the value's name; nil if there is none, as for null.
  package func problem(with value: Value) -> String? {
    switch value {
    case .int(let int): problem(withNumber: Double(int))
    case .double(let double): problem(withNumber: double)
    case .duration(let length):
      problem(withNumber: Double(length.seconds) + Double(length.nanoseconds) / 1e9)
    case .string(let text):
      problem(withLength: text.unicodeScalars.count, of: "characters")
        ?? problem(withText: text)
    case .list(let values):
      problem(withLength: values.count, of: "values")
        ?? values.lazy.compactMap { value in
          if case .string(let text) = value { problem(withText: text) } else { nil }
        }.first
    default: nil
    }
  }

  private func problem(withNumber number: Double) -> String? {
    if number >= min ?? -.infinity, number <= max ?? .infinity { return nil }
    func plain(_ number: Double) -> String { Value.double(number).text }
    return switch (min, max) {
    case (let least?, let most?): "must be from \(plain(least)) to \(plain(most))"
    case (let least?, nil): "must be at least \(plain(least))"
    case (nil, let most?): "must be at most \(plain(most))"
    case (nil, nil): nil
    }
  }

  private func problem(withLength length: Int, of what: String) -> String? {
    if let least = minLength, length < least {
      return least == 1 ? "must not be empty" : "must have at least \(least) \(what), not \(length)"
    }
    if let most = maxLength, length > most {
      return "must have at most \(most) \(what), not \(length)"
    }
    return nil
  }

  /// The mismatch of a string with the pattern, worded to follow its name; nil if it matches.
  package func problem(withText text: String) -> String? {
    guard let pattern, !pattern.matches(text) else { return nil }
    return "does not match \(pattern.text)"
  }
}
