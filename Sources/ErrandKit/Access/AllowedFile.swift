import Engine
package import Source

/// The file of a person's grants to foreign definitions, by the hash of a ``PermissionRecord``.
package struct AllowedFile {
  private let lines: TrustLines

  /// The maximum number of grants; the oldest are removed first.
  private static let limit = 2000

  package init(path: String) { lines = TrustLines(path: path, header: "errand allowed 1") }

  /// Whether the file contains this grant.
  package func holds(_ record: PermissionRecord) -> Bool {
    lines.read().contains { $0.hash == record.hash }
  }

  /// Saves a grant.
  ///
  /// - Throws: `unwritable`.
  package func add(_ record: PermissionRecord) throws(Diagnostic) {
    try lines.change { entries in
      entries.removeAll { $0.hash == record.hash }
      entries.append(.init(hash: record.hash, path: record.file))
      if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit) }
    }
  }

  /// The files and folders with grants, without duplicates.
  package var paths: [String] {
    lines.read().map(\.path).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Revokes the grants of a file or of the files in a folder; false if there were none.
  ///
  /// - Throws: `unwritable`.
  package func revoke(_ path: String) throws(Diagnostic) -> Bool {
    try lines.remove { $0.path == path || $0.path.hasPrefix(path + "/") }
  }
}
