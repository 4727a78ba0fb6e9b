import CEL

/// Whether a stored list contains a value.
func contains(_ values: [Value], _ value: Value, ignoringCase: Bool = false) -> Bool {
  guard ignoringCase, case .string(let text) = value else {
    return values.contains { isSame($0, value) }
  }
  return values.contains {
    if case .string(let other) = $0 { CaseFolding.areSame(other, text) } else { false }
  }
}

/// The union of two lists, in order; of texts that are the same, the first stays.
///
/// - Complexity: O(length) for texts, as in most long lists; O(length²) for other values.
func united(_ old: [Value], _ given: [Value], ignoringCase: Bool = false) -> [Value] {
  func key(_ text: String) -> [UInt8] {
    Array((ignoringCase ? CaseFolding.folded(text) : text).utf8)
  }
  var seen: Set<[UInt8]> = []
  var result: [Value] = []
  result.reserveCapacity(old.count)
  for value in old {
    if case .string(let text) = value { seen.insert(key(text)) }
    result.append(value)
  }
  for value in given {
    if case .string(let text) = value {
      if seen.insert(key(text)).inserted { result.append(value) }
    } else if !contains(result, value) {
      result.append(value)
    }
  }
  return result
}

/// Whether two values of one declared type are stored alike; texts are compared as bytes.
func isSame(_ left: Value, _ right: Value) -> Bool {
  switch (left, right) {
  case (.null, .null): true
  case (.bool(let a), .bool(let b)): a == b
  case (.int(let a), .int(let b)): a == b
  case (.double(let a), .double(let b)): a == b
  case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
  case (.bytes(let a), .bytes(let b)): a == b
  case (.timestamp(let a), .timestamp(let b)): a == b && a.isDay == b.isDay
  case (.duration(let a), .duration(let b)): a == b
  case (.list(let a), .list(let b)): a.count == b.count && zip(a, b).allSatisfy(isSame)
  case (.map(let a), .map(let b)):
    a.count == b.count
      && zip(a.entries, b.entries).allSatisfy {
        isSame($0.key, $1.key) && isSame($0.value, $1.value)
      }
  case (.object(let a), .object(let b)): a.isEqual(to: b)
  default: false
  }
}
