import CLinux
import Engine
import Glibc
import Items
import Program

/// Moves or copies a file or a folder.
struct FileMover {
  private let transfer: FileTransfer
  private let target: String

  init(_ transfer: FileTransfer) {
    self.transfer = transfer
    target =
      transfer.to.hasSuffix("/")
      ? transfer.to + FilePathText.name(of: transfer.from) : transfer.to
  }

  /// The new path; nil when something was there and the transfer is to be skipped.
  func run() throws -> FileTransfer.Result? {
    guard try FolderListing.entry(transfer.from) != nil else {
      throw RunError(.notFound, "there is no \(transfer.from)")
    }
    let origin = transfer.isCopy ? "" : try FilePathText.absolute(transfer.from)
    try Self.makeFolders(FilePathText.folder(of: target))
    var place = target
    var number = 2
    while true {
      do {
        try put(at: place)
        let move = transfer.isCopy ? nil : try FileMove(.move, from: origin, to: place)
        return FileTransfer.Result(path: place, move: move)
      } catch let error as RunError where error.code == .conflict {
        switch transfer.onConflict {
        case .skip: return nil
        case .number where number < 100_000:
          place = Self.numbered(target, number)
          number += 1
        case .fail, .replace, .number: throw error
        }
      }
    }
  }

  private func put(at place: String) throws {
    let replaces = transfer.onConflict == .replace
    if !transfer.isCopy {
      let status =
        replaces ? rename(transfer.from, place) : errand_rename_new(transfer.from, place)
      if status == 0 { return }
      switch errno {
      case EEXIST, ENOTEMPTY, EISDIR:
        throw RunError(
          .conflict, "\(place) is there already",
          help: "say what to do with onConflict: replace, number or skip")
      case EXDEV, EINVAL, ENOSYS: break
      default: throw RunError.file(transfer.from)
      }
      // Another disk, or a file system that can't do it at once.
      if try FolderListing.entry(place) != nil, !replaces {
        throw RunError(.conflict, "\(place) is there already")
      }
    }
    try FileCopier(replaces: replaces).copy(transfer.from, to: place)
    if !transfer.isCopy { try FileCopier.remove(transfer.from) }
  }

  /// `name (2).ext`, as desktops number copies.
  private static func numbered(_ path: String, _ number: Int) -> String {
    let name = FilePathText.name(of: path)
    let folder = String(path.dropLast(name.count))
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return "\(folder)\(name) (\(number))"
    }
    return "\(folder)\(name[..<dot]) (\(number))\(name[dot...])"
  }

  /// Makes the folders of a path that are missing.
  static func makeFolders(_ path: String) throws {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw RunError(.io, "\(path) is a file") }
      return
    }
    let parent = FilePathText.folder(of: path)
    if parent != path { try makeFolders(parent) }
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw RunError.file(path) }
  }
}
