package import CEL

/// The result of an import; blank lines are not counted.
package struct ImportSummary: Equatable {
  /// The number of files, each with its own format.
  package var files = 1
  /// The format of the file, or of the last one.
  package var format = ImportFormat.jsonl
  /// The number of new items.
  package var created = 0
  /// The number of records merged into stored items.
  package var merged = 0
  /// The number of records that changed a stored item.
  package var changed = 0
  /// The properties of stored items that got a value or more of it.
  package var added: [Added] = []
  /// The number of records skipped, such as bookmarks that are not web pages.
  package var skipped = 0
  /// The number of rejected records.
  package var bad = 0
  /// The number of all records.
  package var lines = 0
  /// Whether the file is damaged, such as truncated.
  package var isDamaged = false
  /// The parts that became no property, by kind, in the order of the file.
  package var leftOut: [LeftOut] = []

  /// A property of stored items that got a value or more of it.
  package struct Added: Equatable {
    package let property: String
    /// The number of items.
    package fileprivate(set) var count: Int
  }

  /// A kind of parts that became no property.
  package struct LeftOut: Equatable {
    /// The description of the kind.
    package let what: String
    /// The first line with it, or the number of the record.
    package let line: Int
    /// The number of parts.
    package let count: Int

    /// The description with the number, for a report.
    package var text: String { count == 1 ? what : "\(what) (\(count) times, first here)" }
  }

  /// Whether the whole file was read and imported.
  package var isWhole: Bool { bad == 0 && !isDamaged }

  /// The summary sentence, whose numbers add up.
  package var text: String {
    let skipped = format == .jsonl && files == 1 ? "" : "left out \(skipped), "
    return "created \(created), merged \(merged), \(skipped)bad \(bad) of \(lines) "
      + (files == 1 ? format.recordName : "records in \(files) files")
  }

  /// Adds the numbers of another file.
  package mutating func add(_ other: ImportSummary) {
    files += other.files
    created += other.created
    merged += other.merged
    changed += other.changed
    skipped += other.skipped
    bad += other.bad
    lines += other.lines
    isDamaged = isDamaged || other.isDamaged
    leftOut += other.leftOut
    for property in other.added {
      if let place = added.firstIndex(where: { $0.property == property.property }) {
        added[place].count += property.count
      } else {
        added.append(property)
      }
    }
  }

  /// A sentence on the items that were here already; nil if there were none.
  package var change: String? {
    guard merged > 0 else { return nil }
    guard changed > 0 else {
      return created == 0 ? "nothing is new: all of it is here already" : nil
    }
    let parts = added.map { "`\($0.property)` of \($0.count)" }
    return "completed \(changed) that \(changed == 1 ? "was" : "were") here already"
      + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
  }

  /// The counts as JSON.
  package var json: Value { .map(MapValue(fields)) }

  /// The counts by their names.
  package var fields: [(String, Value)] {
    var fields: [(String, Value)] = [
      ("created", .int(Int64(created))), ("merged", .int(Int64(merged))),
      ("changed", .int(Int64(changed))),
      (
        "added",
        .map(MapValue(added.map { ($0.property, .int(Int64($0.count))) }))
      ),
      ("bad", .int(Int64(bad))), ("lines", .int(Int64(lines))),
    ]
    if files != 1 { fields.append(("files", .int(Int64(files)))) }
    if format != .jsonl {
      fields += [
        ("skipped", .int(Int64(skipped))), ("damaged", .bool(isDamaged)),
        ("format", .string(format.rawValue)),
      ]
    }
    let kinds = leftOut.map { kind in
      Value.map(
        MapValue([
          ("what", .string(kind.what)), ("line", .int(Int64(kind.line))),
          ("count", .int(Int64(kind.count))),
        ]))
    }
    fields.append(("leftOut", .list(kinds)))
    return fields
  }
}
