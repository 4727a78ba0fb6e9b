package import CEL

/// What became of the lines of an import; blank lines are none.
package struct ImportSummary: Equatable {
  /// Items that are new.
  package var created = 0
  /// Lines that were joined with a stored item.
  package var merged = 0
  /// Lines that could not be taken in.
  package var bad = 0
  /// All lines.
  package var lines = 0

  /// The sentence at the end, whose numbers add up.
  package var text: String { "created \(created), merged \(merged), bad \(bad) of \(lines) lines" }

  /// The numbers for other programs.
  package var json: Value {
    .map(
      MapValue([
        ("created", .int(Int64(created))), ("merged", .int(Int64(merged))),
        ("bad", .int(Int64(bad))), ("lines", .int(Int64(lines))),
      ]))
  }
}
