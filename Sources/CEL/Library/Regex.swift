internal import CRE2
internal import Synchronization

/// A compiled RE2 pattern; matching takes time linear in the text.
final class Regex: Sendable {
  /// RE2 objects are thread-safe after construction.
  nonisolated(unsafe) private let handle: OpaquePointer

  /// Compiles a pattern.
  ///
  /// - Throws: an `EvaluationError` that describes the syntax error.
  init(_ pattern: String) throws(EvaluationError) {
    var pattern = pattern
    let made = pattern.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { cre2_new($0.baseAddress, $0.count) }
    }
    guard let made else { throw EvaluationError("out of memory for a pattern") }
    if let message = cre2_error(made) {
      let text = String(cString: message)
      cre2_delete(made)
      throw EvaluationError(
        "`\(pattern)` is not a valid regular expression: \(RegexProblem.words(for: text))")
    }
    handle = made
  }

  deinit { cre2_delete(handle) }

  /// Returns whether it matches anywhere in a text.
  func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        cre2_matches(handle, $0.baseAddress, $0.count)
      }
    }
  }

  private static let recent = Mutex<[Value: Regex]>([:])
  private static let recentLimit = 64

  /// Returns the compiled pattern from a cache of recent patterns.
  static func shared(_ pattern: String) throws(EvaluationError) -> Regex {
    if let known = recent.withLock({ $0[.string(pattern)] }) { return known }
    let made = try Regex(pattern)
    recent.withLock { patterns in
      // Most patterns are constants, so the cache is rarely full and may simply be cleared.
      if patterns.count >= recentLimit { patterns.removeAll() }
      patterns[.string(pattern)] = made
    }
    return made
  }

  /// The number of capture groups, without the whole match.
  var groupCount: Int { Int(cre2_group_count(handle)) }

  /// Returns all non-overlapping matches, as the ranges of the whole match and of up to nine groups.
  ///
  /// - Throws: an `EvaluationError` if there are more than a list may hold.
  func matches(in text: [UInt8], limit: Int = .max) throws(EvaluationError) -> [[Range<Int>?]] {
    let count = min(groupCount, 9) + 1
    var spans = [cre2_span](repeating: cre2_span(start: -1, end: -1), count: count)
    var found: [[Range<Int>?]] = []
    var position = 0
    while position <= text.count, found.count < limit {
      let hasMatch = text.withUnsafeBytes { bytes in
        cre2_find(
          handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, position,
          &spans, Int32(count))
      }
      guard hasMatch else { break }
      found.append(spans.map { $0.start < 0 ? nil : $0.start..<$0.end })
      try EvaluationLimits().expect(elements: found.count * count)
      position = spans[0].end
      if spans[0].start == spans[0].end {
        // An empty match: continue after the next whole character.
        position += 1
        while position < text.count, text[position] & 0xC0 == 0x80 { position += 1 }
      }
    }
    return found
  }
}
