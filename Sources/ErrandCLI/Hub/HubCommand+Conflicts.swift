import CEL
import Engine
import ErrandKit
import Items
import Program
import Source
import Store

/// `errand hub conflicts`.
extension HubCommand {
  func listConflicts() throws {
    let (run, _) = try membership()
    let conflicts = try reporting { try run.store().hub.conflicts.all() }
    let report = Report<ConflictLog.Conflict>(
      columns: [
        "number": { "\($0.number)" }, "item": { Self.item($0) },
        "what": { Self.what($0) }, "lost": { Self.text($0.lost) }, "kept": { Self.text($0.kept) },
      ],
      value: { conflict in
        .record([
          "number": Value.int(conflict.number), "kind": conflict.kind.rawValue,
          "item": Self.item(conflict), "uid": conflict.uid.text,
          "property": conflict.property, "lost": conflict.lost, "kept": conflict.kept,
          "time": Value.timestamp(conflict.time),
        ])
      }, empty: "No conflicts.")
    try report.write(conflicts, to: invocation)
    guard !conflicts.isEmpty, invocation.console.stdoutIsTerminal, invocation.mode.isPlain else {
      return
    }
    invocation.say(
      "`errand hub conflicts restore NUMBER` gives the item what was lost; `settle NUMBER` forgets "
        + "the conflict.")
  }

  private static func item(_ conflict: ConflictLog.Conflict) -> String {
    guard let id = conflict.id else { return "\(EntitySchema.kind(of: conflict.entity)) (gone)" }
    return "\(ItemReference(entity: conflict.entity, id: id))"
  }

  private static func what(_ conflict: ConflictLog.Conflict) -> String {
    switch conflict.kind {
    case .value: "\(conflict.property) was set twice"
    case .deleted: "changed on one machine, deleted on another"
    case .needed: "deleted, but another item needs it"
    case .merged: "\(conflict.property) of two items that became one"
    }
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .null: ""
    case .string(let text): text
    case .map(let map): map["title"].map(text) ?? map["name"].map(text) ?? "\(value)"
    default: "\(value)"
    }
  }

  private func conflict(_ word: String) throws -> (run: Run, conflict: ConflictLog.Conflict) {
    let (run, _) = try membership()
    guard let number = Int64(word) else {
      throw UsageError("a conflict is named by its number, not “\(word)”")
    }
    guard
      let found = try reporting({ try run.store().hub.conflicts.all() }).first(where: {
        $0.number == number
      })
    else {
      throw RunError(
        .notFound, "there is no conflict \(number)", help: "`errand hub conflicts` lists them")
    }
    return (run, found)
  }

  func restore(_ word: String) throws {
    let (run, conflict) = try conflict(word)
    let store = try run.store(for: conflict.entity)
    store.session.cause = "hub conflicts"
    let item = try reporting { try store.hub.conflicts.restore(conflict) }
    try reporting { try store.hub.conflicts.settle(conflict.number) }
    let name = item.description
    invocation.say(
      conflict.property.isEmpty
        ? "\(name) is back." : "\(name) has the lost value of \(conflict.property) again.")
  }

  func settle(_ word: String) throws {
    let (run, conflict) = try conflict(word)
    try reporting { try run.store().hub.conflicts.settle(conflict.number) }
    invocation.say("Forgot conflict \(conflict.number).")
  }
}
