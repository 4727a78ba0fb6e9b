import CLinux
import Engine
import Glibc
import Items
import POSIX
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

  /// Returns the new path; nil if the target exists and the transfer is skipped.
  func run() throws -> FileTransfer.Result? {
    guard let entry = try FolderListing.entry(transfer.from) else {
      throw RunError(.notFound, "there is no \(transfer.from)")
    }
    if entry.isFolder { try expectOutside() }
    let origin = transfer.isCopy ? "" : try FilePathText.absolute(transfer.from)
    let made = try FileAccess.makeFolders(FilePathText.folder(of: target))
    do {
      return try putResolvingConflicts(origin)
    } catch {
      // Undo creating folders, except those that others use meanwhile.
      for folder in made.reversed() { rmdir(folder) }
      throw error
    }
  }

  /// Throws if a folder would be moved or copied into itself.
  private func expectOutside() throws {
    let inner = CanonicalPath.text(target)
    let outer = CanonicalPath.text(transfer.from)
    guard inner == outer || !(inner + "/").hasPrefix(outer + "/") else {
      throw RunError(
        .invalidValue,
        "\(transfer.from) cannot be \(transfer.isCopy ? "copied" : "moved") into itself: \(target)")
    }
  }

  private func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private func putResolvingConflicts(_ origin: String) throws -> FileTransfer.Result? {
    var place = target
    var number = 2
    while true {
      do {
        try put(at: place)
        let move = transfer.isCopy ? nil : try FileMove(.move, from: origin, to: place)
        return (path: place, move: move)
      } catch let error as RunError where error.code == .conflict {
        switch transfer.onConflict {
        case .skip: return nil
        case .number where number < 100_000:
          place = FilePathText.numbered(target, number)
          number += 1
        case .fail:
          throw RunError.taken(
            place, help: FileTransfer.help(onTaken: place, isFolder: isFolder(place)))
        case .replace where isFolder(place):
          throw RunError.taken(place, help: FileTransfer.help(onTaken: place, isFolder: true))
        case .replace, .number: throw error
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
        throw RunError.taken(place)
      case EXDEV, EINVAL, ENOSYS: break
      default: throw RunError.file(transfer.from)
      }
      // Another file system, or one without an atomic rename.
      if try FolderListing.entry(place) != nil, !replaces {
        throw RunError.taken(place)
      }
    }
    try FileCopier(replaces: replaces).copy(transfer.from, to: place)
    if !transfer.isCopy { try FileCopier.remove(transfer.from) }
  }
}
