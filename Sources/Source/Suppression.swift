/// A comment that suppresses warnings, such as `# errand: ignore W203 because it is a word`.
///
/// It applies to its own line, or, if alone on its line, to the next one.
package struct Suppression: Sendable {
  /// Identifiers of the suppressed warnings.
  package let ids: [String]
  /// The reason; nil if missing.
  package let reason: String?
  /// The line whose warnings are suppressed, counted from one.
  package let line: Int
  /// Position of the comment.
  package let span: Span

  /// Prefix of such comments, after `#` and blanks.
  private static let mark = Array("errand:".utf8)

  /// Finds the comments of a file.
  ///
  /// - Complexity: O(bytes).
  package static func all(in file: SourceFile) -> [Suppression] {
    let bytes = file.bytes
    var found: [Suppression] = []
    for index in bytes.indices where bytes[index] == UInt8(ascii: "#") {
      guard index == 0 || [0x20, 0x09, 0x0A].contains(bytes[index - 1]) else { continue }
      var start = index + 1
      while start < bytes.count, bytes[start] == 0x20 { start += 1 }
      guard bytes[start...].starts(with: mark) else { continue }
      var end = start
      while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
      found.append(Suppression(file, index..<end, text: start + mark.count..<end))
    }
    return found
  }

  /// A line of a file.
  private struct Line: Hashable {
    let file: ObjectIdentifier
    let number: Int

    /// Creates the line to which a comment applies.
    init(_ comment: Suppression) {
      file = ObjectIdentifier(comment.span.file)
      number = comment.line
    }

    /// Creates the line on which a span starts.
    init(_ span: Span) {
      file = ObjectIdentifier(span.file)
      number = span.file.lineNumber(of: span.range.lowerBound)
    }
  }

  private init(_ file: SourceFile, _ range: Range<Int>, text: Range<Int>) {
    span = Span(file, range)
    let number = file.lineNumber(of: range.lowerBound)
    let before = file.bytes[file.line(number).lowerBound..<range.lowerBound]
    line = before.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? number + 1 : number
    var words = file.text(in: text).split(whereSeparator: { $0 == " " || $0 == "," })[...]
    guard words.popFirst() == "ignore" else {
      (ids, reason) = ([], nil)
      return
    }
    ids = words.prefix { $0 != "because" }.map { String($0) }
    let why = words.drop { $0 != "because" }.dropFirst().joined(separator: " ")
    reason = why.isEmpty ? nil : why
  }

  /// The problem with the comment itself; nil if it has identifiers and a reason.
  private var problem: Diagnostic? {
    if ids.isEmpty {
      return Diagnostic(
        "W208", "this comment does not say what to ignore", at: span,
        help: "write `# errand: ignore W203 because …`", severity: .warning)
    }
    guard reason == nil else { return nil }
    return Diagnostic(
      "W208", "this comment does not say why", at: span,
      help: "write `# errand: ignore \(ids.joined(separator: ", ")) because …`",
      severity: .warning)
  }

  /// Removes suppressed warnings, and adds the problems with the comments themselves.
  package static func applied(
    in files: [SourceFile], to findings: [Diagnostic]
  ) -> [Diagnostic] {
    let comments = files.flatMap { Self.all(in: $0) }
    guard !comments.isEmpty else { return findings }
    var isUsed = [Bool](repeating: false, count: comments.count)
    let byLine = Dictionary(grouping: comments.indices) { Line(comments[$0]) }
    let remaining = findings.filter { finding in
      guard finding.severity == .warning, let span = finding.span else { return true }
      let index = byLine[Line(span)]?.first { index in
        comments[index].reason != nil && comments[index].ids.contains(finding.id)
      }
      guard let index else { return true }
      isUsed[index] = true
      return false
    }
    // With errors, the suppressed warning may not have been found, so do not call a comment unused.
    let hasErrors = findings.contains { $0.severity == .error }
    var problems: [Diagnostic] = []
    for (comment, isUsed) in zip(comments, isUsed) {
      if let problem = comment.problem {
        problems.append(problem)
      } else if !isUsed, !hasErrors {
        problems.append(
          Diagnostic(
            "W209", "this comment suppresses no warning", at: comment.span, help: "remove it",
            severity: .warning))
      }
    }
    return remaining + problems
  }
}
