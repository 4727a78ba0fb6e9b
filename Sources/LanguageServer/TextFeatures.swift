import CEL
import ErrandKit
import LanguageService
import Source
import YAML

/// Semantic tokens, formatting and quick fixes.
enum TextFeatures {
  /// Token types of expressions, in the order of their numbers.
  private static let tokenTypes: [Value] = [
    "variable", "property", "function", "keyword", "number", "string", "operator",
  ]

  static let rows: [Feature] = [
    Feature(
      "textDocument/semanticTokens/full", "semanticTokensProvider",
      .object([
        "legend": .object(["tokenTypes": .list(tokenTypes), "tokenModifiers": .list([])]),
        "full": true,
      ])
    ) { server, parameters throws(ResponseError) in
      let document = try server.document(parameters)
      let index = try server.index(of: document)
      return .object(["data": .list(data(of: index, document.text, server.encoding))])
    },
    Feature("textDocument/formatting", "documentFormattingProvider") {
      server, parameters throws(ResponseError) in
      let document = try server.document(parameters)
      let old = document.text.text
      let file = SourceFile(name: document.path, text: old)
      // A file with mistakes is not formatted.
      guard let new = try? CanonicalLayout.text(of: file), new != old else { return .list([]) }
      let whole = server.range(0..<document.text.bytes.count, in: document.text)
      return .list([.object(["range": whole, "newText": .string(new)])])
    },
    Feature(
      "textDocument/codeAction", "codeActionProvider",
      .object(["codeActionKinds": .list(["quickfix"])])
    ) { server, parameters throws(ResponseError) in
      let document = try server.document(parameters)
      guard let start = parameters["range"]?["start"]?.position,
        let end = parameters["range"]?["end"]?.position
      else { throw ResponseError(.invalidParameters, "the request names no range") }
      let first = document.text.offset(of: start, server.encoding)
      let last = document.text.offset(of: end, server.encoding)
      return .list(try server.actions(in: first..<max(first, last), of: document))
    },
  ]

  /// Tokens in the protocol's relative form.
  private static func data(
    of index: DocumentIndex, _ text: TextDocument, _ encoding: PositionEncoding
  ) -> [Value] {
    var data: [Value] = []
    var last = TextPosition(line: 0, character: 0)
    var end = 0
    for (kind, range) in index.expressionTokens where range.lowerBound >= end {
      let start = text.position(of: range.lowerBound, encoding)
      let stop = text.position(of: range.upperBound, encoding)
      // Clients want each word on one line.
      guard start.line == stop.line, stop.character > start.character else { continue }
      let lines = start.line - last.line
      let columns = lines == 0 ? start.character - last.character : start.character
      data += [lines, columns, stop.character - start.character, code(of: kind), 0].map {
        .int(Int64($0))
      }
      last = start
      end = range.upperBound
    }
    return data
  }

  private static func code(of kind: ExpressionToken.Kind) -> Int {
    switch kind {
    case .name: 0
    case .field: 1
    case .function: 2
    case .keyword: 3
    case .number: 4
    case .string: 5
    case .mark: 6
    }
  }
}

extension LSPServer {
  /// Quick fixes for the diagnostics in a range; each is verified by a check.
  fileprivate func actions(
    in range: Range<Int>, of document: OpenDocument
  ) throws(ResponseError) -> [Value] {
    let findings = try view(of: document).findings
    let index = try index(of: document)
    var actions: [Value] = []
    for finding in findings {
      guard let span = finding.span, span.range.lowerBound <= range.upperBound,
        range.lowerBound <= span.range.upperBound
      else { continue }
      let fixes = AdviceReader.fixes(for: finding, among: findings, in: index) { bytes in
        definitions?.view(of: document.path, trying: bytes)?.findings
      }
      actions += fixes.map { action($0, finding, document) }
    }
    return actions
  }

  private func action(
    _ amendment: Amendment, _ finding: Diagnostic, _ document: OpenDocument
  ) -> Value {
    let edit = Value.object([
      "range": range(amendment.range, in: document.text), "newText": .string(amendment.text),
    ])
    return .object([
      "title": .string(amendment.title), "kind": "quickfix",
      "isPreferred": amendment.isCertain ? true : nil,
      "diagnostics": .list([diagnostic(finding, in: document)]),
      "edit": .object(["changes": .map(MapValue([(document.uri, .list([edit]))]))]),
    ])
  }
}
