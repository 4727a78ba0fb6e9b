import CEL
import ErrandKit
import FoundationEssentials
import JSON
import LanguageServer
import TestSupport

/// A client of an in-process language server with a separate home.
final class Session {
  let folder = try! TemporaryFolder()
  let server: LSPServer
  /// The last diagnostics of each document.
  private(set) var diagnostics: [String: [Value]] = [:]
  /// All that it sent beside answers.
  private(set) var notifications: [Value] = []
  private(set) var capabilities = Value.null
  private var lastID: Int64 = 0
  private var versions: [String: Int64] = [:]

  init(
    _ files: [String: String] = [:], encodings: [String] = ["utf-16"]
  ) throws {
    let path = folder.path
    let options = LSPServer.Options(version: "test") { folder in
      try Errand.open(Self.options(home: path, folder: folder))
    }
    server = LSPServer(options)
    for (name, text) in files { try write(text, to: name) }
    let result = try request(
      "initialize",
      .map(
        MapValue([
          ("rootUri", .string(uri(""))),
          (
            "capabilities",
            Self.json(
              """
              {"general": {"positionEncodings": \(encodings)},
               "textDocument": {"completion": {"completionItem": {"snippetSupport": true}},
                 "publishDiagnostics": {"relatedInformation": true}}}
              """)
          ),
        ])))
    capabilities = result["capabilities"] ?? .null
    notify("initialized", .map(MapValue()))
  }

  /// The options of a user with the given home folder.
  static func options(home: String, folder: String?) -> Errand.Options {
    var options = Errand.Options()
    options.folder = folder ?? home
    options.environment = [
      "HOME": home, "TZ": "UTC", "ERRAND_ENRICH": "off", "XDG_CONFIG_HOME": "",
      "XDG_DATA_HOME": "", "XDG_STATE_HOME": "", "ERRAND_STORE": "",
    ]
    return options
  }

  static func json(_ text: String) -> Value { (try? JSONParser().parse(text)) ?? .null }

  // MARK: Files

  /// Writes a file of the folder that the client shows.
  func write(_ text: String, to name: String) throws {
    let file = URL(filePath: folder.path + "/" + name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func path(_ name: String) -> String { folder.path + (name.isEmpty ? "" : "/" + name) }

  func uri(_ name: String) -> String { "file://" + path(name) }

  // MARK: Messages

  struct Refusal: Error {
    let code: Int
    let message: String
  }

  /// The answer to a request.
  @discardableResult
  func request(_ method: String, _ parameters: Value) throws -> Value {
    lastID += 1
    let message = Value.map(
      MapValue([
        ("jsonrpc", "2.0"), ("id", .int(lastID)), ("method", .string(method)),
        ("params", parameters),
      ]))
    let answers = take(message).filter { $0["id"] == .int(lastID) && $0["method"] == nil }
    guard let answer = answers.first, answers.count == 1 else {
      throw Refusal(code: 0, message: "\(answers.count) answers")
    }
    if let error = answer["error"] {
      throw Refusal(code: error["code"]?.int ?? 0, message: error["message"]?.string ?? "")
    }
    return answer["result"] ?? .null
  }

  /// Sends a notification, and lets the server check the changed texts.
  func notify(_ method: String, _ parameters: Value) {
    _ = take(
      .map(
        MapValue([("jsonrpc", "2.0"), ("method", .string(method)), ("params", parameters)])))
    note(server.checkChanged())
  }

  /// Lets the server check the remaining texts, as it does when idle.
  func rest() { note(server.checkOthers()) }

  private func take(_ message: Value) -> [Value] {
    // As it travels.
    var reader = MessageReader()
    reader.append(MessageReader.bytes(of: message))
    var answers: [Value] = []
    while let part = reader.next() { answers += server.take(part) }
    note(answers)
    return answers
  }

  private func note(_ messages: [Value]) {
    for message in messages where message["method"] != nil {
      notifications.append(message)
      guard message["method"] == "textDocument/publishDiagnostics",
        let uri = message["params"]?["uri"]?.string
      else { continue }
      diagnostics[uri] = message["params"]?["diagnostics"]?.list ?? []
    }
  }

  // MARK: Documents

  /// Opens a document of the folder with a text.
  func open(_ name: String, _ text: String, language: String = "yaml") {
    versions[name] = 1
    notify(
      "textDocument/didOpen",
      .map(
        MapValue([
          (
            "textDocument",
            .map(
              MapValue([
                ("uri", .string(uri(name))), ("languageId", .string(language)), ("version", 1),
                ("text", .string(text)),
              ]))
          )
        ])))
  }

  /// Gives a document another text as a whole.
  func replace(_ name: String, _ text: String) {
    change(name, [.map(MapValue([("text", .string(text))]))])
  }

  /// Replaces a range with a text.
  func edit(
    _ name: String, _ start: TextPosition, _ end: TextPosition, _ text: String
  ) {
    change(name, [.map(MapValue([("range", range(start, end)), ("text", .string(text))]))])
  }

  func change(_ name: String, _ changes: [Value]) {
    versions[name, default: 1] += 1
    notify(
      "textDocument/didChange",
      .map(
        MapValue([
          (
            "textDocument",
            .map(
              MapValue([
                ("uri", .string(uri(name))), ("version", .int(versions[name] ?? 1)),
              ]))
          ),
          ("contentChanges", .list(changes)),
        ])))
  }

  func position(_ position: TextPosition) -> Value {
    .map(
      MapValue([
        ("line", .int(Int64(position.line))), ("character", .int(Int64(position.character))),
      ]))
  }

  func range(_ start: TextPosition, _ end: TextPosition) -> Value {
    .map(MapValue([("start", position(start)), ("end", position(end))]))
  }

  /// The parameters of a request about a document, and about a place in it.
  func parameters(_ name: String, at place: TextPosition? = nil, _ others: (String, Value)...)
    -> Value
  {
    var members: [(String, Value)] = [
      ("textDocument", .map(MapValue([("uri", .string(uri(name)))])))
    ]
    if let place { members.append(("position", position(place))) }
    return .map(MapValue(members + others))
  }
}

extension Value {
  subscript(name: String) -> Value? {
    if case .map(let map) = self { map[name] } else { nil }
  }

  subscript(index: Int) -> Value? {
    if case .list(let list) = self, list.indices.contains(index) { list[index] } else { nil }
  }

  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  var int: Int? {
    if case .int(let number) = self { Int(number) } else { nil }
  }

  var list: [Value]? {
    if case .list(let list) = self { list } else { nil }
  }

  /// The position of a range's beginning or end.
  var place: TextPosition {
    TextPosition(line: self["line"]?.int ?? -1, character: self["character"]?.int ?? -1)
  }
}

extension TextDocument {
  /// The text with edits of the protocol, applied from its end.
  func applying(_ edits: [Value], _ encoding: PositionEncoding = .utf16) -> String {
    var text = self
    let sorted = edits.enumerated().sorted { a, b in
      let (first, second) = (
        a.element["range"]?["start"]?.place, b.element["range"]?["start"]?.place
      )
      guard let first, let second, first != second else { return a.offset > b.offset }
      return (first.line, first.character) > (second.line, second.character)
    }
    for (_, edit) in sorted {
      guard let range = edit["range"], let start = range["start"]?.place,
        let end = range["end"]?.place
      else { continue }
      text.replace(from: start, to: end, with: edit["newText"]?.string ?? "", encoding)
    }
    return text.text
  }
}
