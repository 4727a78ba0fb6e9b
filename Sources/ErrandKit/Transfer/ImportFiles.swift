import Compression
import Engine
import Glibc
import POSIX
import Source

/// The files of a folder or of a zip, to import each by its kind.
package enum ImportFiles {
  /// Maximum number of files, depth of folders, and size of an archive and of what is in it.
  private static let maxFiles = 10_000
  private static let maxDepth = 20
  private static let maxBytes = 1 << 30

  /// Whether a file is a zip.
  package static func isZip(_ path: String) -> Bool {
    guard stat.at(path)?.isRegular == true, let file = try? Descriptor(input: path) else {
      return false
    }
    var head: [UInt8] = [0, 0, 0, 0]
    return read(file.number, &head, 4) == 4 && head == Array("PK\u{3}\u{4}".utf8)
  }

  /// Returns the paths of the files in a folder and the folders in it, without hidden ones, in order.
  ///
  /// - Throws: `invalidValue` for more files than an import takes.
  package static func all(in folder: String) throws -> [String] {
    var files: [String] = []
    func add(_ folder: String, _ depth: Int) throws {
      for name in Folder.visibleNames(in: folder).sorted() where name != "__MACOSX" {
        let path = "\(folder)/\(name)"
        guard let status = stat.at(path) else { continue }
        if status.isFolder, depth < maxDepth {
          try add(path, depth + 1)
        } else if status.isRegular {
          files.append(path)
        }
        guard files.count <= maxFiles else {
          throw RunError(
            .invalidValue, "more than \(maxFiles) files in \(folder)",
            help: "import its folders one by one")
        }
      }
    }
    try add(folder.hasSuffix("/") ? String(folder.dropLast()) : folder, 0)
    return files
  }

  /// Unpacks a zip (PKWARE's APPNOTE.TXT) to an empty folder.
  ///
  /// - Throws: `invalidValue` for a damaged or too large archive, `io`.
  package static func unpack(_ path: String, to folder: String) throws {
    let bytes: [UInt8]
    do { bytes = try FileReader.bytes(of: path, limit: maxBytes) } catch {
      throw RunError(.io, "\(path) cannot be read, or exceeds \(maxBytes >> 20) MiB")
    }
    let damage = RunError(
      .invalidValue, "\(path) is not a whole zip", help: "unpack it and import the folder")
    func number(_ place: Int, _ size: Int) throws -> Int {
      guard place >= 0, place + size <= bytes.count else { throw damage }
      return bytes[place..<place + size].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    // The end of the directory is followed by a comment of at most 64 KiB.
    let ends = stride(from: bytes.count - 22, through: max(0, bytes.count - 22 - 0xFFFF), by: -1)
    guard let end = ends.first(where: { bytes[$0...].starts(with: Array("PK\u{5}\u{6}".utf8)) })
    else { throw damage }
    var place = try number(end + 16, 4)
    var rest = maxBytes
    for _ in 0..<(try number(end + 10, 2)) {
      guard bytes[min(place, bytes.count)...].starts(with: Array("PK\u{1}\u{2}".utf8)) else {
        throw damage
      }
      let method = try number(place + 10, 2)
      let packed = try number(place + 20, 4)
      let size = try number(place + 24, 4)
      let nameSize = try number(place + 28, 2)
      let local = try number(place + 42, 4)
      guard place + 46 + nameSize <= bytes.count else { throw damage }
      let name = String(decoding: bytes[(place + 46)..<(place + 46 + nameSize)], as: UTF8.self)
      place += 46 + nameSize + (try number(place + 30, 2)) + (try number(place + 32, 2))
      let parts = name.split(separator: "/")
      // Nothing outside of the folder, and no folders of their own.
      guard !name.hasSuffix("/"), !name.hasPrefix("/"), !parts.contains(".."), !name.contains("\0"),
        let last = parts.last, last.utf8.count < 256
      else { continue }
      let start = local + 30 + (try number(local + 26, 2)) + (try number(local + 28, 2))
      rest -= size
      guard start + packed <= bytes.count, rest >= 0 else { throw damage }
      let data = bytes[start..<start + packed]
      // A header makes it a stream of zlib (RFC 1950).
      let content =
        method == 8 ? Inflation.bytes([0x78, 0x01] + data, limit: size) : Array(data)
      guard method == 0 || method == 8, content.count == size else { throw damage }
      let target = ([folder] + parts.dropLast().map(String.init)).joined(separator: "/")
      try PrivateFolder(path: target).make()
      guard PrivateFile(path: "\(target)/\(last)").replace(content, isDurable: false) else {
        throw RunError(.io, "\(path) cannot be unpacked to \(folder)")
      }
    }
  }
}
