import Glibc
package import Items
import POSIX

/// Reads from the kernel what jobs wait for: a way to other machines, mains, nobody at work.
package struct MachineState: Sendable {
  /// The folders of the kernel: `/sys` and `/proc`.
  private let sys: String
  private let proc: String
  /// Below what load for each processor a machine has little to do.
  private static let idleLoad = 0.3
  /// How much of a file is read at once, and at most, in bytes.
  private static let pieceOfFile = 4096
  private static let longestFile = 256 << 10

  /// The state that two folders tell.
  package init(sys: String = "/sys", proc: String = "/proc") {
    self.sys = sys
    self.proc = proc
  }

  /// What there is now.
  package func available() -> [Requirement] {
    Requirement.allCases.filter { requirement in
      switch requirement {
      case .network: hasNetwork
      case .power: hasPower
      case .idle: isIdle
      }
    }
  }

  /// Whether a route leads away from this machine, over an interface that is up.
  package var hasNetwork: Bool {
    let lines = (text(proc + "/net/route") ?? "").split(separator: "\n").dropFirst()
    for line in lines {
      let words = line.split { $0 == "\t" || $0 == " " }
      // The destination and the mask of the default route are 0; RTF_UP is 1 (route(8)).
      guard words.count > 7, words[1] == "00000000", words[7] == "00000000",
        let flags = Int(words[3], radix: 16), flags & 1 == 1, isUp(String(words[0]))
      else { continue }
      return true
    }
    for line in (text(proc + "/net/ipv6_route") ?? "").split(separator: "\n") {
      let words = line.split(separator: " ")
      // RTF_UP, and not RTF_REJECT (linux/route.h).
      guard words.count > 9, words[0].allSatisfy({ $0 == "0" }), words[1] == "00",
        let flags = Int(words[8], radix: 16), flags & 0x201 == 1, words[9] != "lo",
        isUp(String(words[9]))
      else { continue }
      return true
    }
    return false
  }

  /// Whether an interface works; one that can't tell counts (`unknown`), as tunnels do.
  private func isUp(_ interface: String) -> Bool {
    guard !interface.contains("/"), interface != ".." else { return false }
    let state = word(sys + "/class/net/\(interface)/operstate")
    return state == nil || state == "up" || state == "unknown"
  }

  /// Whether the machine is on mains, or has no battery.
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

  /// Whether little is done here: by the load of the last minute.
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
    // Files of the kernel tell no size. Most are a word, and are read after each job; none that is
    // read here is longer than the limit.
    var bytes: [UInt8] = []
    while bytes.count < Self.longestFile {
      let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceOfFile) { buffer, filled in
        filled = max(0, read(descriptor, buffer.baseAddress, buffer.count))
      }
      if piece.isEmpty { break }
      bytes += piece
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
