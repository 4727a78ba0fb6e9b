package import CEL
import Catalog
import ErrandKit
package import Source

extension LSPServer {
  /// Publishes diagnostics of changed documents.
  package func checkChanged() -> [Value] {
    defer { outgoing = [] }
    for uri in documents.keys.sorted() where documents[uri]?.isChecked == false { check(uri) }
    return outgoing
  }

  /// Checks all documents again, since an edit may affect others, and publishes what changed.
  package func checkOthers() -> [Value] {
    defer { outgoing = [] }
    for uri in documents.keys.sorted() { check(uri, onlyNews: true) }
    return outgoing
  }

  private func check(_ uri: String, onlyNews: Bool = false) {
    guard let document = documents[uri], let view = definitions?.view(of: document.path) else {
      return
    }
    documents[uri]?.isChecked = true
    let findings = concerns(document, view) ? view.findings : []
    let value = Value.list(findings.map { diagnostic($0, in: document) })
    if onlyNews, value == document.published { return }
    if findings.isEmpty, document.published == nil, !concerns(document, view) { return }
    documents[uri]?.published = value
    publish(value.list ?? [], of: uri, version: document.text.version)
  }

  /// Whether a document belongs to Errand: by its language, its content or its folder.
  private func concerns(_ document: OpenDocument, _ view: EditedDefinitions.View) -> Bool {
    document.isDeclared || !view.catalog.definitions(in: view.file).isEmpty
      || document.path.contains("/.errand/") || document.path.contains("/.config/errand/")
      || view.catalog.problems.contains { $0.span?.file === view.file && $0.id == "name-taken" }
  }

  func publish(_ diagnostics: [Value], of uri: String, version: Int?) {
    send(
      "textDocument/publishDiagnostics",
      .object([
        "uri": .string(uri), "version": version.map { .int(Int64($0)) },
        "diagnostics": .list(diagnostics),
      ]))
  }

  /// A diagnostic in the protocol's form.
  func diagnostic(_ diagnostic: Diagnostic, in document: OpenDocument) -> Value {
    let severity: Value =
      switch diagnostic.severity {
      case .error: 1
      case .warning: 2
      case .note: 3
      }
    let related: [Value] =
      client.showsRelated
      ? diagnostic.related.compactMap { related in
        location(related.span).map {
          .object(["location": $0, "message": .string(related.message)])
        }
      } : []
    return .object([
      "range": range(diagnostic.span?.range ?? 0..<0, in: document.text),
      "severity": severity, "code": .string(diagnostic.id), "source": "errand",
      "message": .string(Self.message(of: diagnostic)),
      "relatedInformation": related.isEmpty ? nil : .list(related),
    ])
  }

  /// The message of a diagnostic with its help.
  package static func message(of diagnostic: Diagnostic) -> String {
    diagnostic.message + (diagnostic.help.map { "\nhelp: \($0)" } ?? "")
  }

  /// A byte range in the protocol's form.
  func range(_ bytes: Range<Int>, in text: TextDocument) -> Value {
    .object([
      "start": text.position(of: bytes.lowerBound, encoding).value,
      "end": text.position(of: bytes.upperBound, encoding).value,
    ])
  }

  /// A location in the protocol's form.
  func location(_ span: Span) -> Value? {
    let file = span.file
    guard let name = file.isBuiltIn ? definitions?.copy(ofBuiltIn: file) : file.name else {
      return nil
    }
    let uri = documents.values.first { $0.path == name }?.uri ?? DocumentURI.uri(of: name)
    return .object(["uri": .string(uri), "range": range(span.range, in: text(of: file))])
  }
}
