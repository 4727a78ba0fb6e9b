import CEL
import Engine
import ErrandKit
import Exchange
import JSON
import Program
import Source

/// Lists what an intent or a shortcut may touch, for `errand show NAME --access`.
struct AccessListing {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  /// Writes the list: a line for each thing, or JSON.
  ///
  /// - Parameter word: a name, or a file whose shortcut is meant.
  /// - Throws: `Diagnostics` with what is wrong with it or anything that it calls.
  func write(accessOf word: String) throws {
    let target = try invocation.target(word)
    let name = target.name
    let workspace = try invocation.session().workspace
    try target.check(in: workspace)
    try workspace.check(action: name)
    let touches = try workspace.touches(of: name)
    if invocation.mode.hasJSONErrors {
      let list = Value.list(
        touches.map { touch in
          .record([
            "kind": touch.kind.rawValue, "target": touch.target, "reason": touch.reason,
          ])
        })
      invocation.console.result(try JSONWriter().text(of: list) + "\n")
      return
    }
    let width = touches.map(\.kind.rawValue.count).max() ?? 0
    for touch in touches {
      let kind = touch.kind.rawValue.padded(to: width)
      let target = touch.target ?? (touch.kind == .clipboard || touch.kind == .open ? "" : "*")
      let reason = touch.reason.map { "  (\($0))" } ?? ""
      let line = "\(kind)  \(target)\(reason)"
      let trimmed = line.reversed().drop { $0 == " " }.reversed()
      invocation.console.out("\(String(trimmed))\n")
    }
  }
}
