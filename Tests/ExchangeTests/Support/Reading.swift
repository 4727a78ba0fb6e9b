import CEL
import Testing

@testable import Exchange

/// The result of reading a text in some format.
struct Reading: Equatable {
  /// Returns the members of a link; nil if there is none.
  struct Link: Equatable {
    var url: String
    var title: String?
    var summary: String?
    var tags: [String] = []
    var reading: String?
    var favourite: Bool?
    var createdAt: String?
    var updatedAt: String?
  }

  var links: [Link] = []
  /// The addresses of private links.
  var privateLinks: [String] = []
  /// The text, tags and date of each note.
  var notes: [String] = []
  /// The lines and reasons of everything rejected, left out or damaged.
  var problems: [String] = []
  /// The kinds of parts that became no property, with their first lines.
  var leftOut: [String] = []

  /// Reads all records.
  static func all(_ records: any RecordReader) throws -> Reading {
    var records = records
    var reading = Reading()
    while let record = try records.next() {
      reading.problems += record.losses.map { "\(record.number): \($0)" }
      switch record.content {
      case .item(.map(let map)):
        func text(_ name: String) -> String? {
          if case .string(let text)? = map[name] { text } else { nil }
        }
        var link = Link(url: text("url") ?? "")
        link.title = text("title")
        link.summary = text("summary")
        link.reading = text("reading")
        if case .bool(let bool)? = map["favourite"] { link.favourite = bool }
        if map["private"] == true { reading.privateLinks.append(link.url) }
        link.createdAt = text("createdAt")
        link.updatedAt = text("updatedAt")
        if case .list(let tags)? = map["tags"] {
          link.tags = tags.map { if case .string(let tag) = $0 { tag } else { "?" } }
        }
        if text("entity") == "Note" {
          let tags = link.tags.joined(separator: ",")
          reading.notes.append("\(text("text") ?? "") [\(tags)] \(link.createdAt ?? "")")
          continue
        }
        reading.links.append(link)
      case .item(let value): Issue.record("not an object: \(value)")
      case .bad(let reason), .damage(let reason), .nothing(let reason):
        reading.problems.append("\(record.number): \(reason)")
      case .skipped(let reason): reading.problems.append("\(record.number): left out: \(reason)")
      case .leftovers(let rest, let isAll):
        reading.leftOut += rest.entries.map { "\($0.line): \($0.kind.text)" }
        if isAll { reading.problems.append("\(record.number): nothing in the file was understood") }
      }
    }
    // Reading past the end, as an import does for its next batch, returns nothing.
    if try records.next() != nil { Issue.record("there is more after the end") }
    return reading
  }

  /// Detects the format of a text and reads it, as an import does.
  static func of(
    _ bytes: [UInt8], name: String = "", from format: String? = nil, folders: FolderTags = .each
  ) throws -> (format: ImportFormat, reading: Reading) {
    let file = ImportFile(pieces: bytes, path: name.isEmpty ? nil : name)
    let source = try ImportSource(
      file, from: format, folderTags: folders, temporaryFolder: "/tmp")
    return (source.format, try all(source.records))
  }

  /// Reads a text.
  static func of(
    _ text: String, name: String = "", from format: String? = nil, folders: FolderTags = .each
  ) throws -> (format: ImportFormat, reading: Reading) {
    try of(Array(text.utf8), name: name, from: format, folders: folders)
  }
}

extension ImportFile {
  /// A file that is read in pieces of an odd size, so that results do not depend on their boundaries.
  init(pieces bytes: [UInt8], path: String?, beside: ForeignFiles = ForeignFiles()) {
    var position = 0
    self.init(
      path: path,
      read: { buffer in
        let piece = bytes[position..<min(position + min(buffer.count, 4099), bytes.count)]
        buffer.copyBytes(from: piece)
        position += piece.count
        return piece.count
      },
      rewind: {
        position = 0
        return true
      }, beside: beside)
  }
}
