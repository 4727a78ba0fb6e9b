package import Glibc

/// What the kernel tells of a process (proc_pid_stat(5)).
package struct ProcessRecord {
  /// The process that started it, or took it over.
  package let parent: pid_t
  /// When it was started, in ticks since the machine was, which tells it from others of its number.
  package let start: Int64

  /// The record of a process; nil where there is none, or where it has ended and its parent has not
  /// looked yet.
  package init?(_ id: pid_t) {
    guard let file = try? Descriptor("/proc/\(id)/stat", O_RDONLY),
      let bytes = try? file.bytes(limit: 1 << 16),
      // The name stands in brackets and may hold anything: what follows the last one counts.
      let end = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = bytes[(end + 1)...].split(separator: 0x20).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard fields.count > 19, fields[0] != "Z", fields[0] != "X", let parent = pid_t(fields[1]),
      let start = Int64(fields[19])
    else { return nil }
    self.parent = parent
    self.start = start
  }
}
