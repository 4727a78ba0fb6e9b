import Program

/// Parses and formats numbers of bytes.
package enum ByteCount {
  /// Factors by lowercase unit (IEC 80000-13).
  private static let factors = [
    "": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "kb": 1000, "m": 1 << 20, "mib": 1 << 20,
    "mb": 1_000_000, "g": 1 << 30, "gib": 1 << 30, "gb": 1_000_000_000,
  ]

  /// The number of bytes in a text such as `32 MiB`; nil when it is not one.
  package static func parse(_ text: String) -> Int? {
    let text = text.trimmingSpaces
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).lowercased()
    guard let number = Int(digits), let factor = factors[unit.trimmingSpaces] else { return nil }
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: factor)
    return isTooLarge ? nil : bytes
  }

  /// A number of bytes in the largest unit that divides it.
  package static func text(_ bytes: Int) -> String {
    for (size, unit) in [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
    where bytes >= size && bytes.isMultiple(of: size) {
      return "\(bytes / size) \(unit)"
    }
    return "\(bytes) bytes"
  }
}
