import CEL
import Engine
import ErrandKit
import Glibc
import Inbox
import Items
import Links
import POSIX
import Source
import Store

/// The bytes of kept files, which are sent to the hub once and fetched when somebody opens them.
struct HubFiles {
  let run: Run
  let store: Database
  let hub: any HubConnection

  /// The size of the largest file whose bytes are shared, in bytes.
  static let limit = 32 << 20
  /// The number of files looked at between commits.
  private static let batch = 100

  // MARK: Sending

  /// Sends the bytes that are here and not on the hub.
  func send() throws {
    guard let member = try store.hub.membership() else { return }
    while true {
      let hashes = try store.hub.outbox.unsentFiles(limit: Self.batch)
      for hash in hashes {
        // What is not here came from the hub; what is larger stays where it is.
        if let path = store.items.keptPath(of: hash),
          let bytes = try? run.host.machine.files.read(path, Self.limit)
        {
          try hub.keep(bytes, named: hash, of: member.machine)
        }
        try store.hub.outbox.markSent(hash)
      }
      if hashes.count < Self.batch { return }
    }
  }

  // MARK: Fetching

  /// Fetches the bytes of a file; false if the hub does not have them.
  func fetch(_ hash: String) throws -> Bool {
    guard let path = store.items.keptPath(of: hash) else { return false }
    if access(path, F_OK) == 0 { return true }
    guard let bytes = try hub.bytes(named: hash) else { return false }
    guard SHA256.hash(bytes).hexadecimal == hash else {
      throw RunError(.failed, "the hub has other bytes than those of the file \(hash)")
    }
    _ = try run.host.machine.files.keep(bytes, path, Folder.parent(of: path))
    return true
  }
}

/// `errand hub fetch`.
extension HubCommand {
  /// - Parameter words: Files, or their hashes; all that are not here if there are none.
  func fetch(_ words: [String]) throws {
    try Reexec.goOnWithRecordedRun(invocation)
    let (run, _) = try membership()
    let store = try run.store()
    let files = HubFiles(run: run, store: store, hub: try connectAsMember())
    let all = try find(words, run)
    let progress = ProgressLine(console: invocation.console, label: "fetching")
    defer { progress.clear() }
    var missing: [String] = []
    for (index, hash) in all.enumerated() {
      if try !reporting({ try files.fetch(hash) }) { missing.append(hash) }
      progress.update(done: index + 1, fraction: Double(index + 1) / Double(all.count))
    }
    progress.clear()
    let count = (all.count - missing.count).counted("file")
    if !missing.isEmpty {
      throw RunError(
        .notFound,
        "\(missing.count) of \(all.count.counted("file")) cannot be had from the hub: larger "
          + "than 32 MiB, or not sent by the machine that has them"
      )
    }
    invocation.say("\(count) \(all.count == 1 ? "is" : "are") here.")
  }

  private func find(_ words: [String], _ run: Run) throws -> [String] {
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
