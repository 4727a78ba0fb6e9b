import Engine
import ErrandKit
import Exchange
import Inbox
import JSON
import Source
import Store

/// Anything that can end a command, in one form for people and programs.
struct ErrorReport {
  let code: String
  let message: String
  let help: String?
  let path: [String]
  let diagnostics: [Diagnostic]
  let status: Int32
  /// Where the failing step or expression stands.
  let span: Span?
  /// Whether nothing is wrong with the program: the person said no, or a `fail` step meant it.
  private let isMeant: Bool
  /// What a person is told who said no or left; nil for a failure.
  private let farewell: String?
  /// The errors that led to it, the latest first.
  private let causes: [RunError]

  /// How many causes a person is shown.
  private static let shownCauses = 5

  init(_ error: any Error) {
    switch error {
    case let error as Diagnostics:
      self.init(diagnostics: error.all)
    case let error as Diagnostic:
      self.init(diagnostics: [error])
    case let error as UsageError:
      self.init("usage", error.message, help: error.help, status: ExitStatus.usage)
    case let error as RunError:
      self.init(
        error.code.name, error.message, help: error.remedy.map(RemedyText.text), path: error.path,
        status: error.code == .usage ? ExitStatus.usage : ExitStatus.of(error), span: error.span,
        isMeant: error.isDeliberate || error.code == .declined || error.code == .cancelled,
        farewell: error.farewell, causes: error.causes)
    case let error as StoreError:
      self.init(
        error.languageCode, error.message, help: error.remedy.map(RemedyText.text),
        status: ExitStatus.failed)
    case let error as InboxError:
      self.init(
        error.code == .unfit ? "usage" : "io", error.message, help: error.help,
        status: error.code == .unfit ? ExitStatus.usage : ExitStatus.failed)
    case let error as ExchangeError:
      self.init(RunError(error))
    case let error as JSONError:
      self.init("invalid-value", error.description, status: ExitStatus.failed)
    default:
      self.init("internal", "\(error)", status: ExitStatus.failed)
    }
  }

  private init(
    _ code: String, _ message: String, help: String? = nil, path: [String] = [],
    diagnostics: [Diagnostic] = [], status: Int32, span: Span? = nil,
    isMeant: Bool = false, farewell: String? = nil, causes: [RunError] = []
  ) {
    self.isMeant = isMeant
    self.farewell = farewell
    self.causes = causes
    self.code = code
    self.message = message
    self.help = help
    self.path = path
    self.diagnostics = diagnostics
    self.status = status
    self.span = span
  }

  private init(diagnostics: [Diagnostic]) {
    let first = diagnostics.first
    self.init(
      first?.id ?? "internal", first?.message ?? "", help: first?.help, diagnostics: diagnostics,
      status: first?.id == "unwritable" ? ExitStatus.failed : ExitStatus.usage, span: first?.span)
  }

  /// The report for a person.
  func text(style: DiagnosticStyle) -> TerminalText {
    if !diagnostics.isEmpty {
      let summary = DiagnosticSummary(diagnostics)
      var lines = summary.shown.map {
        ($0.span == nil ? "errand: " : "") + $0.rendered(style: style)
      }
      lines += summary.notes
      let errors = diagnostics.filter { $0.severity == .error }.count
      if errors > 1 { lines.append("\(errors) errors") }
      return lines.joined(separator: "\n") + "\n"
    }
    if let farewell { return "\(farewell)\n" }
    // A built-in document is no file that a person could look at: the path of steps says more.
    // What was meant to end so needs neither.
    let place = span.flatMap { $0.file.isBuiltIn || isMeant ? nil : $0 }
    let isDeep = !isMeant && path.count > 1
    let steps = isDeep || place != nil ? shortPath.joined(separator: " › ") : ""
    let diagnostic = Diagnostic(
      code, message + (steps.isEmpty ? "" : " (in \(steps))"), at: place, help: help)
    var lines = [(place == nil ? "errand: " : "") + diagnostic.rendered(style: style)]
    for cause in causes.prefix(Self.shownCauses) {
      lines.append("  " + style.help("cause: ") + "\(cause.message) [\(cause.code.name)]")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The path without its middle, when it is as long as only something that calls itself makes it.
  private var shortPath: [String] {
    path.count > 10 ? path.prefix(3) + ["…"] + path.suffix(3) : path
  }

  /// The report for `--json` and `--events`.
  var json: ErrorJSON {
    let summary = DiagnosticSummary(diagnostics)
    return ErrorJSON(
      code: code, message: message, help: help, path: path, span: span,
      all: diagnostics.count > 1 ? summary.shown.map { ErrorReport($0).json } : [],
      more: summary.hiddenCount,
      causes: causes.map { (code: $0.code.name, message: $0.message, path: $0.path) })
  }
}
