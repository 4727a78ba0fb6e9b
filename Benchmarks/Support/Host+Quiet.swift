import CEL
package import Engine
import Glibc
import Platform
import Program

extension Host {
  /// A host with the clock and random source of this machine, and without a desktop.
  package static let quiet = Host(
    now: {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Timestamp(
        microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    },
    randomBytes: { count in
      var generator = SystemRandomNumberGenerator()
      return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    },
    environment: { _ in nil }, clock: .utc, readClipboard: { nil }, writeClipboard: { _ in false },
    open: { _ in false }, linkBase: "https://bench.example", keyPath: nil, log: { _ in },
    machine: .system { _ in nil })
}
