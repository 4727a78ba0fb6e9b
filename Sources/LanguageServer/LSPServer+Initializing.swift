import CEL
import ErrandKit
import Source

/// Client capabilities that affect answers.
struct ClientAbilities {
  /// Whether completions may be snippets.
  var takesSnippets = false
  /// Whether it can watch files for the server.
  var watchesFiles = false
  /// Whether it shows related information of diagnostics.
  var showsRelated = false

  init() {}

  init(_ value: Value?) {
    let document = value?["textDocument"]
    takesSnippets = document?["completion"]?["completionItem"]?["snippetSupport"]?.bool ?? false
    showsRelated = document?["publishDiagnostics"]?["relatedInformation"]?.bool ?? false
    watchesFiles =
      value?["workspace"]?["didChangeWatchedFiles"]?["dynamicRegistration"]?.bool ?? false
  }
}

extension LSPServer {
  func initialize(_ parameters: Value) throws(ResponseError) -> Value {
    let abilities = parameters["capabilities"]
    client = ClientAbilities(abilities)
    let encodings = abilities?["general"]?["positionEncodings"]?.list?.compactMap(\.string) ?? []
    if encodings.contains(PositionEncoding.utf8.rawValue) { encoding = .utf8 }
    let folders = Self.folders(parameters)
    do {
      let errand = try options.open(folders.first)
      definitions = EditedDefinitions(
        errand, folders: folders.flatMap { [$0, $0 == "/" ? "/.errand" : $0 + "/.errand"] })
    } catch {
      throw ResponseError(.failed, (error as? ErrandError)?.message ?? "\(error)")
    }
    state = .running
    var capabilities: [(String, Value)] = [
      ("positionEncoding", .string(encoding.rawValue)),
      ("textDocumentSync", .object(["openClose": true, "change": 2])),
    ]
    for feature in Feature.all {
      if let (name, value) = feature.capability { capabilities.append((name, value)) }
    }
    return .object([
      "capabilities": .map(MapValue(capabilities)),
      "serverInfo": .object(["name": "errand", "version": .string(options.version)]),
    ])
  }

  /// Workspace folders of the client.
  private static func folders(_ parameters: Value) -> [String] {
    let folders = parameters["workspaceFolders"]?.list?.compactMap { $0["uri"]?.string } ?? []
    let uris = folders.isEmpty ? [parameters["rootUri"]?.string].compactMap { $0 } : folders
    let paths = uris.compactMap(DocumentURI.path)
    return (paths.isEmpty ? [parameters["rootPath"]?.string].compactMap { $0 } : paths).map {
      $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0
    }
  }

  /// Registers file watchers, and shows problems with loading.
  func registerWatchers() {
    for note in definitions?.notes ?? [] {
      send("window/showMessage", .object(["type": 2, "message": .string(note)]))
    }
    guard client.watchesFiles else { return }
    let watchers: Value = ["**/*.yaml", "**/*.yml"]
    let options = Value.object([
      "watchers": .list((watchers.list ?? []).map { .object(["globPattern": $0]) })
    ])
    request(
      "client/registerCapability",
      .object([
        "registrations": .list([
          .object([
            "id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": options,
          ])
        ])
      ]))
  }
}
