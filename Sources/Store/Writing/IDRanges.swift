/// Numbers of items, as ranges in order that do not touch.
struct IDRanges {
  private(set) var ranges: [ClosedRange<Int64>] = []

  init() {}

  /// Joins ranges that come in any order.
  init(_ ranges: [ClosedRange<Int64>]) {
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(range) }
  }

  /// Adds a range that begins no earlier than the last one.
  mutating func append(_ range: ClosedRange<Int64>) {
    if let last = ranges.last,
      range.lowerBound <= last.upperBound || range.lowerBound == last.upperBound + 1
    {
      ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
    } else {
      ranges.append(range)
    }
  }

  /// Whether a number is among them.
  ///
  /// - Complexity: O(log n) for n ranges.
  func contains(_ id: Int64) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < id { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(id)
  }
}
