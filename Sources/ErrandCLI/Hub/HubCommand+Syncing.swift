import CEL
import Engine
import ErrandKit
import Glibc
import Items
import POSIX
import Source
import Store
import Worker

/// `errand hub sync` and `errand hub fetch`.
extension HubCommand {
  func sync() throws {
    try Reexec.goOnWithRecordedRun(invocation)
    let (run, member) = try membership()
    guard arguments.isOn("follow") else {
      return try sync(run) { try connect(service: member.service) }
    }
    // Started by a worker, it is of no use without it.
    guard KeptProcess.endWithParent() else { return }
    invocation.say("Sending and merging changes as they come. Ctrl-C ends it.")
    invocation.console.flush()
    let sync = try LibrarySync(
      run, Interruption.run, connect: { try connect(service: member.service) },
      draw: { try draw($0, run, nil) })
    try sync.follow(having: invocation.machineState.available)
  }

  func sync(_ run: Run, connect: @escaping () throws -> any HubConnection) throws {
    let progress = ProgressLine(console: invocation.console, label: "syncing")
    defer { progress.clear() }
    try LibrarySync(run, Interruption.run, connect: connect) { try draw($0, run, progress) }.once()
  }

  private func draw(_ state: LibrarySync.State, _ run: Run, _ progress: ProgressLine?) throws {
    switch state {
    case .syncing(let outcome):
      let done = outcome.sent + outcome.received
      progress?.update(done: done, fraction: nil)
      if case .events = invocation.mode {
        invocation.front.progress(Progress("syncing", done: Double(done)))
      }
    case .synced(let outcome):
      progress?.clear()
      try draw(outcome, isEnd: progress != nil)
    case .lostJob(let handler, let number, let isKept):
      let name = number.map { "run \($0) of `\(handler)`" } ?? "`\(handler)`"
      guard isKept else {
        return warn("another machine does \(name) now; its changes here were reverted")
      }
      let text =
        "another machine did \(name), too; its changes here stay, since something was built on them"
      warn(text)
      let notification = DesktopNotification(
        title: "A job was done twice", text: text, urgency: .normal, actions: [])
      _ = run.host.keepNotification(notification, [])
    case .unreadable(let jobs): warn(ofUnreadable: jobs)
    case .waiting(let error, let delay):
      warn("\(error.message); trying again in \(delay.components.seconds) s")
    }
    if progress == nil { invocation.console.flush() }
  }

  /// Tells which jobs of other machines cannot be read, a line for each sender and name.
  private func warn(ofUnreadable jobs: [(handler: String, sender: String)]) {
    let groups = Dictionary(grouping: jobs) { "`\($0.handler)` from \($0.sender)".inOneLine }
    for (name, jobs) in groups.sorted(by: { $0.key < $1.key }) {
      warn(
        "\(jobs.count.counted("job")) of the hub for \(name) cannot be read and "
          + "\(jobs.count == 1 ? "is" : "are") dead; `errand queue --hub` lists them")
    }
  }

  private func warn(_ text: String) {
    invocation.console.err("errand: \(text)\n")
    invocation.console.flush()
  }

  /// - Parameter isEnd: Whether it is the result of the command.
  private func draw(_ outcome: HubSync.Outcome, isEnd: Bool) throws {
    if case .events = invocation.mode, !isEnd { return }
    guard invocation.mode.isPlain else {
      return try invocation.resultWriter.write(
        .record([
          "sent": outcome.sent, "received": outcome.received, "changed": outcome.changed,
          "conflicts": outcome.conflicts, "strays": outcome.strays,
        ]))
    }
    if outcome.strays > 0 {
      invocation.say(
        "\(outcome.strays.counted("row")) of the hub with numbers that it never gave: nobody reads "
          + "them; the hub's owner removes them with `errand hub init`.")
    }
    if outcome.wasRestored {
      invocation.say("The hub was restored from a backup, so all was compared again.")
    }
    if outcome.wasCopied {
      invocation.say("This library is a copy of another machine's and is now one of its own.")
    }
    let sent = outcome.sent.counted("change")
    let changed = outcome.changed.counted("item")
    invocation.say(
      outcome.changed == 0
        ? "Sent \(sent); nothing new here." : "Sent \(sent); \(changed) changed here.")
    if outcome.conflicts > 0 {
      invocation.say(
        "\(outcome.conflicts.counted("conflict")): `errand hub conflicts` shows what was merged.")
    }
  }

  // MARK: Files

  /// - Parameter words: Files, or their hashes; all missing ones if there are none.
  func fetch(_ words: [String]) throws {
    try Reexec.goOnWithRecordedRun(invocation)
    let (run, _) = try membership()
    let all = try hashes(of: words, run)
    let progress = ProgressLine(console: invocation.console, label: "fetching")
    defer { progress.clear() }
    let missing = try HubFiles(run: run, hub: connectAsMember()).fetch(all) {
      progress.update(done: $0, fraction: Double($0) / Double(all.count))
    }
    progress.clear()
    guard missing.isEmpty else {
      throw RunError(
        .notFound,
        "\(missing.count) of \(all.count.counted("file")) are not on the hub: larger than 32 MiB, or "
          + "not uploaded yet")
    }
    invocation.say("\(all.count.counted("file")) \(all.count == 1 ? "is" : "are") here.")
  }

  private func hashes(of words: [String], _ run: Run) throws -> [String] {
    let store = try run.store(for: ItemStore.keptFileEntity)
    if words.isEmpty { return try store.hub.outbox.fileHashes() }
    return try words.map { word in
      if word.utf8.count == 64, !word.contains(":") { return word }
      guard word.hasPrefix("file:"), let id = Int64(word.dropFirst(5)),
        case .string(let hash)? = try store.items.get(ItemStore.keptFileEntity, id: id)?.field(
          "hash")
      else {
        throw RunError(
          .notFound, "“\(word)” is not a file of the library",
          help: "`errand find files` lists them")
      }
      return hash
    }
  }
}
