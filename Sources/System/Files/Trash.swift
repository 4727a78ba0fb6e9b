import CLinux
import Engine
import Glibc
import Items
import POSIX
import Program

/// The trash of the desktop (freedesktop.org, "The FreeDesktop.org Trash specification" 1.0).
struct Trash {
  let environment: @Sendable (String) -> String?

  /// Puts a file or a folder there.
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
    // Another disk has a trash of its own, in which paths are those within the disk.
    let top = try Self.top(of: whole)
    let relative = String(whole.dropFirst(top == "/" ? 1 : top.count + 1))
    let base = top == "/" ? "" : top
    if let place = try put(whole, recordedAs: relative, into: "\(base)/.Trash-\(getuid())") {
      return try FileMove(.trash, from: whole, to: place)
    }
    throw RunError(.io, "\(path): its disk has no trash")
  }

  /// Removes the note about a file that is no longer in the trash.
  static func forget(_ path: String) {
    let trash = FilePathText.folder(of: FilePathText.folder(of: path))
    // A note without a file does no harm; desktops pass over it.
    unlink("\(trash)/info/\(FilePathText.name(of: path)).trashinfo")
  }

  /// Nil where the folder is on another disk.
  private func put(_ path: String, recordedAs name: String, into trash: String) throws -> String? {
    for folder in ["files", "info"] { try Folder.make("\(trash)/\(folder)") }
    let info = Array(
      "[Trash Info]\nPath=\(Self.encoded(name))\nDeletionDate=\(Self.now)\n".utf8)
    let base = FilePathText.name(of: path)
    for number in 1..<100_000 {
      let own = number == 1 ? base : "\(base).\(number)"
      let infoPath = "\(trash)/info/\(own).trashinfo"
      // The note reserves the name: it is made first, and by one only.
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

  /// The topmost folder on the same disk.
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

  /// The path with what is not plain percent-encoded (RFC 2396, as the specification says).
  private static func encoded(_ path: String) -> String {
    path.utf8.map { byte in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "-_.!~*'()/".utf8.contains(byte)
      if isPlain { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
  }

  private static var now: String {
    var seconds = time(nil)
    var parts = tm()
    localtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : String(number) }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
      + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
  }
}
