import Glibc
package import Items
import POSIX

/// The machine state that jobs can require, read from the kernel: network, mains power, idleness.
package struct MachineState: Sendable {
  /// The kernel's file systems `/sys` and `/proc`.
  private let sys: String
  private let proc: String
  private let isVaultOpen: @Sendable () -> Bool
  /// The load per processor below which the machine counts as idle.
  private static let idleLoad = 0.3
  /// The read size, and the maximum number of bytes read of a file.
  private static let chunkSize = 4096
  private static let maxFileSize = 256 << 10

  /// Creates a reader for two file systems.
  ///
  /// - Parameter isVaultOpen: Whether sealed secrets can be read.
  package init(
    sys: String = "/sys", proc: String = "/proc",
    isVaultOpen: @escaping @Sendable () -> Bool = { true }
  ) {
    self.sys = sys
    self.proc = proc
    self.isVaultOpen = isVaultOpen
  }

  /// The requirements that are met now.
  package func available() -> [Requirement] {
    Requirement.allCases.filter { requirement in
      switch requirement {
      case .network: hasNetwork
      case .power: hasPower
      case .idle: isIdle
      case .vault: isVaultOpen()
      }
    }
  }

  /// The name of the time since the machine started.
  var boot: String { word(proc + "/sys/kernel/random/boot_id") ?? "" }

  /// Whether a default route exists over an interface that is up.
  package var hasNetwork: Bool {
    let lines = (text(proc + "/net/route") ?? "").split(separator: "\n").dropFirst()
    for line in lines {
      let words = line.split { $0 == "\t" || $0 == " " }
      // Destination and mask of the default route are 0; RTF_UP is 1 (route(8)).
      guard words.count > 7, words[1] == "00000000", words[7] == "00000000",
        let flags = Int(words[3], radix: 16), flags & 1 == 1, isUp(String(words[0]))
      else { continue }
      return true
    }
    for line in (text(proc + "/net/ipv6_route") ?? "").split(separator: "\n") {
      let words = line.split(separator: " ")
      // Requires RTF_UP without RTF_REJECT (linux/route.h).
      guard words.count > 9, words[0].allSatisfy({ $0 == "0" }), words[1] == "00",
        let flags = Int(words[8], radix: 16), flags & 0x201 == 1, words[9] != "lo",
        isUp(String(words[9]))
      else { continue }
      return true
    }
    return false
  }

  /// Whether an interface is up; `unknown` counts as up, since tunnels report it.
  private func isUp(_ interface: String) -> Bool {
    guard !interface.contains("/"), interface != ".." else { return false }
    let state = word(sys + "/class/net/\(interface)/operstate")
    return state == nil || state == "up" || state == "unknown"
  }

  /// Whether the machine is on mains power or has no battery.
  private var hasPower: Bool {
    var hasBattery = false
    let folder = sys + "/class/power_supply"
    for name in Folder.visibleNames(in: folder) {
      switch word("\(folder)/\(name)/type") {
      case "Mains"?, "USB"?: if word("\(folder)/\(name)/online") == "1" { return true }
      case "Battery"? where word("\(folder)/\(name)/scope") != "Device":
        hasBattery = true
        if ["Charging", "Full"].contains(word("\(folder)/\(name)/status")) { return true }
      default: break
      }
    }
    return !hasBattery
  }

  /// Whether the machine is idle, by the load average of the last minute.
  private var isIdle: Bool {
    guard let text = text(proc + "/loadavg"), let word = text.split(separator: " ").first,
      let load = Double(word)
    else { return true }
    return load < Self.idleLoad * Double(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }

  private func word(_ path: String) -> String? {
    text(path).map { String($0.prefix { !$0.isWhitespace }) }
  }

  private func text(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // Kernel files have no size. Most are a word and are read after each job; none of those read
    // here exceeds the limit.
    var bytes: [UInt8] = []
    while bytes.count < Self.maxFileSize {
      let piece = [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, filled in
        filled = max(0, read(descriptor, buffer.baseAddress, buffer.count))
      }
      if piece.isEmpty { break }
      bytes += piece
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
