import CEL
import CLinux
import Engine
import Glibc
import Items
import Links
import POSIX
import Program

/// The desktop's trash (freedesktop.org, “The FreeDesktop.org Trash specification” 1.0).
struct Trash {
  let environment: @Sendable (String) -> String?

  /// Moves a file or a folder to the trash.
  func put(_ path: String) throws -> FileMove {
    guard try FolderListing.entry(path) != nil else {
      throw RunError(.notFound, "there is no \(path)")
    }
    let whole = try FilePathText.absolute(path)
    let home = environment("HOME")
    if let data = environment("XDG_DATA_HOME") ?? home.map({ $0 + "/.local/share" }),
      let place = try put(whole, recordedAs: whole, into: data + "/Trash")
    {
      return try FileMove(.trash, from: whole, to: place)
    }
    // Another file system has its own trash, which records paths relative to its top folder.
    let top = try Self.top(of: whole)
    let relative = String(whole.dropFirst(top == "/" ? 1 : top.count + 1))
    let base = top == "/" ? "" : top
    if let place = try put(whole, recordedAs: relative, into: "\(base)/.Trash-\(getuid())") {
      return try FileMove(.trash, from: whole, to: place)
    }
    throw RunError(.io, "\(path): its disk has no trash")
  }

  /// Removes the `.trashinfo` of a file that is no longer in the trash.
  static func forget(_ path: String) {
    let trash = FilePathText.folder(of: FilePathText.folder(of: path))
    // A `.trashinfo` without a file is harmless; desktops ignore it.
    unlink("\(trash)/info/\(FilePathText.name(of: path)).trashinfo")
  }

  /// Returns the path in the trash; nil if the trash is on another file system.
  private func put(_ path: String, recordedAs name: String, into trash: String) throws -> String? {
    for folder in ["files", "info"] { try Folder.make("\(trash)/\(folder)") }
    // The path is percent-encoded as in RFC 2396.
    let recorded = PercentEncoding.encode(name, keeping: "!*'()/")
    let info = Array("[Trash Info]\nPath=\(recorded)\nDeletionDate=\(Self.now)\n".utf8)
    let base = FilePathText.name(of: path)
    for number in 1..<100_000 {
      let own = number == 1 ? base : "\(base).\(number)"
      let infoPath = "\(trash)/info/\(own).trashinfo"
      // The exclusively created `.trashinfo` reserves the name.
      let note: Descriptor
      do {
        note = try Descriptor(infoPath, O_WRONLY | O_CREAT | O_EXCL)
      } catch {
        if error.code == EEXIST { continue }
        throw error
      }
      try note.write(info)
      try note.sync()
      let place = "\(trash)/files/\(own)"
      if errand_rename_new(path, place) == 0 { return place }
      let failure = errno
      unlink(infoPath)
      switch failure {
      case EEXIST: continue
      case EXDEV: return nil
      default: throw RunError.file(path, failure)
      }
    }
    return nil
  }

  /// Returns the top folder of the file system.
  private static func top(of path: String) throws -> String {
    var status = stat()
    var folder = FilePathText.folder(of: path)
    guard lstat(folder, &status) == 0 else { throw RunError.file(folder) }
    let disk = status.st_dev
    while folder != "/" {
      let parent = FilePathText.folder(of: folder)
      guard lstat(parent, &status) == 0, status.st_dev == disk else { break }
      folder = parent
    }
    return folder
  }

  private static var now: String {
    let moment = Timestamp(seconds: Int64(time(nil)))
    // Local time without a zone.
    return String(TimeZoneRules.system().civilTime(at: moment).timestamp().text.dropLast())
  }
}
