import ErrandKit
import FoundationEssentials
import Glibc

/// A temporary home for one person's Errand, removed with the object.
final class Home {
  let path =
    FileManager.default.temporaryDirectory.path + "/errand-kit-" + UUID().uuidString.prefix(8)

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Opens Errand in this home with definitions, given by file name.
  func open(_ definitions: [String: String] = [:]) throws -> Errand {
    for (name, text) in definitions { try write(text, to: ".config/errand/" + name) }
    return try Errand.open(options)
  }

  /// The options for this home.
  var options: Errand.Options {
    var options = Errand.Options()
    options.folder = path
    options.environment = [
      "HOME": path, "TZ": "UTC", "ERRAND_ENRICH": "off", "XDG_CONFIG_HOME": "",
      "XDG_DATA_HOME": "", "XDG_STATE_HOME": "", "ERRAND_STORE": "",
    ]
    return options
  }

  /// Writes a file at a path relative to the home.
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

/// Whether a process exists and is not a zombie.
func isAlive(_ process: Int32) -> Bool {
  guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
    return false
  }
  return stat.split(separator: ")").last?.hasPrefix(" Z") == false
}

/// Waits up to ten seconds for a condition; returns whether it holds.
func eventually(_ condition: () -> Bool) -> Bool {
  for _ in 0..<1000 {
    if condition() { return true }
    usleep(10_000)
  }
  return condition()
}
