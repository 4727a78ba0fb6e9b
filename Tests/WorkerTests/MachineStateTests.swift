import FoundationEssentials
import Items
import Testing
import Worker

/// Reading the machine state from kernel files.
@Suite struct MachineStateTests {
  private static let header = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\n"
  private static let route = header + "eth0\t00000000\t0102A8C0\t0003\t0\t0\t0\t00000000\t0\n"
  private static let local = header + "eth0\t0002A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\n"
  private static let zeros = String(repeating: "0", count: 32)

  private func state(_ files: [String: String]) throws -> MachineState {
    let folder = FileManager.default.temporaryDirectory.path + "/errand-state-" + UUID().uuidString
    for (name, text) in files {
      let path = folder + "/" + name
      let parent = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
      try FileManager.default.createDirectory(
        atPath: parent, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: path))
    }
    return MachineState(sys: folder + "/sys", proc: folder + "/proc")
  }

  @Test(
    arguments: [
      ([:], false),
      (["proc/net/route": local, "sys/class/net/eth0/operstate": "up\n"], false),
      (["proc/net/route": route, "sys/class/net/eth0/operstate": "up\n"], true),
      (["proc/net/route": route, "sys/class/net/eth0/operstate": "down\n"], false),
      (["proc/net/route": route, "sys/class/net/eth0/operstate": "unknown\n"], true),
      (
        [
          "proc/net/ipv6_route":
            "\(zeros) 00 \(zeros) 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003 wlan0\n",
          "sys/class/net/wlan0/operstate": "up\n",
        ], true
      ),
      (
        [
          "proc/net/ipv6_route":
            "\(zeros) 00 \(zeros) 00 \(zeros) ffffffff 00000001 00000000 00200200 lo\n"
        ], false
      ),
    ] as [([String: String], Bool)])
  func networkRequiresADefaultRoute(files: [String: String], isThere: Bool) throws {
    #expect(try state(files).available().contains(.network) == isThere)
  }

  @Test(
    arguments: [
      ([:], true),
      (["BAT0/type": "Battery\n", "BAT0/status": "Discharging\n"], false),
      (["BAT0/type": "Battery\n", "BAT0/status": "Charging\n"], true),
      (
        [
          "BAT0/type": "Battery\n", "BAT0/status": "Not charging\n", "AC/type": "Mains\n",
          "AC/online": "1\n",
        ], true
      ),
      (
        ["mouse/type": "Battery\n", "mouse/scope": "Device\n", "mouse/status": "Discharging\n"],
        true
      ),
    ] as [([String: String], Bool)])
  func powerIsMainsOrNoBattery(files: [String: String], isThere: Bool) throws {
    let inPlace = Dictionary(
      uniqueKeysWithValues: files.map { ("sys/class/power_supply/" + $0.key, $0.value) })
    #expect(try state(inPlace).available().contains(.power) == isThere)
  }

  @Test(arguments: [("0.00 0.1 0.1 1/1 1\n", true), ("99.0 90 90 3/3 1\n", false)])
  func lowLoadIsIdle(text: String, isThere: Bool) throws {
    #expect(try state(["proc/loadavg": text]).available().contains(.idle) == isThere)
  }
}
