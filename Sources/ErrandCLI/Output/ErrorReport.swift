import Engine
import ErrandKit
import Exchange
import Inbox
import JSON
import Source
import Store

/// Any error that ends a command, in one form for people and programs.
struct ErrorReport {
  let code: String
  let message: String
  var help: String?
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var status = ExitStatus.failed
  /// Location of the failing step or expression.
  private var span: Span?
  /// The error of a run; nil for any other.
  private var failure: RunError?

  private var path: [String] { failure?.path ?? [] }
  /// The underlying errors, latest first.
  private var causes: [RunError] { failure?.causes ?? [] }
  /// Whether the failure is intended: the person declined, or a `fail` step.
  private var isMeant: Bool {
    failure.map { $0.isDeliberate || $0.code == .declined || $0.code == .cancelled } ?? false
  }

  /// Maximum number of causes shown to a person.
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
        isUsage ? "usage" : error.code == .locked ? "not-allowed" : "io", error.message,
        error.help ?? (error.code == .malformed ? RemedyText.text(of: .discardShare) : nil),
        status: isUsage ? ExitStatus.usage : ExitStatus.failed)
    case let error as ExchangeError: self.init(RunError(error))
    case let error as ErrandError: self.init(error.code, error.message, error.help)
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
    span = error.span
    failure = error
  }

  private init(_ diagnostics: [Diagnostic]) {
    let first = diagnostics.first
    self.init(
      first?.id ?? "internal", first?.message ?? "", first?.help,
      status: first?.id == "unwritable" ? ExitStatus.failed : ExitStatus.usage)
    self.diagnostics = diagnostics
    span = first?.span
  }

  /// Formats the report for a person.
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
    if let farewell = failure?.farewell { return "\(farewell)\n" }
    // Built-in documents and intended failures are shown without a source location.
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

  /// The path of steps, with the middle omitted if recursion made it long.
  private var shortPath: [String] {
    path.count > 10 ? path.prefix(3) + ["…"] + path.suffix(3) : path
  }

  /// Formats the report for `--json` and `--events`.
  var json: ErrorJSON {
    let summary = DiagnosticSummary(diagnostics)
    return ErrorJSON(
      code: code, message: message, help: help, path: path, span: span,
      all: diagnostics.count > 1 ? summary.shown.map { ErrorReport($0).json } : [],
      more: summary.hiddenCount,
      causes: causes.map { (code: $0.code.name, message: $0.message, path: $0.path) })
  }
}
