import Program

/// Numbers of bytes, as people write them.
package enum ByteCount {
  /// The units by their names in lower case (IEC 80000-13), and what may stand for one byte.
  private static func factor(of unit: String) -> Int? {
    switch unit {
    case "", "b": 1
    case "k", "kib": 1 << 10
    case "kb": 1000
    case "m", "mib": 1 << 20
    case "mb": 1_000_000
    case "g", "gib": 1 << 30
    case "gb": 1_000_000_000
    default: nil
    }
  }

  /// The number that a text such as `32 MiB` means; nil when it means none.
  package static func parse(_ text: String) -> Int? {
    let text = text.trimmingSpaces
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).lowercased()
    guard let number = Int(digits), let factor = factor(of: unit.trimmingSpaces) else { return nil }
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: factor)
    return isTooLarge ? nil : bytes
  }

  /// A number of bytes for a message, in the largest unit that divides it.
  package static func text(_ bytes: Int) -> String {
    for (size, unit) in [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
    where bytes >= size && bytes.isMultiple(of: size) {
      return "\(bytes / size) \(unit)"
    }
    return "\(bytes) bytes"
  }
}
