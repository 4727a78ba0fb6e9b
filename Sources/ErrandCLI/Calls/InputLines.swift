import CEL
import Catalog
import Engine
import ErrandKit
import Program
import Source
import YAML

/// Values of a parameter on standard input, one per line; empty lines and comment lines (`#`) are
/// skipped. Invalid lines are reported by number, and the remaining lines are still used.
struct InputLines {
  /// The valid values with the numbers of their lines.
  private(set) var values: [(number: Int, text: String)] = []
  /// Whether there is one line only, which is then an ordinary value.
  let isSingle: Bool
  private let invocation: Invocation

  /// Reads all lines and names those that are not values of the parameter.
  ///
  /// - Throws: `UsageError` if there are none.
  init(_ parameter: ParameterDefinition, _ run: Run, _ invocation: Invocation) throws {
    self.invocation = invocation
    let lines = try StandardInput.text().split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let filled = lines.enumerated().map { (number: $0 + 1, text: String($1).trimmingSpaces) }
      .filter { !$0.text.isEmpty && !$0.text.hasPrefix("#") }
    try UsageError.expect(
      !filled.isEmpty, "standard input has no value for `\(parameter.name.text)`",
      help: "write one a line")
    isSingle = filled.count == 1
    for (number, text) in filled {
      let value = ShellValue.address(text) ?? text
      do {
        // The only one is checked and reported by the call.
        if !isSingle { try run.expect(value, fits: parameter) }
        values.append((number, value))
      } catch {
        report(error, ofLine: number)
      }
    }
  }

  /// Names a line that failed; the exit status is that of the worst failure.
  func report(_ error: any Error, ofLine number: Int) {
    let report = ErrorReport(error)
    invocation.console.flush()
    invocation.console.err("errand: line \(number): \(report.message)\n")
    invocation.status = max(invocation.status, report.status)
  }
}

extension RunError {
  /// Whether the person ended the call, so that no other value is tried.
  var endsAll: Bool { code == .cancelled || code == .declined }
}
