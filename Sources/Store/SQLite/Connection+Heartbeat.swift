import CSQLite

extension Connection {
  /// After how many steps of SQLite's machine the heart beats, which is some milliseconds.
  private static let heartbeatSteps: Int32 = 100_000

  /// Calls `beat` again and again while `body` runs long statements on this connection.
  package func withHeartbeat<Result>(
    _ beat: @escaping () -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    let heart = Heart(beat)
    sqlite3_progress_handler(
      handle, Self.heartbeatSteps,
      { heart in
        guard let heart else { return 0 }
        Unmanaged<Heart>.fromOpaque(heart).takeUnretainedValue().beat()
        return 0
      }, Unmanaged.passUnretained(heart).toOpaque())
    defer { sqlite3_progress_handler(handle, 0, nil, nil) }
    return try withExtendedLifetime(heart) { try body() }
  }

  /// Holds a closure for C.
  private final class Heart {
    let beat: () -> Void

    init(_ beat: @escaping () -> Void) {
      self.beat = beat
    }
  }
}
