import Engine
package import Source

/// What a person has allowed definitions from elsewhere to touch, by the hash of all that counts.
package struct AllowedFile {
  private let lines: TrustLines

  /// How many answers are kept; the oldest are forgotten first.
  private static let limit = 2000

  package init(path: String) {
    lines = TrustLines(path: path, header: "errand allowed 1")
  }

  /// Whether this was allowed.
  package func holds(_ record: AccessRecord) -> Bool {
    lines.read().contains { $0.hash == record.hash }
  }

  /// Remembers that this is allowed.
  ///
  /// - Throws: `unwritable`.
  package func add(_ record: AccessRecord) throws(Diagnostic) {
    try lines.change { entries in
      entries.removeAll { $0.hash == record.hash }
      entries.append(.init(hash: record.hash, path: record.file))
      if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit) }
    }
  }

  /// The files and folders for which something is allowed, each once.
  package var paths: [String] {
    lines.read().map(\.path).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Forgets what was allowed to a file, or to what lies in a folder; whether there was anything.
  ///
  /// - Throws: `unwritable`.
  package func revoke(_ path: String) throws(Diagnostic) -> Bool {
    var isFound = false
    try lines.change { entries in
      let count = entries.count
      entries.removeAll { $0.path == path || $0.path.hasPrefix(path + "/") }
      isFound = entries.count < count
    }
    return isFound
  }
}
