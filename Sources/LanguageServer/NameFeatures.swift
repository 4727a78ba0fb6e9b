import CEL
import Catalog
import ErrandKit
import LanguageService
import Program
import Source
import YAML

/// Definition, references and rename.
enum NameFeatures {
  static let rows: [Feature] = [
    Feature("textDocument/definition", "definitionProvider") {
      server, parameters throws(ResponseError) in
      guard let (place, index) = try server.named(parameters) else { return .null }
      return index.declaration(of: place.symbol).flatMap { server.location($0) } ?? .null
    },
    Feature("textDocument/references", "referencesProvider") {
      server, parameters throws(ResponseError) in
      guard let (place, index) = try server.named(parameters) else { return .list([]) }
      let takesDeclaration = parameters["context"]?["includeDeclaration"]?.bool ?? true
      let places = server.occurrences(of: place.symbol, index)
      return .list(
        places.filter { takesDeclaration || !$0.isDeclaration }
          .compactMap { server.location($0.span) })
    },
    Feature("textDocument/documentHighlight", "documentHighlightProvider") {
      server, parameters throws(ResponseError) in
      let document = try server.document(parameters)
      guard let (place, index) = try server.named(parameters) else { return .list([]) }
      return .list(
        index.occurrences.filter { $0.symbol == place.symbol }.map { other in
          .object([
            "range": server.range(other.span.range, in: document.text),
            "kind": other.isDeclaration ? 3 : 2,
          ])
        })
    },
    Feature("textDocument/prepareRename") { server, parameters throws(ResponseError) in
      let document = try server.document(parameters)
      guard let (place, index) = try server.named(parameters) else { return .null }
      if let reason = server.refusal(toRename: place.symbol, index) {
        throw ResponseError(.failed, reason)
      }
      return .object([
        "range": server.range(place.span.range, in: document.text),
        "placeholder": .string(place.symbol.name),
      ])
    },
    Feature("textDocument/rename", "renameProvider", .object(["prepareProvider": true])) {
      server, parameters throws(ResponseError) in
      guard let name = parameters["newName"]?.string else {
        throw ResponseError(.invalidParameters, "the request names no new name")
      }
      guard let (place, index) = try server.named(parameters) else {
        throw ResponseError(.failed, "there is no name here that can be changed")
      }
      let view = try server.view(of: try server.document(parameters))
      return try server.rename(place.symbol, to: name, index, view)
    },
  ]
}

extension LSPServer {
  /// The thing that is named at the place of a request; nil where none is.
  fileprivate func named(
    _ parameters: Value
  ) throws(ResponseError) -> (place: Occurrence, index: DocumentIndex)? {
    let (document, offset) = try place(parameters)
    let index = try index(of: document)
    return index.occurrence(at: offset).map { ($0, index) }
  }

  /// All places in reach where a thing is named.
  fileprivate func occurrences(of symbol: Symbol, _ index: DocumentIndex) -> [Occurrence] {
    let files: [SourceFile] =
      if case .local = symbol { [index.file] } else { index.context.catalog.files }
    return files.flatMap { file -> [Occurrence] in
      let other = file === index.file ? index : DocumentIndex(file, index.context)
      return other.occurrences.filter { $0.symbol == symbol }
    }
  }

  /// The reason a symbol cannot be renamed; nil if it can be.
  fileprivate func refusal(toRename symbol: Symbol, _ index: DocumentIndex) -> String? {
    switch symbol {
    case .definition(let name), .parameter(let name, _):
      if case .parameter(_, "input") = symbol { return "`input` is a word of the language" }
      return index.context.catalog.isBuiltIn(name) ? "`\(name)` came with the program" : nil
    case .property(let entity, let name):
      return index.context.catalog.isBuiltIn(entity)
        ? "`\(entity).\(name)` came with the program; add a property instead" : nil
    case .local: return nil
    }
  }

  fileprivate func rename(
    _ symbol: Symbol, to name: String, _ index: DocumentIndex, _ view: EditedDefinitions.View
  ) throws(ResponseError) -> Value {
    if let reason = refusal(toRename: symbol, index) { throw ResponseError(.failed, reason) }
    var files: [(file: SourceFile, spans: [Span])] = []
    for place in occurrences(of: symbol, index) {
      if let position = files.firstIndex(where: { $0.file === place.span.file }) {
        files[position].spans.append(place.span)
      } else {
        files.append((place.span.file, [place.span]))
      }
    }
    let former = try formerName(of: symbol, index)
    let edited = files.map { file, spans in
      (
        file: file,
        edits:
          (spans.map { ($0.range, name) }
          + (former.map { [$0] } ?? [])
          .filter { $0.span.file === file }.map { ($0.span.range, $0.text) })
          .sorted { $0.0.lowerBound > $1.0.lowerBound }
      )
    }
    let texts = edited.map { file, edits in
      var bytes = file.bytes
      for (range, text) in edits { bytes.replaceSubrange(range, with: text.utf8) }
      return (old: file, bytes: bytes)
    }
    if let mistake = definitions?.newMistake(in: view, replacing: texts) {
      throw ResponseError(.failed, "cannot rename to `\(name)`: \(mistake.message)")
    }
    var changes: [(String, Value)] = []
    for (file, edits) in edited {
      guard let uri = location(Span(file, 0..<0))?["uri"]?.string else { continue }
      let text = text(of: file)
      let values = edits.reversed().map {
        Value.object(["range": range($0.0, in: text), "newText": .string($0.1)])
      }
      changes.append((uri, .list(values)))
    }
    if case .definition(let old) = symbol, index.context.catalog.layer(ofEntity: old) != nil {
      send(
        "window/showMessage",
        .object([
          "type": 2,
          "message": .string(
            "Items that are stored as \(old) stay there: export them before you save, and import "
              + "them as \(name)."),
        ]))
    }
    return .object(["changes": .map(MapValue(changes))])
  }

  /// The edit that adds `formerly` to a renamed property, so that it keeps its stored values.
  private func formerName(
    of symbol: Symbol, _ index: DocumentIndex
  ) throws(ResponseError) -> (span: Span, text: String)? {
    guard case .property(let owner, let old) = symbol,
      let entity = (try? index.context.catalog.entity(owner)) ?? nil,
      let property = entity.property(old)
    else { return nil }
    let file = property.name.span.file
    let place = DocumentIndex(file, index.context).sites.first {
      $0.scalar.span.range == property.name.span.range
    }
    guard let value = place?.value else { return nil }
    guard let mapping = value.mapping else {
      let type = value.span.text
      let needsQuotes = type.contains(",") && type.first != "'" && type.first != "\""
      return (value.span, "{type: \(needsQuotes ? "'\(type)'" : type), formerly: \(old)}")
    }
    if let formerly = mapping["formerly"] {
      guard formerly.scalar != nil else {
        throw ResponseError(
          .failed, "`formerly` of `\(old)` has values of other properties: move them first")
      }
      return (formerly.span, old)
    }
    guard let last = mapping.entries.last else { return nil }
    let end = last.value.span.range.upperBound
    let column = mapping.entries[0].key.span.position.column - 1
    let isFlow = value.span.text.first == "{"
    return (
      Span(file, end..<end),
      isFlow
        ? ", formerly: \(old)" : "\n\(String(repeating: " ", count: column))formerly: \(old)"
    )
  }

  /// The text of a file, for places in it.
  func text(of file: SourceFile) -> TextDocument {
    documents.values.first { $0.path == file.name }?.text
      ?? TextDocument(file.text(in: 0..<file.bytes.count))
  }
}
