internal import CRE2
internal import Synchronization

/// A compiled pattern; matching takes time linear in the text, whatever the pattern.
final class Regex: Sendable {
  /// RE2 objects may be used from several threads at once, once made.
  nonisolated(unsafe) private let handle: OpaquePointer

  /// Compiles a pattern.
  ///
  /// - Throws: an `EvaluationError` that says what is wrong with it.
  init(_ pattern: String) throws(EvaluationError) {
    var pattern = pattern
    let made = pattern.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { cre2_new($0.baseAddress, $0.count) }
    }
    guard let made else { throw EvaluationError("there is no memory for a pattern") }
    if let message = cre2_error(made) {
      let text = String(cString: message)
      cre2_delete(made)
      throw EvaluationError(
        "`\(pattern)` isn't a regular expression: \(RegexProblem.words(for: text))")
    }
    handle = made
  }

  /// Lends the compiled pattern.
  func withHandle<R>(_ body: (OpaquePointer) -> R) -> R { body(handle) }

  deinit { cre2_delete(handle) }

  /// Whether it matches anywhere in a text.
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

  /// The pattern compiled, once while it stays among the recent ones.
  static func shared(_ pattern: String) throws(EvaluationError) -> Regex {
    if let known = recent.withLock({ $0[.string(pattern)] }) { return known }
    let made = try Regex(pattern)
    recent.withLock { patterns in
      // Patterns that are not constants are few; starting over keeps the bound simple.
      if patterns.count >= recentLimit { patterns.removeAll() }
      patterns[.string(pattern)] = made
    }
    return made
  }

  /// The number of groups, without the whole match.
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

/// `text.matches(pattern)` with a pattern that is compiled once.
struct MatchNode: Node {
  /// The text.
  let text: any Node
  /// The compiled pattern.
  let regex: Regex
  /// What the call knows of itself.
  let call: CallSite

  /// Nil for a pattern that does not compile, which then fails when it is evaluated.
  static func make(_ text: any Node, pattern: String, _ site: CallSite) -> MatchNode? {
    (try? Regex(pattern)).map { MatchNode(text: text, regex: $0, call: site) }
  }

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    let value = try text.evaluate(&frame)
    guard case .string(let text) = value else { throw call.mismatch([value, .string("")]) }
    try frame.charge(value.bulk + 1)
    return .bool(regex.matches(text))
  }

  var cost: Int { 4 + text.cost }
}
