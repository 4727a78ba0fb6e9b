package import Glibc

/// The kernel's record of a process (proc_pid_stat(5)).
package struct ProcessRecord {
  /// The parent process.
  package let parent: pid_t
  /// The start time in clock ticks since boot, which distinguishes processes that reuse an id.
  package let start: Int64

  /// Reads the record of a process; nil if it does not exist or is a zombie.
  package init?(_ id: pid_t) {
    guard let file = try? Descriptor("/proc/\(id)/stat", O_RDONLY),
      let bytes = try? file.bytes(limit: 1 << 16),
      // The name is in parentheses and may contain any character, so parse after the last one.
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
