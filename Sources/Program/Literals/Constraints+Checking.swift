package import CEL
package import Catalog

extension ParameterDefinition.Constraints {
  /// Why a value is outside of the limits for numbers and lengths; nil when it is within.
  package func problem(of value: Value) -> String? {
    switch value {
    case .int(let int): problem(of: Double(int), shown: value.text)
    case .double(let double): problem(of: double, shown: value.text)
    case .string(let text): problem(ofLength: text.unicodeScalars.count, "characters")
    case .list(let values): problem(ofLength: values.count, "values")
    default: nil
    }
  }

  private func problem(of number: Double, shown text: String) -> String? {
    guard number < min ?? -.infinity || number > max ?? .infinity else { return nil }
    func plain(_ number: Double) -> String { Value.double(number).text }
    return switch (min, max) {
    case (let least?, let most?): "\(text) is not from \(plain(least)) to \(plain(most))"
    case (let least?, nil): "\(text) is not at least \(plain(least))"
    case (nil, let most?): "\(text) is not at most \(plain(most))"
    case (nil, nil): nil
    }
  }

  private func problem(ofLength length: Int, _ what: String) -> String? {
    if let least = minLength, length < least {
      return least == 1
        ? "it must not be empty" : "at least \(least) \(what) are wanted, not \(length)"
    }
    if let most = maxLength, length > most {
      return "at most \(most) \(what) are wanted, not \(length)"
    }
    return nil
  }
}
