import CSQLite

extension Connection {
  /// After how many steps of SQLite's machine the heart beats, which is some milliseconds.
  private static let heartbeatSteps: Int32 = 100_000

  /// Calls `beat` again and again while `body` runs long statements on this connection.
  package func withHeartbeat<Result>(
    _ beat: @escaping () -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    let isCancelled = lockWait.isCancelled
    let heart = Heart {
      beat()
      return isCancelled?() != true
    }
    sqlite3_progress_handler(
      handle, Self.heartbeatSteps,
      { heart in
        guard let heart else { return 0 }
        return Unmanaged<Heart>.fromOpaque(heart).takeUnretainedValue().beatsOn() ? 0 : 1
      }, Unmanaged.passUnretained(heart).toOpaque())
    defer { watchForTheEnd() }
    return try withExtendedLifetime(heart) { try body() }
  }

  /// Ends long statements from now on when the work is cancelled, if that can be.
  func watchForTheEnd() {
    guard lockWait.isCancelled != nil else {
      sqlite3_progress_handler(handle, 0, nil, nil)
      return
    }
    sqlite3_progress_handler(
      handle, Self.heartbeatSteps,
      { wait in
        guard let wait else { return 0 }
        return Unmanaged<LockWait>.fromOpaque(wait).takeUnretainedValue().isCancelled?() == true
          ? 1 : 0
      }, Unmanaged.passUnretained(lockWait).toOpaque())
  }

  /// Holds a closure for C.
  private final class Heart {
    let beatsOn: () -> Bool

    init(_ beatsOn: @escaping () -> Bool) {
      self.beatsOn = beatsOn
    }
  }
}
