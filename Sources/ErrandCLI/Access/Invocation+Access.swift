import CEL
import Engine
import ErrandKit
import JSON
import Program
import Source

extension Invocation {
  /// Writes the capabilities of an intent or a shortcut, one per line, or as JSON.
  ///
  /// - Parameter word: A name, or the file of a shortcut.
  /// - Throws: `Diagnostics` with the errors of the action and of everything it calls.
  func write(accessOf word: String) throws {
    let target = try target(word)
    let workspace = try openRun().workspace
    try target.check(in: workspace)
    try workspace.check(action: target.name)
    let capabilities = try workspace.capabilities(of: target.name)
    guard mode.isPlain else {
      let list = capabilities.map { capability in
        Value.record([
          "kind": capability.kind.rawValue, "target": capability.target,
          "reason": capability.reason,
        ])
      }
      return console.result(try JSONWriter().text(of: .list(list)) + "\n")
    }
    let width = capabilities.map(\.kind.rawValue.count).max() ?? 0
    for capability in capabilities {
      let target =
        capability.target ?? (capability.kind == .clipboard || capability.kind == .open ? "" : "*")
      let reason = capability.reason.map { "  (\($0))" } ?? ""
      var line = "\(capability.kind.rawValue.padded(to: width))  \(target)\(reason)"
      while line.last == " " { line.removeLast() }
      console.out("\(line)\n")
    }
  }
}
