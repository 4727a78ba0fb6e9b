package import Source

/// The file of trusted folders, by path and content hash (language §1).
package struct TrustFile {
  private let lines: TrustLines

  /// Replaces the hash of a folder that is trusted including future changes.
  private static let follows = "*"

  package init(path: String) { lines = TrustLines(path: path, header: "errand trust 2") }

  /// The extent of the trust in a folder.
  package enum Trust: Equatable {
    /// Trusted with the content that has this hash.
    case content(String)
    /// Trusted, including future changes.
    case anything
  }

  /// The trust in a folder; nil if it is not trusted.
  package func trust(of folder: String) -> Trust? {
    guard let entry = lines.read().last(where: { $0.path == folder }) else {
      return isFollowed(folder) ? .anything : nil
    }
    return entry.hash == Self.follows ? .anything : .content(entry.hash)
  }

  /// Whether a file is in a folder that is trusted including future changes.
  package func isFollowed(_ file: String) -> Bool {
    lines.read().contains { entry in
      entry.hash == Self.follows && (file == entry.path || file.hasPrefix(entry.path + "/"))
    }
  }

  /// The trusted folders, in the order in which they were added.
  package var folders: [(path: String, isFollowed: Bool)] {
    lines.read().map { ($0.path, $0.hash == Self.follows) }
  }

  /// Trusts a folder, replacing any earlier trust in it.
  ///
  /// - Parameter tellOfWait: Called once if another process holds the file for long.
  /// - Throws: `unwritable` if the file cannot be written.
  package func allow(
    _ folder: String, _ trust: Trust, tellOfWait: () -> Void = {}
  ) throws(Diagnostic) {
    let hash = if case .content(let hash) = trust { hash } else { Self.follows }
    try lines.change(tellOfWait: tellOfWait) { entries in
      entries.removeAll { $0.path == folder }
      entries.append(.init(hash: hash, path: folder))
    }
  }

  /// Revokes the trust in a folder; false if it was not trusted.
  ///
  /// - Throws: `unwritable`.
  package func revoke(_ folder: String) throws(Diagnostic) -> Bool {
    try lines.remove { $0.path == folder }
  }
}
