import CEL
import JSON
import Testing

@testable import Exchange

/// The items and problems of a file of another program.
struct ForeignItems: Equatable {
  var format: ImportFormat
  /// The members of each item as JSON, without its global id; references are titles.
  var items: [String] = []
  /// The lines and reasons of everything rejected, left out or damaged.
  var problems: [String] = []

  /// Detects the format of a file and reads it, as an import does.
  static func of(
    _ bytes: [UInt8], name: String = "", from format: String? = nil, path: String? = nil,
    zone: TimeZoneRules = .utc, beside: [String: [UInt8]] = [:]
  ) throws -> ForeignItems {
    let file = ImportFile(
      pieces: bytes, path: path ?? (name.isEmpty ? nil : name),
      beside: ForeignFiles { beside[$0] })
    let source = try ImportSource(
      file, from: format, temporaryFolder: "/tmp", zone: { zone })
    var result = ForeignItems(format: source.format)
    var records = source.records
    var maps: [MapValue] = []
    while let record = try records.next() {
      result.problems += record.losses.map { "\(record.number): \($0)" }
      switch record.content {
      case .item(.map(let map)): maps.append(map)
      case .item(let value): result.problems.append("\(record.number): not an object: \(value)")
      case .bad(let reason), .damage(let reason), .nothing(let reason):
        result.problems.append("\(record.number): \(reason)")
      case .leftovers(let rest, _):
        result.problems += rest.entries.map { "\($0.line): \($0.kind.text)" }
      case .skipped(let reason): result.problems.append("\(record.number): left out: \(reason)")
      }
    }
    var titles: [Value: Value] = [:]
    for map in maps { if let uid = map["uid"] { titles[uid] = map["title"] ?? map["text"] } }
    result.items = try maps.map { map in
      let entries = map.entries.filter { !["uid", "_refs"].contains($0.key.text) }.map { entry in
        let value: Value =
          if case .list(let values) = entry.value {
            .list(values.map { titles[$0] ?? $0 })
          } else { titles[entry.value] ?? entry.value }
        return (entry.key, value)
      }
      return try JSONWriter().text(of: .map(MapValue(entries: entries)))
    }
    return result
  }

  static func of(
    _ text: String, name: String = "", from format: String? = nil, zone: TimeZoneRules = .utc,
    beside: [String: [UInt8]] = [:]
  ) throws -> ForeignItems {
    try of(Array(text.utf8), name: name, from: format, zone: zone, beside: beside)
  }
}
