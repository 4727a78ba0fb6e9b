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
