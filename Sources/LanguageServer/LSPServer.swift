package import CEL
import Catalog
package import ErrandKit
import LanguageService
import Source

/// A language server: takes the messages of one client and returns its answers.
///
/// ``ServerLoop`` does the reading and writing. Not thread-safe.
package final class LSPServer {
  /// Dependencies of the server.
  package struct Options {
    /// Opens a person's Errand in a folder; nil for the working folder.
    package var open: (_ folder: String?) throws -> Errand
    /// The version of the program.
    package var version: String

    package init(version: String, open: @escaping (_ folder: String?) throws -> Errand) {
      self.version = version
      self.open = open
    }
  }

  /// A document open in the client.
  struct OpenDocument {
    var text: TextDocument
    let uri: String
    /// The path of the file, or its URI if it has none.
    let path: String
    /// Whether the client gave it the language `errand`.
    let isDeclared: Bool
    /// Whether the published diagnostics are those of the current text.
    var isChecked = false
    /// The diagnostics published last.
    var published: Value?
  }

  enum State {
    case new, running, shutDown
    case exited(Int32)
  }

  let options: Options
  var state = State.new
  var encoding = PositionEncoding.utf16
  var client = ClientAbilities()
  var documents: [String: OpenDocument] = [:]
  /// The definitions; nil before `initialize`.
  var definitions: EditedDefinitions?
  /// Indexes by URI, each valid for one version of its document.
  var indexes: [String: DocumentIndex] = [:]
  /// Messages to send.
  var outgoing: [Value] = []
  private var lastRequest: Int64 = 0

  package init(_ options: Options) { self.options = options }

  /// The exit status after `exit`.
  package var exitStatus: Int32? {
    if case .exited(let status) = state { status } else { nil }
  }

  /// Whether a document changed since its diagnostics were published.
  package var hasUncheckedText: Bool { documents.values.contains { !$0.isChecked } }

  /// The text of a document as the server has it; nil where it is not open.
  package func text(of uri: String) -> String? { documents[uri]?.text.text }

  // MARK: Messages

  /// Handles a message and returns the messages to send.
  package func take(_ part: MessageReader.Part) -> [Value] {
    defer { outgoing = [] }
    switch part {
    case .malformed(let reason):
      outgoing.append(Self.failure(ResponseError(.parse, reason), id: .null))
    case .message(.list(let batch)):
      // JSON-RPC has batches, and the protocol of editors has none.
      for message in batch { take(message) }
    case .message(let message): take(message)
    }
    return outgoing
  }

  private func take(_ message: Value) {
    let id = message["id"]
    guard let method = message["method"]?.string else {
      // Responses to the server's requests need no answer.
      if message["result"] == nil, message["error"] == nil {
        outgoing.append(
          Self.failure(ResponseError(.invalidRequest, "a message needs a method"), id: id ?? .null))
      }
      return
    }
    let parameters = message["params"] ?? .null
    guard let id else { return notify(method, parameters) }
    do throws(ResponseError) {
      let result = try answer(method, parameters)
      outgoing.append(.object(["jsonrpc": "2.0", "id": id, "result": result]))
    } catch {
      outgoing.append(Self.failure(error, id: id))
    }
  }

  /// The answer to a cancelled request.
  package static func cancelled(_ id: Value) -> Value {
    failure(ResponseError(.cancelled, "the request was cancelled"), id: id)
  }

  private static func failure(_ error: ResponseError, id: Value) -> Value {
    .object([
      "jsonrpc": "2.0", "id": id,
      "error": .object(["code": .int(error.code.rawValue), "message": .string(error.message)]),
    ])
  }

  /// Sends a notification.
  func send(_ method: String, _ parameters: Value) {
    outgoing.append(.object(["jsonrpc": "2.0", "method": .string(method), "params": parameters]))
  }

  /// Sends a request and ignores the answer.
  func request(_ method: String, _ parameters: Value) {
    lastRequest += 1
    outgoing.append(
      .object([
        "jsonrpc": "2.0", "id": .string("errand-\(lastRequest)"), "method": .string(method),
        "params": parameters,
      ]))
  }

  private func answer(_ method: String, _ parameters: Value) throws(ResponseError) -> Value {
    switch (state, method) {
    case (.new, "initialize"): return try initialize(parameters)
    case (.new, _): throw ResponseError(.notInitialized, "the first request is `initialize`")
    case (.running, "shutdown"):
      state = .shutDown
      return .null
    case (.running, "initialize"):
      throw ResponseError(.invalidRequest, "the server is initialized already")
    case (.running, _): break
    case (.shutDown, _), (.exited, _):
      throw ResponseError(.invalidRequest, "the server was shut down")
    }
    guard let feature = Feature.all.first(where: { $0.method == method }) else {
      throw ResponseError(.methodNotFound, "unknown method `\(method.prefix(80))`")
    }
    return try feature.answer(self, parameters)
  }

  private func notify(_ method: String, _ parameters: Value) {
    if method == "exit" {
      if case .shutDown = state { state = .exited(0) } else { state = .exited(1) }
      return
    }
    guard case .running = state else { return }
    switch method {
    case "initialized": registerWatchers()
    case "textDocument/didOpen": open(parameters["textDocument"] ?? .null)
    case "textDocument/didChange": change(parameters)
    case "textDocument/didClose": close(parameters)
    case "workspace/didChangeWatchedFiles": reload()
    default: break
    }
  }

  // MARK: Texts

  private func open(_ item: Value) {
    guard let uri = item["uri"]?.string, let text = item["text"]?.string else { return }
    let path = DocumentURI.path(of: uri) ?? uri
    documents[uri] = OpenDocument(
      text: TextDocument(text, version: item["version"]?.int ?? 0), uri: uri, path: path,
      isDeclared: item["languageId"]?.string == "errand")
    definitions?.edit(path, Array(text.utf8))
  }

  private func change(_ parameters: Value) {
    guard let identifier = parameters["textDocument"], let uri = identifier["uri"]?.string,
      var document = documents.removeValue(forKey: uri)
    else { return }
    for change in parameters["contentChanges"]?.list ?? [] {
      guard let text = change["text"]?.string else { continue }
      if let range = change["range"] {
        guard let start = range["start"]?.position, let end = range["end"]?.position else {
          continue
        }
        document.text.replace(from: start, to: end, with: text, encoding)
      } else {
        document.text = TextDocument(text, version: document.text.version)
      }
    }
    document.text.version = identifier["version"]?.int ?? document.text.version
    document.isChecked = false
    definitions?.edit(document.path, document.text.bytes)
    documents[uri] = document
  }

  private func close(_ parameters: Value) {
    guard let uri = parameters["textDocument"]?["uri"]?.string,
      let document = documents.removeValue(forKey: uri)
    else { return }
    definitions?.close(document.path)
    indexes[uri] = nil
    if document.published != nil { publish([], of: uri, version: nil) }
  }

  private func reload() {
    definitions?.reload()
    for uri in documents.keys { documents[uri]?.isChecked = false }
  }

  /// The document of a request.
  func document(_ parameters: Value) throws(ResponseError) -> OpenDocument {
    guard let uri = parameters["textDocument"]?["uri"]?.string else {
      throw ResponseError(.invalidParameters, "the request names no document")
    }
    guard let document = documents[uri] else {
      throw ResponseError(.invalidParameters, "the document is not open: \(uri.prefix(200))")
    }
    return document
  }

  /// The view of a document.
  func view(of document: OpenDocument) throws(ResponseError) -> EditedDefinitions.View {
    guard let view = definitions?.view(of: document.path) else {
      throw ResponseError(.invalidParameters, "the document is not open")
    }
    return view
  }

  /// The document and byte offset of a request.
  func place(_ parameters: Value) throws(ResponseError) -> (document: OpenDocument, offset: Int) {
    let document = try document(parameters)
    guard let position = parameters["position"]?.position else {
      throw ResponseError(.invalidParameters, "the request names no position")
    }
    return (document, document.text.offset(of: position, encoding))
  }
}

/// The error of a request.
struct ResponseError: Error {
  /// The codes of JSON-RPC and of the protocol.
  enum Code: Int64 {
    case parse = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParameters = -32602
    case notInitialized = -32002
    case cancelled = -32800
    /// A valid request that cannot be fulfilled.
    case failed = -32803
  }

  let code: Code
  let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
