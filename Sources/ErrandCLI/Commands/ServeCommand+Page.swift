import Engine
import ErrandKit
import Glibc
import POSIX
import Program
import Server
import Source

/// `errand serve --open`: the page in the person's browser.
extension ServeCommand {
  /// Opens the page of the running server, with a code that signs the browser in; false if no
  /// server is running.
  ///
  /// The code is in a file that only the person can read, and sent from there: an address with the
  /// code would be visible to other users, as an argument of the browser.
  static func openPage(_ folder: String, _ invocation: Invocation) throws -> Bool {
    let text = (try? FileReader.bytes(of: folder + "/port", limit: 16)) ?? []
    let number = String(decoding: text, as: UTF8.self).filter(\.isNumber)
    guard let port = Int(number), (1...65_535).contains(port), ListenSocket.isServed(port: port)
    else { return false }
    let address = "http://\(try Site(file: folder + "/site").host):\(port)"
    let code = try SignInCodes(folder: folder + "/codes").create()
    let path = folder + "/open.html"
    let page = """
      <!doctype html>
      <meta charset="utf-8">
      <title>Errand</title>
      <form method="post" action="\(address)/sign-in">
      <input type="hidden" name="code" value="\(code)">
      <button>Open Errand</button>
      </form>
      <script>document.forms[0].submit()</script>

      """
    guard PrivateFile(path: path).write(page) else {
      throw RunError(.io, "\(path) cannot be written")
    }
    invocation.say("Opening the page at \(address).")
    invocation.console.flush()
    if !URLOpener().open(path) {
      invocation.say("No browser could be started; open \(path) within a minute.")
    }
    return true
  }

  /// Has another process open the page, so that this one can serve it.
  static func openPageLater() {
    guard let program = Folder.resolved("/proc/self/exe") else { return }
    _ = ChildProcess([program, "serve", "--open"], output: 2)
  }
}
