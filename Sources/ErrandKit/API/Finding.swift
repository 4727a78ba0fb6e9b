import Catalog
import DefinitionTesting
import Engine
import Source
import Store

/// A problem in a definition, or the failure of one of its tests.
public struct Finding: Hashable, Sendable {
  /// The weight of a finding.
  public enum Severity: String, Sendable {
    /// The definition can't be used.
    case error
    /// It can, and hardly does what was meant.
    case warning
    /// It belongs to another finding.
    case note
  }

  /// A range of a file.
  public struct Place: Hashable, Sendable {
    /// The path as it was given or found; in angle brackets for what is not a file.
    public let file: String
    /// The range in the file's UTF-8 bytes; empty for a point.
    public let bytes: Range<Int>
    /// The line of the first byte, from 1.
    public let line: Int
    /// The column of the first byte in Unicode scalars, from 1.
    public let column: Int
    /// The line behind the last byte.
    public let endLine: Int
    /// The column behind the last byte.
    public let endColumn: Int

    init(_ span: Span) {
      let (start, end) = (span.position, span.file.position(of: span.range.upperBound))
      file = span.file.name
      bytes = span.range
      (line, column, endLine, endColumn) = (start.line, start.column, end.line, end.column)
    }
  }

  /// A stable code, such as `unknown-key` or `W203`; docs/check.md lists them.
  public let code: String
  /// The weight.
  public let severity: Severity
  /// What is wrong, in one sentence without a full stop.
  public let message: String
  /// One thing to do; nil where there is nothing to say.
  public let help: String?
  /// The place; nil where the problem is not in a text.
  public let place: Place?
  /// A text that mends it in the place of ``place``, such as the name that was meant; nil where none
  /// is certain enough.
  public let replacement: String?
  /// Other places that belong to it, each with its own message.
  public let related: [Finding]

  init(_ problem: Diagnostic) {
    self.init(
      problem.id, Severity(rawValue: problem.severity.rawValue) ?? .error, problem.message,
      help: problem.help, problem.span,
      related: problem.related.map {
        Finding(problem.id, .note, $0.message, $0.span)
      })
  }

  /// A file or folder that can't be used as a whole.
  init(unreadable message: String) {
    self.init("unreadable", .error, message)
  }

  init(
    _ code: String, _ severity: Severity, _ message: String, help: String? = nil,
    _ span: Span? = nil, related: [Finding] = []
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.help = help
    self.related = related
    place = span.map(Place.init)
    replacement = span.flatMap { Self.replacement(of: $0.text, help) }
  }

  /// The name that advice such as “did you mean `title`?” has for a word.
  private static func replacement(of word: String, _ help: String?) -> String? {
    let parts = help?.split(separator: "`", omittingEmptySubsequences: false) ?? []
    guard parts.count == 3, parts[0] == "did you mean ", parts[2] == "?", !word.isEmpty,
      !word.contains(where: \.isWhitespace)
    else { return nil }
    return String(parts[1])
  }
}

/// A test of a definition that was run.
public struct TestOutcome: Hashable, Sendable {
  /// The name of the intent or the shortcut.
  public let definition: String
  /// The name of the test.
  public let name: String
  /// The place of the test.
  public let place: Finding.Place
  /// The time that it took.
  public let duration: Swift.Duration
  /// What was not as expected; empty when it passed.
  public let failures: [Finding]

  init(_ result: TestResult) {
    definition = result.action
    name = result.test.name
    place = Finding.Place(result.test.span)
    duration = .nanoseconds(result.nanoseconds)
    failures = result.failures.map { failure in
      let values = [
        failure.expected.map { "expected \($0)" }, failure.actual.map { "but it was \($0)" },
      ]
      return Finding(
        "test-failed", .error,
        ([failure.message] + values.compactMap { $0 }).joined(separator: ", "),
        help: failure.help, failure.span)
    }
  }
}

extension Errand {
  /// Finds mistakes in definitions, and what is hardly meant, without running any of them.
  ///
  /// - Parameter paths: Files and folders; without any, all definitions in reach.
  /// - Returns: The findings by file and place; what a comment silences is left out.
  /// - Throws: `unreadable` where the folder of `catalog` can't be read.
  /// - Complexity: O(bytes of what is checked and all that it calls).
  public func check(_ paths: [String] = []) throws(ErrandError) -> [Finding] {
    try check { check in
      if paths.isEmpty { return check.addAll() }
      try check.add(paths: paths) { try checkingWorkspace(loaded().0) }
    }
  }

  /// Finds mistakes in a text that is edited, with all definitions in reach beside it.
  ///
  /// - Parameters:
  ///   - text: The text, which need not be on the disk.
  ///   - path: The path of its file, in the place of whose content the text counts.
  /// - Throws: As ``check(_:)``.
  public func check(_ text: String, at path: String) throws(ErrandError) -> [Finding] {
    let file = SourceFile(name: path, bytes: Array(text.utf8))
    return try check(replacing: [path: file.bytes]) { $0.add(files: [file]) }
  }

  private func check(
    replacing texts: [String: [UInt8]] = [:], _ add: (inout DefinitionCheck) throws -> Void
  ) throws(ErrandError) -> [Finding] {
    let library = try loaded(replacing: texts).0
    return try ErrandError.translating {
      var check = DefinitionCheck(checkingWorkspace(library))
      try add(&check)
      return check.findings.map { Finding($0) }
    }
  }

  /// Runs the tests of intents and shortcuts; each has a store and a world of its own in memory.
  ///
  /// Nothing outside is reached: what is not faked fails its test.
  ///
  /// - Parameter names: The names of intents and shortcuts; without any, all in reach.
  /// - Returns: The outcomes in the order of the names and of the tests.
  /// - Throws: `not-found` for a name, the code of the first mistake in one of the definitions.
  /// - Complexity: O(steps that the tests take), two million a test at most.
  public func test(_ names: [String] = []) throws(ErrandError) -> [TestOutcome] {
    let library = try loaded().0
    return try ErrandError.translating {
      let workspace = checkingWorkspace(library)
      let names = names.isEmpty ? library.actionNames : names
      for name in names { try workspace.check(action: name) }
      var suite = TestSuite(actions: names)
      try suite.run(in: library, filter: nil)
      return suite.results.map { TestOutcome($0) }
    }
  }

  /// A workspace that looks for every mistake and doubt in definitions, and runs none.
  private func checkingWorkspace(_ library: Library) -> Workspace {
    library.readsBuiltInTests = true
    return Workspace(
      library: library, host: makeHost(), checksBuiltIns: true, findsDoubts: true
    ) { context in try EntityStore(at: .memory, context: context) }
  }
}
