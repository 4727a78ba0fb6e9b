import Catalog
import Engine
import Items
import Source
import Store

/// What `undo` and `redo` have in common.
struct Reverting {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  /// Runs `body` on the store with all entities ready, under a line that shows how far it is.
  func run(
    _ label: String,
    _ body: (EntityStore, @escaping EntityStore.FileReverter, (Int, Int) -> Void) throws -> [Change]
  ) throws -> [Change] {
    let session = try invocation.session()
    for name in session.library.entityNames { _ = try session.store(for: name) }
    let progress = ProgressLine(console: invocation.console, label: label)
    defer { progress.clear() }
    let files = session.host.machine.files
    let takeBack: EntityStore.FileReverter = { move in
      do { return try files.takeBack(move) } catch let error as RunError {
        throw RunError(
          error.code, error.message + "; nothing was taken back", remedy: error.remedy)
      }
    }
    return try body(session.store(), takeBack) { done, total in
      progress.update(done: done, fraction: Double(done) / Double(max(1, total)))
    }
  }

  /// Says what was done, or that there was nothing to do.
  func tell(_ changes: [Change], _ verb: String, orSay nothing: String) {
    guard let first = changes.first else { return invocation.say("\(nothing)") }
    let cause = first.cause.isEmpty ? "" : " by \(first.cause)"
    for text in UndoSummary(changes).lines { invocation.say("\(verb) \(text)\(cause).") }
  }
}
