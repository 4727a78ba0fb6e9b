/// A comment that silences warnings, such as `# errand: ignore W203 because it is a word`.
///
/// It speaks of the line that it stands on, or, alone on its line, of the next one.
package struct Suppression: Sendable {
  /// The identifiers of the warnings that it silences.
  package let ids: [String]
  /// Why; nil when the comment does not say.
  package let reason: String?
  /// The line whose warnings are silenced, counted from one.
  package let line: Int
  /// Where the comment stands.
  package let span: Span

  /// What every such comment begins with, after the `#` and blanks.
  private static let mark = Array("errand:".utf8)

  /// The comments of a file.
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

    /// The line of which a comment speaks.
    init(_ comment: Suppression) {
      file = ObjectIdentifier(comment.span.file)
      number = comment.line
    }

    /// The line on which something begins.
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

  /// What is wrong with the comment itself; nil when it names warnings and says why.
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

  /// Leaves out the warnings that comments of the files silence, and adds what is wrong with these.
  package static func applied(
    in files: [SourceFile], to findings: [Diagnostic]
  ) -> [Diagnostic] {
    let comments = files.flatMap { Self.all(in: $0) }
    guard !comments.isEmpty else { return findings }
    var isUsed = [Bool](repeating: false, count: comments.count)
    let byLine = Dictionary(grouping: comments.indices) { Line(comments[$0]) }
    let left = findings.filter { finding in
      guard finding.severity == .warning, let span = finding.span else { return true }
      let index = byLine[Line(span)]?.first { index in
        comments[index].reason != nil && comments[index].ids.contains(finding.id)
      }
      guard let index else { return true }
      isUsed[index] = true
      return false
    }
    // What is wrong may hide the warning that a comment is for.
    let hasErrors = findings.contains { $0.severity == .error }
    var concerns: [Diagnostic] = []
    for (comment, isUsed) in zip(comments, isUsed) {
      if let problem = comment.problem {
        concerns.append(problem)
      } else if !isUsed, !hasErrors {
        concerns.append(
          Diagnostic(
            "W209", "this comment silences nothing", at: comment.span, help: "take it out",
            severity: .warning))
      }
    }
    return left + concerns
  }
}
