import CEL
import Engine
import ErrandKit
import LanguageService
import Program
import Source

/// Completion, hover and signature help.
enum CompletionFeatures {
  static let rows: [Feature] = [
    Feature(
      "textDocument/completion", "completionProvider",
      .object([
        "triggerCharacters": .list([".", "{", " ", "\"", "'", "<", "-"]), "resolveProvider": true,
      ])
    ) { server, parameters throws(ResponseError) in
      let (document, offset) = try server.place(parameters)
      let completer = Completer(document.text.bytes, at: offset) {
        server.index(of: document, trying: $0)
      }
      guard let completer else { return .object(["isIncomplete": false, "items": .list([])]) }
      let range = server.range(completer.range, in: document.text)
      let uri = Value.string(document.uri)
      return .object([
        "isIncomplete": false,
        "items": .list(completer.items.map { server.value(of: $0, range, uri) }),
      ])
    },
    Feature("completionItem/resolve") { server, item throws(ResponseError) in
      guard let data = item["data"], let uri = data["uri"]?.string, let name = data["name"]?.string,
        let document = server.documents[uri]
      else { return item }
      let explainer = Explainer(try server.view(of: document).workspace.context)
      let text: String? =
        switch data["kind"]?.string {
        case "verb": explainer.context.verbs.signature(named: name).map { explainer.text(of: $0) }
        case "function": explainer.text(ofFunction: name)
        default: explainer.text(ofDefinition: name)
        }
      guard case .map(var map) = item, let text else { return item }
      map["documentation"] = server.markdown(text)
      return .map(map)
    },
    Feature("textDocument/hover", "hoverProvider") { server, parameters throws(ResponseError) in
      let (document, offset) = try server.place(parameters)
      guard let hover = Hover(try server.index(of: document), at: offset) else { return .null }
      return .object([
        "contents": server.markdown(hover.text),
        "range": server.range(hover.range, in: document.text),
      ])
    },
    Feature(
      "textDocument/signatureHelp", "signatureHelpProvider",
      .object(["triggerCharacters": .list(["(", ","])])
    ) { server, parameters throws(ResponseError) in
      let (document, offset) = try server.place(parameters)
      let help = SignatureHelp(document.text.bytes, at: offset) {
        server.index(of: document, trying: $0)
      }
      guard let help else { return .null }
      let text = ReferencePages.function(help.name)
      return .object([
        "signatures": .list(
          help.forms.map { form in
            .object([
              "label": .string(form.label), "documentation": text.map { server.markdown($0) },
              "parameters": .list(
                form.arguments.map { range in
                  .object([
                    "label": .string(String(decoding: Array(form.label.utf8)[range], as: UTF8.self))
                  ])
                }),
            ])
          }),
        "activeSignature": .int(Int64(help.form)), "activeParameter": .int(Int64(help.argument)),
      ])
    },
  ]
}

extension LSPServer {
  /// The index of a document as it is.
  func index(of document: OpenDocument) throws(ResponseError) -> DocumentIndex {
    let view = try view(of: document)
    if let index = indexes[document.uri], index.file === view.file,
      index.context.catalog === view.catalog
    {
      return index
    }
    let index = DocumentIndex(view.file, view.workspace.context)
    indexes[document.uri] = index
    return index
  }

  /// The index of a document with another text, which is not kept.
  func index(of document: OpenDocument, trying bytes: [UInt8]) -> DocumentIndex? {
    definitions?.view(of: document.path, trying: bytes).map {
      DocumentIndex($0.file, $0.workspace.context)
    }
  }

  func markdown(_ text: String) -> Value {
    .object(["kind": "markdown", "value": .string(text)])
  }

  /// A completion as clients read it.
  fileprivate func value(of item: CompletionItem, _ range: Value, _ uri: Value) -> Value {
    let snippet = client.takesSnippets ? item.snippet : nil
    let data: Value? = item.subject.map { subject in
      let (kind, name) =
        switch subject {
        case .verb(let name): ("verb", name)
        case .function(let name): ("function", name)
        case .definition(let name): ("definition", name)
        }
      return .object(["kind": .string(kind), "name": .string(name), "uri": uri])
    }
    return .object([
      "label": .string(item.label), "kind": .int(item.kind.code),
      "detail": item.detail.map(Value.string), "documentation": item.help.map { markdown($0) },
      "sortText": .string("\(item.group)\(item.label)"), "data": data,
      "insertTextFormat": snippet == nil ? nil : 2,
      "textEdit": .object(["range": range, "newText": .string(snippet ?? item.insert)]),
    ])
  }
}

extension CompletionItem.Kind {
  /// The number of the kind (LSP 3.17, “CompletionItemKind”).
  fileprivate var code: Int64 {
    switch self {
    case .key, .block: 14
    case .verb, .function, .macro: 3
    case .action: 2
    case .entity: 7
    case .argument, .parameter, .property: 10
    case .value: 12
    case .type: 25
    case .variable: 6
    }
  }
}
