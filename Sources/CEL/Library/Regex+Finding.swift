internal import CRE2

extension Regex {
  /// How many groups it has, the whole match not counted.
  var groupCount: Int { Int(withHandle(cre2_group_count)) }

  /// All matches that do not overlap, as the ranges of the whole and of up to nine groups.
  ///
  /// - Throws: an `EvaluationError` when there are more than a list may hold.
  func matches(in text: [UInt8], limit: Int = .max) throws(EvaluationError) -> [[Range<Int>?]] {
    let count = min(groupCount, 9) + 1
    var spans = [cre2_span](repeating: cre2_span(start: -1, end: -1), count: count)
    var found: [[Range<Int>?]] = []
    var position = 0
    while position <= text.count, found.count < limit {
      let hasMatch = text.withUnsafeBytes { bytes in
        withHandle {
          cre2_find(
            $0, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, position,
            &spans, Int32(count))
        }
      }
      guard hasMatch else { break }
      found.append(spans.map { $0.start < 0 ? nil : $0.start..<$0.end })
      if found.count * count > EvaluationLimits().elements {
        throw EvaluationError(.tooLarge("the list"))
      }
      position = spans[0].end
      if spans[0].start == spans[0].end {
        // An empty match: go on behind the next whole character.
        position += 1
        while position < text.count, text[position] & 0xC0 == 0x80 { position += 1 }
      }
    }
    return found
  }
}
