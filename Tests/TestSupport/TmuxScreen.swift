import FoundationEssentials
import Glibc

/// A terminal screen, as rendered by tmux.
package final class TmuxScreen {
  private let sandbox: Sandbox
  private let socket: String

  /// Whether tmux is installed.
  package static let isInstalled = ["/usr/bin", "/usr/local/bin", "/bin"].contains {
    access($0 + "/tmux", X_OK) == 0
  }

  /// Runs a shell command on a screen of a given size; its status is shown at the end.
  package init(_ line: String, in sandbox: Sandbox, columns: Int = 60, rows: Int = 16) throws {
    self.sandbox = sandbox
    socket = sandbox.path + "/tmux"
    // A waiting command preserves the screen.
    try sandbox.write(line + "\necho \"[status $?]\"\nexec sleep 900\n", to: "line.sh")
    try tmux(
      "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "sh line.sh")
  }

  deinit { _ = try? tmux("kill-server") }

  /// Presses keys by tmux names; any other text is typed.
  package func press(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

  /// Types text literally.
  package func type(_ text: String) throws { try tmux("send-keys", "-l", text) }

  /// Pastes text with the markers of a bracketed paste.
  package func paste(_ text: String) throws {
    try tmux("set-buffer", text)
    try tmux("paste-buffer", "-p")
  }

  /// The screen once it shows a text, without trailing blanks and empty lines at its end.
  ///
  /// - Throws: If the text does not appear in time.
  package func screen(showing text: String) throws -> String {
    let deadline = Clock.seconds + TestProcess.patience
    while true {
      let screen = try self.screen
      if screen.contains(text) { return screen }
      guard Clock.seconds < deadline else {
        throw TestProcess.Failure(reason: "“\(text)” does not come:\n\(screen)")
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
    let child = try TestProcess(
      "tmux", ["-S", socket] + words, environment: sandbox.environment, folder: sandbox.path,
      streams: [
        0: .file("/dev/null", O_RDONLY), 1: .file(out, O_WRONLY), 2: .file("/dev/null", O_WRONLY),
      ])
    _ = try child.wait()
    let data = (try? Data(contentsOf: URL(filePath: out))) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }
}
