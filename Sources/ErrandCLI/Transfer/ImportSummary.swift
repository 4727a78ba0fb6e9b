import CEL

/// What became of the lines of an import; blank lines are none.
struct ImportSummary: Equatable {
  var created = 0
  var merged = 0
  var bad = 0
  var lines = 0

  /// The sentence at the end, whose numbers add up.
  var text: String { "created \(created), merged \(merged), bad \(bad) of \(lines) lines" }

  /// The numbers for other programs.
  var json: Value {
    .map(
      MapValue([
        ("created", .int(Int64(created))), ("merged", .int(Int64(merged))),
        ("bad", .int(Int64(bad))), ("lines", .int(Int64(lines))),
      ]))
  }
}
