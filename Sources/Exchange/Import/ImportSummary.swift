package import CEL

/// The result of an import; blank lines are not counted.
package struct ImportSummary: Equatable {
  /// The format of the file.
  package var format = ImportFormat.jsonl
  /// The number of new items.
  package var created = 0
  /// The number of records merged into stored items.
  package var merged = 0
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
    let skipped = format == .jsonl ? "" : "left out \(skipped), "
    return "created \(created), merged \(merged), \(skipped)bad \(bad) of \(lines) "
      + format.recordName
  }

  /// The counts as JSON.
  package var json: Value { .map(MapValue(fields)) }

  /// The counts by their names.
  package var fields: [(String, Value)] {
    var fields: [(String, Value)] = [
      ("created", .int(Int64(created))), ("merged", .int(Int64(merged))),
      ("bad", .int(Int64(bad))), ("lines", .int(Int64(lines))),
    ]
    if format != .jsonl {
      fields += [
        ("skipped", .int(Int64(skipped))), ("damaged", .bool(isDamaged)),
        ("format", .string(format.rawValue)),
        (
          "leftOut",
          .list(
            leftOut.map { kind in
              .map(
                MapValue([
                  ("what", .string(kind.what)), ("line", .int(Int64(kind.line))),
                  ("count", .int(Int64(kind.count))),
                ]))
            })
        ),
      ]
    }
    return fields
  }
}
