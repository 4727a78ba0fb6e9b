/// Lengths of time as the numbers that clocks, SQLite and system calls take.
extension Duration {
  /// The length in nanoseconds, rounded toward zero and clamped to 64 bits (±292 years).
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let total = Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000)
    return Int64(clamping: total)
  }

  /// The length in microseconds, rounded toward zero.
  package var microseconds: Int64 { nanoseconds / 1_000 }

  /// The length in milliseconds, rounded toward zero.
  package var milliseconds: Int { Int(nanoseconds / 1_000_000) }

  /// The length in seconds, rounded toward zero.
  package var wholeSeconds: Int64 { components.seconds }
}
