import CEL
import Catalog
import Source
import YAML

/// Remedies that hold: an expression to write instead is checked before it is shown, and mended in turn
/// by the advice on it.
extension ExpressionCompiler {
  /// The place of an expression, with all that its check depends on.
  struct Place {
    let source: ExpressionSource
    let scopes: Scopes
    let subject: Subject?
    let isCondition: Bool
    let need: String?
  }

  /// Maximum number of suggestions that mend each other.
  private static let steps = 3
  /// Length of the longest text that is suggested, in bytes.
  private static let longestLine = 200

  /// Returns the problems, each with a text to write that has no mistake of its own, if one is found.
  func mended(_ problems: [Problem], at place: Place) -> [Problem] {
    guard collector.wantsAdvice else { return problems }
    return problems.map { problem in
      // The advice on null rewrites more than the part that may be null.
      if problem.code == .maybeNull { return problem }
      var problem = problem
      if let line = holding(problem, among: problems, at: place) {
        problem.help = "write `\(line)`"
      } else if problem.code == .syntax, place.source.scalar.text.hasPart("{{{"),
        let line = problem.help?.textToWrite
      {
        problem.help = "two braces on each side are enough: write `{{ \(line) }}`"
      }
      return problem
    }
  }

  /// Returns the whole text that the advice on a problem leads to in several steps; nil if its first step
  /// holds, or none does.
  private func holding(
    _ problem: Problem, among problems: [Problem], at place: Place
  ) -> String? {
    var quiet = ExpressionCompiler(context, DiagnosticCollector())
    quiet.refusesFailures = refusesFailures
    var text = place.source.text
    var current = problem
    let others = Set(problems.map(\.message))
    for step in 0..<Self.steps {
      guard current.severity == .error, let line = current.help?.textToWrite,
        let whole = Self.replacing(current, in: text, with: line),
        whole.utf8.count <= Self.longestLine
      else { return nil }
      let mistakes = quiet.mistakes(in: whole, at: place)
      // The advice on null rewrites more than the part that may be null; it comes with the next check.
      let next = mistakes.first { !others.contains($0.message) && $0.code != .maybeNull }
      guard let mistake = next else {
        return step == 0 ? nil : whole
      }
      (text, current) = (whole, mistake)
    }
    return nil
  }

  /// Returns a text with the part of a problem, or the whole if it is no expression, replaced.
  private static func replacing(_ problem: Problem, in text: String, with line: String) -> String? {
    guard let expression = try? Expression.parse(text) else { return line }
    guard let part = try? Expression.parse(line) else { return nil }
    return expression.replacing(problem.mendedRange, with: part)?.description
  }

  /// Returns the errors of a text in the place of an expression.
  private func mistakes(in text: String, at place: Place) -> [Problem] {
    do {
      var expression = try Expression.parse(text)
      if let entity = place.subject?.entity, place.subject?.allowsBareNames == true {
        guard let full = qualify(expression, entity, place.scopes, source: place.source) else {
          return []
        }
        expression = full
      }
      let checked = check(
        expression, place.scopes, place.subject, source: place.source,
        isCondition: place.isCondition, need: place.need)
      return checked?.problems.filter { $0.severity == .error } ?? []
    } catch {
      return error.problems
    }
  }
}

extension String {
  /// The text between the backticks of an advice to write it; nil if places are left open in it.
  fileprivate var textToWrite: String? {
    guard let start = firstRange(of: "write `"),
      start.lowerBound == startIndex || self[..<start.lowerBound].hasSuffix(": ")
    else { return nil }
    let rest = self[start.upperBound...]
    guard let end = rest.firstIndex(of: "`"), !rest[..<end].contains("…") else { return nil }
    return String(rest[..<end])
  }
}
