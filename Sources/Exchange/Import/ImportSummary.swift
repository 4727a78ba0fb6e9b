package import CEL

/// What became of the records of an import; blank lines are none.
package struct ImportSummary: Equatable {
  /// What the file was.
  package var format = ImportFormat.jsonl
  /// Items that are new.
  package var created = 0
  /// Records that were joined with a stored item.
  package var merged = 0
  /// Records that are no items of ours, such as bookmarks that are no pages of the web.
  package var skipped = 0
  /// Records that could not be taken in.
  package var bad = 0
  /// All records.
  package var lines = 0
  /// Whether something is wrong in the file itself, such as its end.
  package var isDamaged = false

  /// Whether all of the file could be read and taken in.
  package var isWhole: Bool { bad == 0 && !isDamaged }

  /// The sentence at the end, whose numbers add up.
  package var text: String {
    let skipped = format == .jsonl ? "" : "left out \(skipped), "
    return "created \(created), merged \(merged), \(skipped)bad \(bad) of \(lines) "
      + format.recordName
  }

  /// The numbers for other programs.
  package var json: Value {
    var fields: [(String, Value)] = [
      ("created", .int(Int64(created))), ("merged", .int(Int64(merged))),
      ("bad", .int(Int64(bad))), ("lines", .int(Int64(lines))),
    ]
    if format != .jsonl {
      fields += [
        ("skipped", .int(Int64(skipped))), ("damaged", .bool(isDamaged)),
        ("format", .string(format.rawValue)),
      ]
    }
    return .map(MapValue(fields))
  }
}
