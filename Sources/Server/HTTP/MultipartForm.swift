import Glibc
import Links
import POSIX

/// A form with files (multipart/form-data, RFC 7578); the files are in a folder that is deleted
/// with it.
final class MultipartForm: Sendable {
  /// Texts by field name, in order.
  let fields: [(name: String, text: String)]
  /// Paths of files by field name, in order.
  let files: [(name: String, path: String)]
  private let folder: String

  /// The maximum number of parts.
  private static let partLimit = 64

  /// Reads a body.
  ///
  /// - Parameters:
  ///   - contentType: The header, with the boundary.
  ///   - parent: The folder to create the folder of files in.
  /// - Throws: A problem if the body is not such a form.
  init(_ body: Body, contentType: String, in parent: String) throws {
    guard let boundary = Self.parameter("boundary", of: contentType), !boundary.isEmpty,
      boundary.utf8.count <= 70
    else { throw Self.problem("it has no boundary") }
    folder = "\(parent)/upload.\(UInt64.random(in: .min ... .max))"
    guard mkdir(folder, 0o700) == 0 else {
      throw Problem(
        500, "io", "cannot create a folder for uploads: \(String(cString: strerror(errno)))")
    }
    do {
      (fields, files) = try body.withBytes { [folder] bytes in
        try Self.read(bytes, Array(boundary.utf8), into: folder)
      }
    } catch {
      Folder.remove(folder)
      throw error
    }
  }

  deinit { Folder.remove(folder) }

  /// A hash of fields and files, independent of the boundary.
  ///
  /// - Throws: A problem if a file cannot be read.
  func hash() throws -> String {
    var stream = SHA256.Stream()
    for (name, text) in fields { stream.add(Array("\(name) \(text.utf8.count) \(text)".utf8)) }
    for (name, path) in files {
      let size = stat.at(path)?.st_size ?? 0
      stream.add(Array("\(name) \(size) \(path.split(separator: "/").last ?? "")".utf8))
      do {
        let file = try Descriptor(path, O_RDONLY)
        for start in stride(from: 0, to: size, by: 1 << 20) {
          stream.add(try file.bytes(at: start, count: min(1 << 20, size - start)))
        }
      } catch { throw Problem(500, "io", "the upload cannot be read: \(error.reason)") }
    }
    return stream.finish().hexadecimal
  }

  private static func read(
    _ bytes: UnsafeRawBufferPointer, _ boundary: [UInt8], into folder: String
  ) throws -> (fields: [(name: String, text: String)], files: [(name: String, path: String)]) {
    var fields: [(name: String, text: String)] = []
    var files: [(name: String, path: String)] = []
    let delimiter = Array("--".utf8) + boundary
    let separator = Array("\r\n".utf8) + delimiter
    guard bytes.starts(with: delimiter) else {
      throw problem("it does not begin with the boundary")
    }
    var position = delimiter.count
    for number in 0...partLimit {
      if bytes[position...].starts(with: "--".utf8) { return (fields, files) }
      guard bytes[position...].starts(with: "\r\n".utf8),
        let blank = find(Array("\r\n\r\n".utf8), in: bytes, from: position),
        let end = find(separator, in: bytes, from: blank + 2)
      else { throw problem("a part is incomplete") }
      let head = String(decoding: bytes[position..<blank], as: UTF8.self)
      let content = min(blank + 4, end)..<end
      guard
        let line = head.split(whereSeparator: \.isNewline).first(where: {
          $0.lowercased().hasPrefix("content-disposition:")
        }), let name = parameter("name", of: String(line))
      else { throw problem("a part has no name") }
      if let file = parameter("filename", of: String(line)) {
        position = end + separator.count
        // A browser sends such a part for an input without a file.
        if file.isEmpty, content.isEmpty { continue }
        let path = "\(folder)/\(number)"
        mkdir(path, 0o700)
        let target = "\(path)/\(safeName(file))"
        do {
          let opened = try Descriptor(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
          try opened.write(Array(bytes[content]))
          try opened.close()
        } catch { throw Problem(500, "io", "the upload cannot be stored: \(error.reason)") }
        files.append((name, target))
      } else {
        guard let text = String(validating: bytes[content], as: UTF8.self) else {
          throw problem("the field `\(name)` is not UTF-8")
        }
        fields.append((name, text))
      }
      position = end + separator.count
    }
    throw problem("it has more than \(partLimit) parts")
  }

  private static func find(
    _ pattern: [UInt8], in bytes: UnsafeRawBufferPointer, from start: Int
  ) -> Int? {
    guard let base = bytes.baseAddress, let first = pattern.first else { return nil }
    var start = start
    while start + pattern.count <= bytes.count,
      let found = memchr(base + start, Int32(first), bytes.count - start - pattern.count + 1)
    {
      if memcmp(found, pattern, pattern.count) == 0 { return UnsafeRawPointer(found) - base }
      start = UnsafeRawPointer(found) - base + 1
    }
    return nil
  }

  /// A parameter of a header, quoted or not.
  private static func parameter(_ name: String, of header: String) -> String? {
    for part in header.split(separator: ";").dropFirst() {
      let sides = part.split(separator: "=", maxSplits: 1)
      guard sides.count == 2, sides[0].filter({ !$0.isWhitespace }).lowercased() == name else {
        continue
      }
      let value = sides[1].drop(while: \.isWhitespace)
      if value.first == "\"" { return String(value.dropFirst().prefix { $0 != "\"" }) }
      return String(value.prefix { !$0.isWhitespace })
    }
    return nil
  }

  /// The last component of a file name, without control characters.
  static func safeName(_ name: String) -> String {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    var text = String.UnicodeScalarView(
      last.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F })
    while String(text).utf8.count > 200 { text.removeLast() }
    return text.isEmpty || text.first == "." ? "file\(String(text))" : String(text)
  }

  private static func problem(_ reason: String) -> Problem {
    Problem(400, "invalid-value", "the body is not a valid multipart/form-data: \(reason)")
  }
}
