import CEL
import Catalog
import Engine
import Glibc
import Inbox
import Items
import POSIX
import Program
import Store

extension Reader {
  /// Returns the tags of an entity with their numbers of items, by name.
  ///
  /// - Throws: `store`, `busy`.
  /// - Complexity: O(tags of all items), from an index.
  package func tags(of entity: String) throws(ErrandError) -> [(tag: String, count: Int)] {
    try reading { run in
      try TagVocabulary(run, of: (entity, "tags")).tags.map { ($0.text, $0.count) }
        .sorted { $0.0 < $1.0 }
    }
  }

  /// Returns a picture that the library keeps, by the hash of its bytes, and its media type; nil if
  /// there is none, or if its format can run programs, as SVG can.
  ///
  /// - Throws: `store`, `busy`.
  package func picture(_ hash: String) throws(ErrandError) -> (type: String, bytes: [UInt8])? {
    let isHash =
      hash.utf8.count == 64 && hash.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    guard isHash, let path = try reading({ try $0.store().items.keptPath(of: hash) }),
      let bytes = try? FileReader.bytes(of: path, limit: 2 << 20)
    else { return nil }
    let type = ContentSignature.mediaType(ofFile: bytes)
    let types: Set = ["image/jpeg", "image/png", "image/gif", "image/webp", "image/avif"]
    return types.contains(type) ? (type, bytes) : nil
  }

  /// Returns whether a worker runs, which does the jobs of the queue.
  ///
  /// - Throws: `store`, `busy`.
  package func hasWorker() throws(ErrandError) -> Bool {
    try reading { try $0.store().jobs.seats?.others().isEmpty == false }
  }

  /// Returns the jobs by state and name, the workers and the latest failures, in the form of `errand
  /// worker --status --json`.
  ///
  /// - Throws: `store`, `busy`.
  package func queue() throws(ErrandError) -> JSONValue {
    try reading { JSONValue(try QueueReport($0, hasStore: true).value) }
  }

  /// Returns the automations in the form of `errand automations --json`: `name`, `on`, `last`, `next`
  /// and `state`.
  ///
  /// - Throws: `store`, `busy`.
  package func automations() throws(ErrandError) -> [JSONValue] {
    try reading { run in
      let store = try? run.store()
      return try run.catalog.automationNames.map {
        JSONValue(try AutomationStatus($0, run, store).value)
      }
    }
  }
}

extension Errand {
  /// A text that changes whenever the library does.
  package var storeStamp: String {
    guard let path = try? storePath() else { return "" }
    return Self.stamp(path)
  }

  /// A text that changes whenever the library at a path does.
  package static func stamp(_ path: String) -> String {
    [path, path + "-wal"].map { file in
      guard let status = stat.at(file) else { return "none" }
      return "\(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }.joined(separator: " ")
  }
}

extension Errand {
  /// The sizes of the person's files in bytes.
  ///
  /// - Throws: `io` if the library cannot be located.
  package func storageSizes() throws(ErrandError) -> [(title: String, bytes: Int)] {
    let store = try storePath()
    let library = [store, store + "-wal", store + "-shm"].reduce(0) {
      $0 + (stat.at($1).map { Int($0.st_size) } ?? 0)
    }
    var sizes = [
      ("Library", library), ("Files", Self.size(store + ".files")),
      ("Inbox", Self.size(store + ".inbox")),
    ]
    if let places {
      sizes += [
        (
          "Other data",
          Self.size(
            places.data, except: String(store.dropFirst(Folder.parent(of: store).utf8.count + 1)))
        ),
        ("State and logs", Self.size(places.state)),
      ]
    }
    return sizes
  }

  /// The size of a folder's files, a few levels deep.
  private static func size(_ folder: String, except name: String? = nil, depth: Int = 6) -> Int {
    guard depth > 0, let names = Folder.names(in: folder) else { return 0 }
    return names.reduce(0) { sum, entry in
      if let name, entry.hasPrefix(name) { return sum }
      guard let status = stat.at(folder + "/" + entry, followsLinks: false) else { return sum }
      return sum
        + (status.isFolder ? size(folder + "/" + entry, depth: depth - 1) : Int(status.st_size))
    }
  }
}
