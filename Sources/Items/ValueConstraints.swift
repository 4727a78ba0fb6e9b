package import CEL

/// What a value must be beside its type.
package struct ValueConstraints: Hashable, Sendable {
  /// The least number.
  package var min: Double?
  /// The largest number.
  package var max: Double?
  /// The least number of characters, or of elements of a list.
  package var minLength: Int?
  /// The largest number of characters, or of elements of a list.
  package var maxLength: Int?
  /// What a whole text must match, or each text of a list.
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

  /// Whether any value fits.
  package var isEmpty: Bool { self == ValueConstraints() }

  /// Why a value does not fit, as the end of a sentence about it; nil when it does, as null does.
  package func problem(with value: Value) -> String? {
    switch value {
    case .int(let int): problem(withNumber: Double(int))
    case .double(let double): problem(withNumber: double)
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
    case (let least?, let most?): "is not from \(plain(least)) to \(plain(most))"
    case (let least?, nil): "is not at least \(plain(least))"
    case (nil, let most?): "is not at most \(plain(most))"
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

  private func problem(withText text: String) -> String? {
    guard let pattern, !pattern.matches(text) else { return nil }
    return "does not match \(pattern.text)"
  }
}
