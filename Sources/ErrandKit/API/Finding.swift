import Catalog
import DefinitionTesting
import Engine
package import Source
import Store

/// A problem in a definition, or a failure of one of its tests.
public struct Finding: Hashable, Sendable {
  /// The severity of a finding.
  public enum Severity: String, Sendable {
    /// The definition cannot be used.
    case error
    /// The definition works, but probably not as intended.
    case warning
    /// Additional information about another finding.
    case note
  }

  /// A range of a file.
  public struct Place: Hashable, Sendable {
    /// The path as given or found; a name in angle brackets if it is not a file.
    public let file: String
    /// The range in UTF-8 bytes of the file; empty for a point.
    public let bytes: Range<Int>
    /// The line of the first byte, from 1.
    public let line: Int
    /// The column of the first byte in Unicode scalars, from 1.
    public let column: Int
    /// The line after the last byte.
    public let endLine: Int
    /// The column after the last byte.
    public let endColumn: Int

    init(_ span: Span) {
      let (start, end) = (span.position, span.file.position(of: span.range.upperBound))
      file = span.file.name
      bytes = span.range
      (line, column, endLine, endColumn) = (start.line, start.column, end.line, end.column)
    }
  }

  /// A stable code, such as `unknown-key` or `W203`; docs/checks.md lists them.
  public let code: String
  /// The severity.
  public let severity: Severity
  /// The problem, in one sentence without a full stop.
  public let message: String
  /// Advice: one thing to do; nil if there is none.
  public let help: String?
  /// The position; nil if the problem is not in a text.
  public let place: Place?
  /// A text that fixes the problem when it replaces ``place``, such as the intended name; nil if
  /// there is no certain fix.
  public let replacement: String?
  /// Related places, each with its own message.
  public let related: [Finding]

  package init(_ problem: Diagnostic) {
    self.init(
      problem.id, Severity(rawValue: problem.severity.rawValue) ?? .error, problem.message,
      help: problem.help, span: problem.span, replacement: problem.replacement,
      related: problem.related.map {
        Finding(problem.id, .note, $0.message, span: $0.span)
      })
  }

  /// A file or folder that cannot be used at all.
  init(unreadable message: String) { self.init("unreadable", .error, message) }

  init(
    _ code: String, _ severity: Severity, _ message: String, help: String? = nil,
    span: Span? = nil, replacement: String? = nil, related: [Finding] = []
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.help = help
    self.related = related
    place = span.map(Place.init)
    self.replacement = replacement
  }
}

/// The outcome of a definition's test.
public struct TestOutcome: Hashable, Sendable {
  /// The name of the tested intent or shortcut.
  public let definition: String
  /// The name of the test.
  public let name: String
  /// The position of the test.
  public let place: Finding.Place
  /// The elapsed time.
  public let duration: Duration
  /// The failed expectations; empty if the test passed.
  public let failures: [Finding]

  init(_ result: TestResult) {
    definition = result.action
    name = result.test.name
    place = Finding.Place(result.test.span)
    duration = result.took
    failures = result.failures.map { failure in
      let values = [
        failure.expected.map { "expected \($0)" }, failure.actual.map { "but it was \($0)" },
      ]
      return Finding(
        "test-failed", .error,
        ([failure.message] + values.compactMap { $0 }).joined(separator: ", "),
        help: failure.help, span: failure.span)
    }
  }
}

extension Errand {
  /// Checks definitions for mistakes and likely mistakes, without running them.
  ///
  /// - Parameter paths: Files and folders; if empty, all available definitions.
  /// - Returns: The findings by file and position, without those silenced by a comment.
  /// - Throws: `unreadable` if the `catalog` folder cannot be read.
  /// - Complexity: O(bytes of the checked definitions and everything they call).
  public func check(_ paths: [String] = []) throws(ErrandError) -> [Finding] {
    try check { check in
      if paths.isEmpty { return check.addAll() }
      try check.add(paths: paths) { try checkingWorkspace(loaded().0) }
    }
  }

  /// Checks the unsaved text of a file, together with all available definitions.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - path: The path of the file whose content the text replaces.
  /// - Throws: As ``check(_:)``.
  public func check(_ text: String, at path: String) throws(ErrandError) -> [Finding] {
    let file = SourceFile(name: path, bytes: Array(text.utf8))
    return try check(replacing: [path: file.bytes]) { $0.add(files: [file]) }
  }

  private func check(
    replacing texts: [String: [UInt8]] = [:], _ add: (inout DefinitionCheck) throws -> Void
  ) throws(ErrandError) -> [Finding] {
    let catalog = try loaded(replacing: texts).0
    return try ErrandError.translating {
      var check = DefinitionCheck(checkingWorkspace(catalog))
      try add(&check)
      return check.findings.map { Finding($0) }
    }
  }

  /// Runs the tests of intents and shortcuts, each with an in-memory store and a simulated world.
  ///
  /// Nothing outside is reached: using anything that is not mocked fails the test.
  ///
  /// - Parameter names: Names of intents and shortcuts; if empty, all available ones.
  /// - Returns: The outcomes in the order of names and tests.
  /// - Throws: `not-found` for an unknown name, or the code of the first mistake in a definition.
  /// - Complexity: O(steps of the tests), limited to two million a test.
  public func test(_ names: [String] = []) throws(ErrandError) -> [TestOutcome] {
    let catalog = try loaded().0
    return try ErrandError.translating {
      let workspace = checkingWorkspace(catalog)
      let names = names.isEmpty ? catalog.actionNames : names
      for name in names { try workspace.check(action: name) }
      var suite = TestSuite(actions: names)
      try suite.run(in: catalog, filter: nil)
      return suite.results.map { TestOutcome($0) }
    }
  }

  /// A workspace that reports all errors and warnings, and runs nothing but tests.
  ///
  /// - Parameter checksBuiltIns: whether to type-check built-in definitions, too.
  func checkingWorkspace(
    _ catalog: DefinitionCatalog, checksBuiltIns: Bool = true
  ) -> Workspace {
    catalog.readsBuiltInTests = checksBuiltIns
    return Workspace(
      catalog: catalog, host: makeHost(), checksBuiltIns: checksBuiltIns, reportsWarnings: true
    ) { context in try Database(at: .memory, context: context) }
  }
}
