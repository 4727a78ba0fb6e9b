/// Places in an order by hand: texts that sort by their bytes, so that there is always another one between
/// two of them, and moving an item changes no other (a fractional index).
package enum Rank {
  /// The digits in the order of their bytes.
  private static let digits = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  /// The maximum number of digits, so that no text is too long to be divided.
  private static let limit = 500

  /// A place after one and before another; nil if a text is no place.
  ///
  /// Two places that are equal or in the wrong order, as two machines may make them, give one right after
  /// the first. Steps at either end take a digit after about thirty of them.
  package static func between(_ low: String?, _ high: String?) -> String? {
    guard let low = numbers(of: low ?? ""), let high = numbers(of: high ?? "") else { return nil }
    let isOpen = high.isEmpty || !low.lexicographicallyPrecedes(high)
    let place = isOpen ? after(low) : between(low[...], high[...])
    return String(decoding: place.map { digits[$0] }, as: UTF8.self)
  }

  /// The digits of a place as numbers; nil if it has others, or ends with a zero, before which there may be
  /// nothing.
  private static func numbers(of text: String) -> [Int]? {
    guard text.utf8.count <= limit else { return nil }
    var numbers: [Int] = []
    for byte in text.utf8 {
      guard let number = digits.firstIndex(of: byte) else { return nil }
      numbers.append(number)
    }
    return numbers.last == 0 ? nil : numbers
  }

  private static func after(_ low: [Int]) -> [Int] {
    guard let first = low.first else { return [digits.count / 2] }
    return first < digits.count - 1 ? [first + 1] : [first] + after(Array(low.dropFirst()))
  }

  private static func between(_ low: ArraySlice<Int>, _ high: ArraySlice<Int>) -> [Int] {
    let (first, last) = (low.first ?? 0, high.first ?? digits.count)
    if first == last { return [first] + between(low.dropFirst(), high.dropFirst()) }
    // At the beginning of the order, a small step leaves room for many more.
    if low.isEmpty, last > 1, last < digits.count { return [last - 1] }
    if last - first > 1 { return [(first + last) / 2] }
    if high.count > 1 { return [last] }
    return [first] + after(Array(low.dropFirst()))
  }
}
