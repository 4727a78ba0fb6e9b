import CEL
import Catalog
import ForeignText
import Inbox
import Items
import Program
import Store
import YAML

/// File operations of a run.
extension Run {
  /// Maximum size of a file read into a value, in bytes.
  static let fileLimit = 64 << 20

  /// A path with `~` expanded to the home folder.
  ///
  /// - Throws: `invalid-value` for an empty path, or one with a NUL byte, which the system would
  ///   truncate.
  func path(_ text: String) throws -> String {
    if text.isEmpty {
      throw RunError(.invalidValue, "empty path", help: "the working folder is `.`")
    }
    if text.utf8.contains(0) {
      throw RunError(.invalidValue, "a path contains a NUL byte: “\(text.shortened)”")
    }
    return expanded(text)
  }

  /// A text with a leading `~` or `~/` expanded to the home folder.
  func expanded(_ text: String) -> String {
    guard text == "~" || text.hasPrefix("~/"), let home = host.environment("HOME") else {
      return text
    }
    return home + text.dropFirst()
  }

  /// A value of a type, with `~` expanded in its paths.
  func expanded(_ value: Value, _ type: DataType) -> Value {
    switch (type.unwrapped, value) {
    case (.file, .string(let text)): .string(expanded(text))
    case (.list(let element), .list(let values)): .list(values.map { expanded($0, element) })
    default: value
    }
  }

  /// A description of binary content by its signature; nil for possible text.
  private static func kind(of bytes: [UInt8]) -> String? {
    let type = ContentSignature.mediaType(ofFile: bytes)
    switch type.prefix(while: { $0 != "/" }) {
    case "image": return "an image"
    case "audio": return "a sound file"
    case "video": return "a video"
    case "application" where type == "application/pdf": return "a PDF"
    case "application" where type == "application/vnd.sqlite3": return "a database"
    case "application" where type.contains("document"): return "an office document"
    case "application"
    where type != "application/octet-stream" && !type.contains("mbox") && !type.contains("json")
      && !type.contains("xml") && !type.contains("yaml"):
      return "an archive"
    default: return nil
    }
  }

  /// The content of a file.
  ///
  /// - Throws: `io`, `not-found`.
  func bytes(of path: String, by files: FileAccess? = nil) throws -> [UInt8] {
    let files = files ?? host.machine.files
    return try outside {
      bringHere(path)
      return try files.read(path, Self.fileLimit)
    }
  }

  /// Fetches the bytes of a kept file that another machine has added.
  func bringHere(_ path: String) {
    let name = FilePathText.name(of: path)
    guard name.utf8.count == 64, path.hasSuffix(".files/" + name),
      (try? host.machine.files.status(path) == nil) == true
    else { return }
    _ = host.fetchKept(path)
  }

  /// The text of a file.
  ///
  /// - Throws: `io`, `not-found`, `invalid-value` when the encoding does not match.
  func text(
    of path: String, _ encoding: Charset = .utf8, by files: FileAccess? = nil
  ) throws -> String {
    let bytes = try bytes(of: path, by: files)
    guard let text = DecodedText.exact(bytes, encoding) else {
      if let kind = Self.kind(of: bytes) {
        throw RunError(
          .invalidValue, "\(path) is \(kind), and read-file reads text",
          help: "as: bytes reads it unchanged, for page() and fileHash()")
      }
      throw RunError(
        .invalidValue, "\(path) is not text in \(encoding.name)",
        help: "name its encoding: csv: {encoding: latin1}")
    }
    return text
  }

  // MARK: Moves, which `undo` can take back

  /// Moves or copies a file; returns the new path, or nil when skipped.
  func transfer(_ transfer: FileTransfer) throws -> String? {
    // Report an unusable store before moving anything.
    let store = try transfer.isCopy ? nil : store()
    let result = try outside { try host.machine.files.transfer(transfer) }
    if let move = result?.move, let store { try note(move, in: store) }
    return result?.path
  }

  /// Makes the missing folders of a file.
  func makeParents(of path: String) throws {
    _ = try outside { try host.machine.files.makeFolder(FilePathText.folder(of: path)) }
  }

  /// Makes a folder and its missing parents, for `undo` to remove while they are empty.
  func makeFolder(_ path: String) throws {
    let store = try store()
    for folder in try outside({ try host.machine.files.makeFolder(path) }) {
      try note(folder, in: store)
    }
  }

  /// Moves a file to the trash and returns its path there.
  func trash(_ path: String) throws -> String {
    let store = try store()
    let move = try outside { try host.machine.files.trash(path) }
    try note(move, in: store)
    return move.to
  }

  /// Logs a move for `undo`; reverts the move when that fails.
  private func note(_ move: FileMove, in store: Database) throws {
    do {
      try RunError.translating { try store.changes.note(move) }
      try commitWrites()
    } catch {
      do { _ = try host.machine.files.takeBack(move) } catch {
        host.log("\(move.from) was moved to \(move.to), and `undo` cannot revert that")
      }
      throw error
    }
  }

  // MARK: Kept files

  /// Stores bytes beside the store.
  ///
  /// - Throws: `io`.
  package func keep(_ bytes: [UInt8], at path: String) throws -> KeptFile {
    let files = host.machine.files
    var folder: String?
    if case .file(let store) = try store().location {
      folder = files.canonical(store + ".files")
    }
    return try outside { try files.keep(bytes, path, folder) }
  }

  /// Stores the content of a file, and returns the properties for its item.
  ///
  /// - Throws: `invalid-value` when the entity has no `hash`, `io`, `not-found`.
  func keeping(
    _ path: String, in values: [(name: String, value: Value)], of entity: EntityDefinition
  ) throws -> [(name: String, value: Value)] {
    guard entity.property("hash") != nil else {
      throw RunError(
        .invalidValue, "\(entity.name.text) cannot store files: it has no property `hash`",
        help: "create a File")
    }
    let files = host.machine.files
    let kept = try keep(outside { try files.read(path, KeptFile.limit) }, at: path)
    var values = values
    func give(_ name: String, _ value: Value, isDefault: Bool = false) {
      guard entity.property(name) != nil else { return }
      if let position = values.firstIndex(where: { $0.name == name }) {
        if !isDefault || values[position].value.isNull { values[position].value = value }
      } else {
        values.append((name, value))
      }
    }
    give("hash", .string(kept.hash))
    give("path", .string(kept.path))
    give("size", .int(kept.size))
    give("name", .string(FilePathText.name(of: path)), isDefault: true)
    give("mediaType", .string(kept.mediaType), isDefault: true)
    return values
  }
}

extension RunError {
  /// The error for a file whose folder does not exist.
  package static func missingFolder(of path: String) -> RunError {
    let folder = FilePathText.folder(of: path)
    return RunError(
      .notFound, "there is no folder \(folder) for \(FilePathText.name(of: path))",
      help: "add `parents: true` to the step, or make it: mkdir -p \(folder.quotedForShell)")
  }
}
