import CEL
import Catalog
import Engine
import ErrandKit
import LanguageService
import Source

/// Outlines, symbols of the workspace, folding and lenses.
enum SymbolFeatures {
  static let rows: [Feature] = [
    Feature("textDocument/documentSymbol", "documentSymbolProvider") {
      server, parameters throws(ResponseError) in
      let document = try server.document(parameters)
      let outline = try server.index(of: document).outline
      return .list(outline.map { server.symbol($0, document.text) })
    },
    Feature("workspace/symbol", "workspaceSymbolProvider") {
      server, parameters throws(ResponseError) in
      let query = parameters["query"]?.string?.lowercased() ?? ""
      guard let definitions = server.definitions else { return .list([]) }
      let context = definitions.anyView.workspace.context
      var symbols: [Value] = []
      for file in definitions.files {
        guard let uri = server.location(Span(file, 0..<0))?["uri"] else { continue }
        let text = server.text(of: file)
        for entry in DocumentIndex(file, context).outline
        where query.isEmpty || entry.name.lowercased().contains(query) {
          let range = server.range(entry.nameSpan.range, in: text)
          symbols.append(
            .object([
              "name": .string(entry.name), "kind": .int(entry.kind.code),
              "location": .object(["uri": uri, "range": range]),
            ]))
        }
      }
      return .list(symbols)
    },
    Feature("textDocument/foldingRange", "foldingRangeProvider") {
      server, parameters throws(ResponseError) in
      let document = try server.document(parameters)
      var seen: Set<Int> = []
      let ranges = try server.index(of: document).foldable.compactMap { span -> Value? in
        let start = document.text.position(of: span.range.lowerBound, server.encoding).line
        let end = document.text.position(of: span.range.upperBound, server.encoding).line
        guard end > start, seen.insert(start).inserted else { return nil }
        return .object(["startLine": .int(Int64(start)), "endLine": .int(Int64(end))])
      }
      return .list(ranges)
    },
    Feature(
      "textDocument/codeLens", "codeLensProvider", .object(["resolveProvider": false])
    ) { server, parameters throws(ResponseError) in
      let document = try server.document(parameters)
      let outline = try server.index(of: document).outline
      return .list(outline.flatMap { server.lenses($0, document) })
    },
  ]
}

extension LSPServer {
  fileprivate func symbol(_ entry: OutlineEntry, _ text: TextDocument) -> Value {
    // The protocol requires the range of the name to be within that of the symbol.
    let (whole, name) = (entry.span.range, entry.nameSpan.range)
    let range =
      min(whole.lowerBound, name.lowerBound)..<max(whole.upperBound, name.upperBound)
    return .object([
      "name": .string(entry.name.isEmpty ? "?" : entry.name), "kind": .int(entry.kind.code),
      "detail": entry.detail.map(Value.string), "range": self.range(range, in: text),
      "selectionRange": self.range(name, in: text),
      "children": .list(entry.children.map { symbol($0, text) }),
    ])
  }

  /// Lenses of a definition: run it, and run its tests.
  fileprivate func lenses(_ entry: OutlineEntry, _ document: OpenDocument) -> [Value] {
    if case .definition(.entity) = entry.kind { return [] }
    let hasTests = entry.children.contains { child in
      if case .test = child.kind { true } else { false }
    }
    let commands = [("run", "errand.run")] + (hasTests ? [("test", "errand.test")] : [])
    return commands.map { title, command in
      .object([
        "range": range(entry.nameSpan.range, in: document.text),
        "command": .object([
          "title": .string(title), "command": .string(command),
          "arguments": .list([.string(entry.name), .string(document.path)]),
        ]),
      ])
    }
  }
}

extension OutlineEntry.Kind {
  /// The number of the kind (LSP 3.17, “SymbolKind”).
  fileprivate var code: Int64 {
    switch self {
    case .definition(.entity): 5
    case .definition(.automation), .definition(.widget): 24
    case .definition: 12
    case .parameter, .variable: 13
    case .property: 7
    case .step: 6
    case .test: 9
    case .query: 20
    }
  }
}
