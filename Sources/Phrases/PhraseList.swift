/// A list of values that a slot can have.
package struct PhraseList: Sendable {
  /// A range of numbers.
  package struct Range: Hashable, Sendable {
    /// The numbers after the decimal sign that are allowed.
    package enum Fractions: Hashable, Sendable {
      case none, halves, tenths, any
    }

    package var from: Int
    package var to: Int
    package var step = 1
    package var multiplier: Double = 1
    package var fractions = Fractions.none

    package init(
      from: Int, to: Int, step: Int = 1, multiplier: Double = 1, fractions: Fractions = .none
    ) {
      (self.from, self.to, self.step) = (from, to, max(step, 1))
      (self.multiplier, self.fractions) = (multiplier, fractions)
    }

    /// The value of a number that was read; nil if the range does not have it.
    func value(of number: Double) -> Double? {
      let whole = number.rounded(.down)
      switch fractions {
      case .none: if number != whole { return nil }
      case .halves: if (number * 2).rounded() != number * 2 { return nil }
      case .tenths: if abs((number * 10).rounded() - number * 10) > 1e-9 { return nil }
      case .any: break
      }
      guard whole >= Double(from), whole <= Double(to),
        (Int(whole) - from).isMultiple(of: step)
      else { return nil }
      let value = number * multiplier
      // The product of decimal numbers, without the error of binary ones.
      return (value * 1e9).rounded() / 1e9
    }
  }

  /// The content of a list.
  package enum Content: Sendable {
    /// Templates, each for the value of its position.
    case values([String])
    case range(Range)
    /// Words that a function takes for a value, such as those of a day; it returns nil if no longer
    /// ones can be a value either.
    case read(@Sendable (String) -> Bool?)
    /// Any words.
    case wildcard
  }

  package let name: String
  package let content: Content

  package init(_ name: String, _ content: Content) {
    (self.name, self.content) = (name, content)
  }
}

/// The value of a slot.
package enum PhraseValue: Hashable, Sendable {
  /// The position of a value in its list.
  case listed(list: String, Int)
  case number(Double)
  /// The words of a wildcard or of a value that was read, as they were written.
  case words(String)
}
