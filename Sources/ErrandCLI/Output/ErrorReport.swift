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
  var help: String?
  private var path: [String] = []
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var status = ExitStatus.failed
  /// Where the failing step or expression stands.
  private var span: Span?
  /// Whether nothing is wrong with the program: the person said no, or a `fail` step meant it.
  private var isMeant = false
  /// What a person is told who said no or left; nil for a failure.
  private var farewell: String?
  /// The errors that led to it, the latest first.
  private var causes: [RunError] = []

  /// How many causes a person is shown.
  private static let shownCauses = 5

  init(_ error: any Error) {
    switch error {
    case let error as Diagnostics: self.init(error.all)
    case let error as Diagnostic: self.init([error])
    case let error as UsageError:
      self.init("usage", error.message, error.help, status: ExitStatus.usage)
    case let error as RunError: self.init(error)
    case let error as StoreError:
      self.init(error.languageCode, error.message, error.remedy.map(RemedyText.text))
    case let error as InboxError:
      let isUsage = error.code == .unfit
      self.init(
        isUsage ? "usage" : "io", error.message,
        error.help ?? (error.code == .malformed ? RemedyText.text(of: .discardShare) : nil),
        status: isUsage ? ExitStatus.usage : ExitStatus.failed)
    case let error as ExchangeError: self.init(RunError(error))
    case let error as JSONError: self.init("invalid-value", error.description)
    default: self.init("internal", "\(error)")
    }
  }

  private init(
    _ code: String, _ message: String, _ help: String? = nil, status: Int32 = ExitStatus.failed
  ) {
    self.code = code
    self.message = message
    self.help = help
    self.status = status
  }

  private init(_ error: RunError) {
    self.init(
      error.code.name, error.message, error.remedy.map(RemedyText.text),
      status: error.code == .usage ? ExitStatus.usage : ExitStatus.of(error))
    path = error.path
    span = error.span
    isMeant = error.isDeliberate || error.code == .declined || error.code == .cancelled
    farewell = error.farewell
    causes = error.causes
  }

  private init(_ diagnostics: [Diagnostic]) {
    let first = diagnostics.first
    self.init(
      first?.id ?? "internal", first?.message ?? "", first?.help,
      status: first?.id == "unwritable" ? ExitStatus.failed : ExitStatus.usage)
    self.diagnostics = diagnostics
    span = first?.span
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
