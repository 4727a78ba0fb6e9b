import CEL
import Engine
import Items
import Platform
import Program
import Synchronization

/// The files of a dry run: those of the machine, with the changes of the steps that were skipped.
final class DryRunFiles: Sendable {
  /// The state in which a skipped step would have left a path.
  private enum Change {
    case bytes([UInt8])
    /// The content of a file of the machine.
    case content(of: String)
    case folder, gone
  }

  private struct State {
    var changes: [String: Change] = [:]
    /// Whether a program was skipped, which may have changed any file.
    var isUnsure = false
  }

  private let machine: FileAccess
  private let now: @Sendable () -> Timestamp
  private let state = Mutex(State())

  init(_ machine: FileAccess, now: @escaping @Sendable () -> Timestamp) {
    self.machine = machine
    self.now = now
  }

  /// The access of the run: changes are checked as far as they are certain to fail, and not made.
  var access: FileAccess {
    var access = machine
    // It would reach the real files.
    access.approved = nil
    access.read = { try self.read($0, $1) }
    access.status = { try self.entry($0) }
    access.ending = { path in (try? self.read(path, .max)).flatMap { FileEnding($0) } }
    access.write = { try self.write($0, $1, $2) }
    access.transfer = { try self.transfer($0) }
    access.makeFolder = { path in
      try self.makeFolder(path)
      return []
    }
    access.trash = { path in
      _ = try self.source(path)
      self.change(path, .gone)
      let state = FileMove.State(inode: 0, size: 0, modified: 0)
      return FileMove(kind: .trash, from: path, to: path, state: state)
    }
    access.takeBack = { $0 }
    access.keep = { bytes, path, _ in KeptFile(bytes: bytes, at: path) }
    return access
  }

  /// Skips a program, which may change any file.
  ///
  /// - Throws: The error of a program that certainly could not be started.
  func skip(_ request: ProcessRequest) throws {
    if let path = request.outputPath { try write(path, [], .replace) }
    var request = request
    if let folder = request.folder, isUnsure || changed(folder) != nil { request.folder = nil }
    let isPath = request.command.first?.contains("/") == true
    if !isPath || !isUnsure { try ChildLaunch(request).check() }
    state.withLock { $0.isUnsure = true }
  }

  private var isUnsure: Bool { state.withLock { $0.isUnsure } }

  private func change(_ path: String, _ change: Change) {
    let place = machine.canonical(path)
    state.withLock { $0.changes[place] = change }
  }

  private func changed(_ path: String) -> Change? {
    let place = machine.canonical(path)
    return state.withLock { $0.changes[place] }
  }

  private func entry(_ path: String) throws -> FileEntry? {
    let size: Int
    switch changed(path) {
    case nil: return try machine.status(path)
    case .gone: return nil
    case .bytes(let bytes): size = bytes.count
    case .content(let origin): size = Int(try machine.status(origin)?.size ?? 0)
    case .folder: size = 0
    }
    let isFolder = if case .folder = changed(path) { true } else { false }
    return FileEntry(
      path: path, name: FilePathText.name(of: path), size: Int64(size), modified: now(),
      isFolder: isFolder)
  }

  /// The entry that a path leads to, through links.
  private func target(_ path: String) -> FileEntry? { try? entry(machine.canonical(path)) }

  private func read(_ path: String, _ limit: Int) throws -> [UInt8] {
    do {
      switch changed(path) {
      case .bytes(let bytes): return bytes
      case .content(let origin): return try machine.read(origin, limit)
      case .gone: throw RunError(.notFound, "there is no \(path)")
      case .folder: throw RunError(.io, "\(path) is a folder")
      case nil: return try machine.read(path, limit)
      }
    } catch let error as RunError where error.code == .notFound && isUnsure {
      throw RunError(
        .notFound, "there is no \(path); a program that the dry run skips may write it")
    }
  }

  /// Expects the file that a step moves; nil if a program may write it.
  private func source(_ path: String) throws -> FileEntry? {
    let entry = try entry(path)
    if entry == nil, !isUnsure { throw RunError(.notFound, "there is no \(path)") }
    return entry
  }

  func write(_ path: String, _ bytes: [UInt8], _ mode: FileAccess.WriteMode) throws {
    let entry = target(path)
    if !isUnsure {
      guard target(FilePathText.folder(of: path)) != nil else {
        throw RunError.missingFolder(of: path)
      }
      if entry?.isFolder == true || path.hasSuffix("/") {
        throw RunError(.io, "\(path) is a folder", help: "name a file in it")
      }
      if mode == .create, entry != nil { throw RunError(.conflict, "\(path) already exists") }
    }
    let before = mode == .append ? (try? read(path, .max)) ?? [] : []
    change(path, .bytes(before + bytes))
  }

  private func transfer(_ transfer: FileTransfer) throws -> FileTransfer.Result? {
    _ = try source(transfer.from)
    let name = FilePathText.name(of: transfer.from)
    let target = transfer.to.hasSuffix("/") ? transfer.to + name : transfer.to
    try makeFolder(FilePathText.folder(of: target))
    var place = target
    var number = 2
    while try !isUnsure && transfer.onConflict != .replace && entry(place) != nil {
      switch transfer.onConflict {
      case .skip: return nil
      case .fail, .replace:
        let isFolder = try entry(place)?.isFolder == true
        throw RunError(
          .conflict, "\(place) already exists",
          help: FileTransfer.help(onTaken: place, isFolder: isFolder))
      case .number:
        place = FilePathText.numbered(target, number)
        number += 1
      }
    }
    change(place, changed(transfer.from) ?? .content(of: machine.canonical(transfer.from)))
    if !transfer.isCopy { change(transfer.from, .gone) }
    return (path: place, move: nil)
  }

  private func makeFolder(_ path: String) throws {
    var folder = path
    while true {
      if let entry = target(folder) {
        if entry.isFolder { return }
        throw RunError(.io, "\(folder) is a file")
      }
      change(folder, .folder)
      let parent = FilePathText.folder(of: folder)
      if parent == folder { return }
      folder = parent
    }
  }
}
