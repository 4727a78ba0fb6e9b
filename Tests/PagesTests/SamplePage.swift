import CEL
import Glibc

@testable import Pages

/// A page of Tests/Samples/pages: expectations, a line `---`, and its bytes.
struct SamplePage {
  let name: String
  /// The expectations, in order.
  let lines: [(key: String, value: String)]
  let bytes: [UInt8]

  /// All pages by name.
  static var all: [SamplePage] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".page") { names.append(name) }
    }
    return names.sorted().compactMap { SamplePage(file: $0) }
  }

  private static var folder: String {
    var parts = #filePath.split(separator: "/")
    parts.removeLast(2)
    return "/" + parts.joined(separator: "/") + "/Samples/pages"
  }

  private init?(file: String) {
    guard let content = Self.read(Self.folder + "/" + file),
      let mark = content.firstRange(of: Array("---\n".utf8))
    else { return nil }
    name = String(file.dropLast(5))
    bytes = Array(content[mark.upperBound...])
    var lines: [(key: String, value: String)] = []
    for line in String(decoding: content[..<mark.lowerBound], as: UTF8.self).split(separator: "\n")
    {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      lines.append((String(line[..<colon]), String(value.replacing("\\n", with: "\n"))))
    }
    self.lines = lines
  }

  private static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// The value for one of the expectations; empty if there is none.
  func value(_ key: String) -> String { lines.first { $0.key == key }?.value ?? "" }

  /// The parsed page, with UTC as the local time zone.
  var page: Page {
    PageParser.inUTC.page(bytes, url: value("url"), mediaType: value("type"))
  }
}

extension PageParser {
  /// A parser with UTC as the local time zone.
  static var inUTC: PageParser { PageParser(dates: PageDate { $0.timestamp() }) }
}
