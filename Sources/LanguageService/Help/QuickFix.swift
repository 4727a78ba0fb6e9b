package import Source

extension AdviceReader {
  /// The fixes for a diagnostic, one for each group of alternatives, each verified by a check.
  ///
  /// - Parameters:
  ///   - findings: All diagnostics of the file.
  ///   - check: Returns the diagnostics of the file with other bytes; nil if they cannot be checked.
  package static func fixes(
    for finding: Diagnostic, among findings: [Diagnostic], in index: DocumentIndex,
    check: ([UInt8]) -> [Diagnostic]?
  ) -> [Amendment] {
    guard let reader = AdviceReader(finding, index) else { return [] }
    var seen: Set<[UInt8]> = [index.file.bytes]
    return reader.suggestions.compactMap { group in
      group.first { amendment in
        let bytes = amendment.applied(to: index.file.bytes)
        guard seen.insert(bytes).inserted, let after = check(bytes) else { return false }
        return mends(amendment, finding, findings, after: after)
      }
    }
  }

  /// Whether a change fixes a diagnostic without causing errors.
  private static func mends(
    _ amendment: Amendment, _ finding: Diagnostic, _ before: [Diagnostic], after: [Diagnostic]
  ) -> Bool {
    let isLeft = after.contains { other in
      other.id == finding.id && other.message == finding.message
        && isSamePlace(finding.span, other.span, after: amendment)
    }
    if isLeft { return false }
    let known = Set(before.map(\.id))
    let errors = after.filter { $0.severity == .error }
    // A form that could not be read hid other mistakes.
    if finding.id.hasPrefix("yaml-") || finding.id.hasPrefix("no-") {
      let isMalformed = finding.id.hasPrefix("yaml-")
      return !errors.contains { known.contains($0.id) || $0.id.hasPrefix("yaml-") && !isMalformed }
    }
    return errors.count <= before.count { $0.severity == .error }
      && !errors.contains { $0.id.hasPrefix("yaml-") && !known.contains($0.id) }
  }

  /// Whether two spans are the same place before and after an amendment.
  private static func isSamePlace(_ old: Span?, _ new: Span?, after amendment: Amendment) -> Bool {
    guard let old = old?.range.lowerBound, let new = new?.range.lowerBound else { return true }
    let (range, count) = (amendment.range, amendment.text.utf8.count)
    if old < range.lowerBound { return new == old }
    if old > range.upperBound { return new == old + count - range.count }
    return (range.lowerBound...range.lowerBound + count).contains(new)
  }
}
