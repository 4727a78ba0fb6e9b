import Engine
import ErrandKit
import Glibc
import POSIX
import Source

/// `errand browser`: installs the browser extension and registers its native messaging host.
enum BrowserCommand {
  static let command = Command(
    "browser", "install the extension for browsers", usage: "install|remove",
    discussion: """
      `install` writes the extension into a folder, and for each browser that you have the file that \
      lets the extension talk to `errand browser-host`. No server and no port is opened.
      """,
    serves: []
  ) { invocation, arguments in
    guard let places = invocation.places else { throw UsageError("HOME is not set") }
    switch (arguments.words.first, arguments.words.count) {
    case ("install", 1): try install(places, invocation)
    case ("remove", 1): try remove(places, invocation)
    default: throw UsageError("`browser` takes `install` or `remove`")
    }
  }

  /// A browser and the folders of its files, below the home folder.
  private struct Browser {
    let name: String
    /// The folder that exists if the browser was used.
    let profile: String
    /// The folder of the files that name programs.
    let hosts: String
    var isFirefox = false

    static let all =
      [
        Browser(
          name: "Firefox", profile: ".mozilla", hosts: ".mozilla/native-messaging-hosts",
          isFirefox: true)
      ]
      + [
        ("Chromium", "chromium"), ("Chrome", "google-chrome"),
        ("Brave", "BraveSoftware/Brave-Browser"),
        ("Edge", "microsoft-edge"), ("Vivaldi", "vivaldi"), ("Opera", "opera"),
      ].map { name, folder in
        Browser(
          name: name, profile: ".config/" + folder,
          hosts: ".config/\(folder)/NativeMessagingHosts")
      }
  }

  private static func home() throws -> String {
    guard let home = ProcessEnvironment.value("HOME"), !home.isEmpty else {
      throw UsageError("HOME is not set")
    }
    return home
  }

  private static func folder(_ places: Places) -> String { places.data + "/extension" }

  private static func launcher(_ places: Places) -> String { places.data + "/browser-host" }

  private static func install(_ places: Places, _ invocation: Invocation) throws {
    let (home, folder) = (try home(), folder(places))
    try make(folder)
    for (name, bytes) in BrowserExtension.files { try write(bytes, to: "\(folder)/\(name)") }
    let program = try Folder.resolved("/proc/self/exe").expected("cannot locate the program")
    let quoted = "'" + program.replacing("'", with: "'\\''") + "'"
    let launcher = launcher(places)
    try write(Array("#!/bin/sh\nexec \(quoted) browser-host\n".utf8), to: launcher)
    chmod(launcher, 0o755)
    let found = Browser.all.filter { stat.at("\(home)/\($0.profile)")?.isFolder == true }
    for browser in found {
      try make("\(home)/\(browser.hosts)")
      try write(manifest(for: browser, launcher), to: file(of: browser, home))
    }
    guard !found.isEmpty else {
      throw RunError(
        .notFound, "no browser was used here yet",
        help: "start Firefox or Chromium once, then run this again")
    }
    invocation.say("Installed for \(found.map(\.name).joined(separator: ", ")).")
    if found.contains(where: { !$0.isFirefox }) {
      invocation.say(
        """
        In Chromium and its relatives: open chrome://extensions, turn on “Developer mode”, choose \
        “Load unpacked” and \(folder).
        """)
    }
    if found.contains(where: \.isFirefox) {
      invocation.say(
        """
        In Firefox: open about:debugging, “This Firefox”, choose “Load Temporary Add-on…” and \
        \(folder)/manifest.json.
        """)
    }
  }

  /// The file that lets the extension start its program.
  private static func manifest(for browser: Browser, _ launcher: String) throws -> [UInt8] {
    let allowed: [String: JSONValue] =
      browser.isFirefox
      ? ["allowed_extensions": [.string(BrowserExtension.firefoxID)]]
      : ["allowed_origins": [.string("chrome-extension://\(BrowserExtension.chromiumID)/")]]
    let members: [String: JSONValue] = [
      "name": .string(BrowserExtension.host), "description": "Errand's inbox", "type": "stdio",
      "path": .string(launcher),
    ]
    return Array((try JSONValue.object(members.merging(allowed) { $1 }).text() + "\n").utf8)
  }

  private static func file(of browser: Browser, _ home: String) -> String {
    "\(home)/\(browser.hosts)/\(BrowserExtension.host).json"
  }

  private static func remove(_ places: Places, _ invocation: Invocation) throws {
    let home = try home()
    var names: [String] = []
    for browser in Browser.all where unlink(file(of: browser, home)) == 0 {
      names.append(browser.name)
    }
    unlink(launcher(places))
    for (name, _) in BrowserExtension.files { unlink("\(folder(places))/\(name)") }
    rmdir(folder(places))
    invocation.say(
      names.isEmpty ? "It was not installed." : "Removed for \(names.joined(separator: ", ")).")
  }

  private static func make(_ folder: String) throws {
    do { _ = try Folder.make(folder) } catch { throw RunError(.io, "\(folder): \(error)") }
  }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    guard PrivateFile(path: path).replace(bytes, isDurable: true) else { throw failure(path) }
  }

  private static func failure(_ path: String) -> RunError {
    RunError(.io, "\(path) cannot be written: \(String(cString: strerror(errno)))")
  }
}
