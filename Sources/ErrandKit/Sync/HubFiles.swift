package import Engine
import Glibc
import Inbox
import Items
import Links
import POSIX
package import Store

/// The bytes of kept files: sent to the hub once, fetched from it when a file is first opened.
package struct HubFiles {
  let run: Run
  let hub: any HubConnection

  package init(run: Run, hub: any HubConnection) { (self.run, self.hub) = (run, hub) }

  /// The maximum size of a file whose bytes are shared.
  private static let limit = 32 << 20
  /// The number of files checked between commits.
  private static let batch = 100

  /// Sends the bytes that are here and not on the hub.
  func send() throws {
    let store = try run.store()
    guard let member = try store.hub.membership() else { return }
    while true {
      let hashes = try store.hub.outbox.unsentFiles(limit: Self.batch)
      for hash in hashes {
        // A missing file came from the hub; one that is larger stays where it is.
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

  /// Fetches files, and returns those that the hub lacks.
  ///
  /// - Parameter progressed: Called with the number of files done.
  /// - Throws: `failed` for wrong bytes; `network`, `denied`, `io`.
  package func fetch(_ hashes: [String], progressed: (Int) -> Void) throws -> [String] {
    try hashes.enumerated().filter { index, hash in
      defer { progressed(index + 1) }
      return try !RunError.reportingHub { try fetch(hash) }
    }.map(\.element)
  }

  /// Fetches the bytes of a file; false if the hub lacks them.
  private func fetch(_ hash: String) throws -> Bool {
    guard let path = try run.store().items.keptPath(of: hash) else { return false }
    if access(path, F_OK) == 0 { return true }
    guard let bytes = try hub.bytes(named: hash) else { return false }
    guard SHA256.hash(bytes).hexadecimal == hash else {
      throw RunError(.failed, "the hub has other bytes than those of the file \(hash)")
    }
    _ = try run.host.machine.files.keep(bytes, path, Folder.parent(of: path))
    return true
  }
}
