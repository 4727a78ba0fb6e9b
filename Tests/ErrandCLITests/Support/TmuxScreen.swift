import ErrandKit
import FoundationEssentials
import Glibc

/// A terminal as a person sees it: what tmux makes of all that a program writes to it.
final class TmuxScreen {
  private let sandbox: Sandbox
  private let socket: String

  /// Whether there is a tmux to ask.
  static let isInstalled = ["/usr/bin", "/usr/local/bin", "/bin"].contains {
    access($0 + "/tmux", X_OK) == 0
  }

  /// Runs a line of the shell on a screen of a size; its status is shown at the end.
  init(_ line: String, in sandbox: Sandbox, columns: Int = 60, rows: Int = 16) throws {
    self.sandbox = sandbox
    socket = sandbox.path + "/tmux"
    // What follows keeps the screen as it is.
    try sandbox.write(line + "\necho \"[status $?]\"\nexec sleep 900\n", to: "line.sh")
    try tmux(
      "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "sh line.sh")
  }

  deinit { _ = try? tmux("kill-server") }

  /// Presses keys by the names that tmux has for them; anything else is typed.
  func press(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

  /// Types a text as it is.
  func type(_ text: String) throws { try tmux("send-keys", "-l", text) }

  /// Pastes a text, as a terminal marks what is pasted.
  func paste(_ text: String) throws {
    try tmux("set-buffer", text)
    try tmux("paste-buffer", "-p")
  }

  /// The screen once it shows a text, without blanks at the ends of lines and empty lines at its end.
  ///
  /// - Throws: when it does not come for long.
  func screen(showing text: String) throws -> String {
    let deadline = Clock.seconds + ChildProcess.patience
    while true {
      let screen = try self.screen
      if screen.contains(text) { return screen }
      guard Clock.seconds < deadline else {
        throw ChildProcess.Failure(reason: "“\(text)” does not come:\n\(screen)")
      }
      usleep(20_000)
    }
  }

  private var screen: String {
    get throws {
      var lines = try tmux("capture-pane", "-p").split(
        separator: "\n", omittingEmptySubsequences: false
      ).map { line in
        var line = line
        while line.last == " " { line.removeLast() }
        return String(line)
      }
      while lines.last?.isEmpty == true { lines.removeLast() }
      return lines.joined(separator: "\n")
    }
  }

  @discardableResult
  private func tmux(_ words: String...) throws -> String { try tmux(words) }

  @discardableResult
  private func tmux(_ words: [String]) throws -> String {
    let out = sandbox.path + "/.tmux-" + UUID().uuidString.prefix(8)
    defer { unlink(out) }
    try Data().write(to: URL(filePath: out))
    let child = try ChildProcess(
      "tmux", ["-S", socket] + words, environment: sandbox.environment, folder: sandbox.path,
      streams: [
        0: .file("/dev/null", O_RDONLY), 1: .file(out, O_WRONLY), 2: .file("/dev/null", O_WRONLY),
      ])
    _ = try child.wait()
    let data = (try? Data(contentsOf: URL(filePath: out))) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }
}
