import CEL
import Engine

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The world of a real process: its clock, its environment, its desktop.
enum SystemHost {
  /// The host of a run.
  static func make(console: Console, linkBase: String, keyPath: String?) -> Host {
    Host(
      now: now, randomBytes: randomBytes, environment: Environment.value,
      clock: LocalClock { .system() }, readClipboard: { nil }, writeClipboard: { _ in false },
      open: { _ in false }, linkBase: linkBase, keyPath: keyPath,
      log: { console.err($0.harmless() + "\n") })
  }

  /// The time now.
  @Sendable
  static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  /// Random bytes of the system.
  @Sendable
  static func randomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      withUnsafeBytes(of: generator.next()) { bytes += $0 }
    }
    return Array(bytes.prefix(count))
  }
}
