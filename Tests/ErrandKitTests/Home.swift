import ErrandKit
import FoundationEssentials
import Glibc

/// A home of its own for one person's Errand, in a folder that goes with it.
final class Home {
  let path =
    FileManager.default.temporaryDirectory.path + "/errand-kit-" + UUID().uuidString.prefix(8)

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The Errand of this home, with definitions of its own by the names of their files.
  func open(_ definitions: [String: String] = [:]) throws -> Errand {
    for (name, text) in definitions { try write(text, to: ".config/errand/" + name) }
    return try Errand.open(options)
  }

  /// The options of whoever lives here.
  var options: Errand.Options {
    var options = Errand.Options()
    options.folder = path
    options.environment = [
      "HOME": path, "TZ": "UTC", "ERRAND_ENRICH": "off", "XDG_CONFIG_HOME": "",
      "XDG_DATA_HOME": "", "XDG_STATE_HOME": "", "ERRAND_STORE": "",
    ]
    return options
  }

  /// Writes a file by its path below the home.
  func write(_ text: String, to name: String) throws {
    let file = URL(filePath: path + "/" + name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }
}

/// Whether a process is there that has not ended.
func isAlive(_ process: Int32) -> Bool {
  guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
    return false
  }
  return stat.split(separator: ")").last?.hasPrefix(" Z") == false
}

/// Waits until a condition holds, for ten seconds at most; whether it does.
func eventually(_ condition: () -> Bool) -> Bool {
  for _ in 0..<1000 {
    if condition() { return true }
    usleep(10_000)
  }
  return condition()
}
