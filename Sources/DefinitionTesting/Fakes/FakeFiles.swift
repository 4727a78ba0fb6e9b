import CEL
import Catalog
import Engine
import Items
import Program
import YAML

/// The in-memory files of a test.
struct FakeFiles {
  /// The content of each file by path.
  private(set) var files: [String: [UInt8]] = [:]
  /// The times of the last change; of other files it is now.
  private var modified: [String: Timestamp] = [:]
  /// The replies for files whose access fails.
  private var failing: [String: FakeReply] = [:]
  private var folders: Set<String> = []
  /// Whether the test defines its files, so that any other file does not exist.
  private let isFaked: Bool
  private let home: String

  init(_ rules: [FakeRule]?, home: String, _ dates: DateReader) throws {
    self.home = home
    isFaked = rules != nil
    for rule in rules ?? [] {
      let path = rule.pattern.text
      guard let reply = rule.replies.first else { continue }
      if path.hasSuffix("/") {
        addFolders(of: key(path) + "/.")
      } else if reply["fail"] != nil {
        failing[key(path)] = reply
        addFolders(of: key(path))
      } else {
        put(try reply.bytes("text"), at: key(path))
        modified[key(path)] = reply["modified"]?.scalar.flatMap { dates.timestamp($0.text) }
      }
    }
  }

  /// A normalized path.
  func key(_ path: String) -> String {
    var path = path
    if path == "~" || path.hasPrefix("~/") { path = home + path.dropFirst() }
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  private mutating func addFolders(of path: String) {
    var folder = path[...]
    while let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
      folder = folder[..<slash]
      folders.insert(String(folder))
    }
  }

  private mutating func put(_ bytes: [UInt8], at path: String) {
    files[path] = bytes
    modified[path] = nil
    addFolders(of: path)
  }

  private func isFolder(_ path: String) -> Bool {
    path.isEmpty || path == "/" || folders.contains(path)
  }

  /// The error for a path that does not exist.
  private func missing(_ path: String) -> any Error {
    if isFaked { return RunError(.notFound, "there is no \(path)") }
    return RunError.notFaked("the file \(path)", remedy: "`files: {\(path): its text}`")
  }

  // MARK: Reaching them

  /// The content of a faked file; nil for another one.
  func content(_ path: String) -> [UInt8]? { files[key(path)] }

  func read(_ path: String) throws -> [UInt8] {
    try failing[key(path)]?.throwFailure(of: path)
    guard let bytes = files[key(path)] else { throw missing(path) }
    return bytes
  }

  mutating func write(_ path: String, _ bytes: [UInt8], _ mode: FileAccess.WriteMode) throws {
    let place = key(path)
    try failing[place]?.throwFailure(of: path)
    if isFolder(place) { throw RunError(.io, "\(path) is a folder", help: "name a file in it") }
    let folder = place.contains("/") ? FilePathText.folder(of: place) : ""
    if isFaked, !isFolder(folder), folder != home, folder != "/tmp" {
      throw RunError.missingFolder(of: path)
    }
    switch mode {
    case .append: put((files[place] ?? []) + bytes, at: place)
    case .create where files[place] != nil: throw RunError(.conflict, "\(path) already exists")
    case .create, .replace: put(bytes, at: place)
    }
  }

  mutating func makeFolder(_ path: String) throws {
    let place = key(path)
    try failing[place]?.throwFailure(of: path)
    if files[place] != nil { throw RunError(.io, "\(path) is a file") }
    addFolders(of: place + "/.")
  }

  func list(_ folder: String, _ deep: Bool, now: Timestamp) throws -> [FileEntry] {
    let base = key(folder)
    try failing[base]?.throwFailure(of: folder)
    guard isFolder(base), isFaked || !base.isEmpty || !files.isEmpty else { throw missing(folder) }
    let prefix = base.isEmpty || base == "/" ? base : base + "/"
    let all = Set(files.keys).union(folders).union(failing.keys)
    let below = all.filter { $0.hasPrefix(prefix) && $0 != base && (base != "" || $0.first != "/") }
    return below.sorted().compactMap { path in
      let name = path.dropFirst(prefix.count)
      guard deep || !name.contains("/") else { return nil }
      let shown = folder.hasSuffix("/") ? folder : folder + "/"
      return entry(path, as: shown + name, now)
    }
  }

  func status(_ path: String, now: Timestamp) throws -> FileEntry? {
    let place = key(path)
    guard files[place] != nil || isFolder(place) else {
      if isFaked { return nil }
      throw missing(path)
    }
    return entry(place, as: path, now)
  }

  private func entry(_ place: String, as path: String, _ now: Timestamp) -> FileEntry {
    FileEntry(
      path: path, name: String(path.split(separator: "/").last ?? ""),
      size: Int64(files[place]?.count ?? 0), modified: modified[place] ?? now,
      // A file whose access fails is still a file.
      isFolder: files[place] == nil && failing[place] == nil)
  }

  mutating func transfer(_ transfer: FileTransfer) throws -> FileTransfer.Result? {
    let from = key(transfer.from)
    try failing[from]?.throwFailure(of: transfer.from)
    guard let bytes = files[from] else {
      if isFolder(from), !from.isEmpty {
        throw RunError(.io, "\(transfer.from) is a folder, and tests move only files")
      }
      throw missing(transfer.from)
    }
    var target = transfer.to
    if target.hasSuffix("/") { target += transfer.from.split(separator: "/").last ?? "" }
    var place = target
    var number = 2
    while files[key(place)] != nil || isFolder(key(place)) {
      switch transfer.onConflict {
      case .skip: return nil
      case .replace where files[key(place)] != nil:
        files[key(place)] = nil
        continue
      case .number:
        place = FilePathText.numbered(target, number)
        number += 1
      case .fail, .replace:
        throw RunError(
          .conflict, "\(place) already exists",
          help: FileTransfer.help(onTaken: place, isFolder: isFolder(key(place))))
      }
    }
    put(bytes, at: key(place))
    if transfer.isCopy { return (path: place, move: nil) }
    modified[key(place)] = modified.removeValue(forKey: from)
    files[from] = nil
    let state = FileMove.State(inode: 0, size: Int64(bytes.count), modified: 0)
    return (path: place, move: FileMove(kind: .move, from: from, to: key(place), state: state))
  }

  /// Moves a file to the simulated trash.
  mutating func trash(_ path: String) throws -> FileMove {
    let trashed = "\(home)/.local/share/Trash/files/\(path.split(separator: "/").last ?? "")"
    let transfer = FileTransfer(from: path, to: trashed, isCopy: false, onConflict: .number)
    guard let move = try self.transfer(transfer)?.move else { throw missing(path) }
    return FileMove(kind: .trash, from: move.from, to: move.to, state: move.state)
  }

  /// Moves a file back to its original path.
  mutating func takeBack(_ move: FileMove) throws -> FileMove {
    let back = FileTransfer(from: move.to, to: move.from, isCopy: false, onConflict: .fail)
    _ = try transfer(back)
    return FileMove(
      kind: move.kind == .trash ? .restore : .move, from: move.to, to: move.from, state: move.state)
  }
}
