package import Source

/// The folders whose definitions a person has allowed, by path and content (language §1).
package struct TrustFile {
  private let lines: TrustLines

  /// Stands in the place of the hash of a folder that is trusted whatever it holds.
  private static let follows = "*"

  package init(path: String) {
    lines = TrustLines(path: path, header: "errand trust 2")
  }

  /// How a folder is trusted.
  package enum Trust: Equatable {
    /// With the content of this hash.
    case content(String)
    /// Whatever it holds.
    case anything
  }

  /// How a folder is trusted; nil when it is not.
  package func trust(of folder: String) -> Trust? {
    guard let entry = lines.read().last(where: { $0.path == folder }) else { return nil }
    return entry.hash == Self.follows ? .anything : .content(entry.hash)
  }

  /// Whether a file lies in a folder that is trusted whatever it holds.
  package func isFollowed(_ file: String) -> Bool {
    lines.read().contains { entry in
      entry.hash == Self.follows && (file == entry.path || file.hasPrefix(entry.path + "/"))
    }
  }

  /// The folders in the order in which they were trusted.
  package var folders: [(path: String, isFollowed: Bool)] {
    lines.read().map { ($0.path, $0.hash == Self.follows) }
  }

  /// Trusts a folder, and no longer as it was trusted before.
  ///
  /// - Parameter tellOfWait: is called once when another process has the file for long.
  /// - Throws: `unwritable` when it can't be remembered.
  package func allow(
    _ folder: String, _ trust: Trust, tellOfWait: () -> Void = {}
  ) throws(Diagnostic) {
    let hash = if case .content(let hash) = trust { hash } else { Self.follows }
    try lines.change(tellOfWait: tellOfWait) { entries in
      entries.removeAll { $0.path == folder }
      entries.append(.init(hash: hash, path: folder))
    }
  }

  /// Trusts a folder no longer; whether it was trusted.
  ///
  /// - Throws: `unwritable`.
  package func revoke(_ folder: String) throws(Diagnostic) -> Bool {
    var isFound = false
    try lines.change { entries in
      isFound = entries.contains { $0.path == folder }
      entries.removeAll { $0.path == folder }
    }
    return isFound
  }
}
