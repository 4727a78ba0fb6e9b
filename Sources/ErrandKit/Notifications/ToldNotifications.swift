import Links

/// The latest notification of each key of `notify: {once: …}`, as hashes in the person's state folder.
struct ToldNotifications: Sendable {
  private let lines: StateLines

  /// - Parameter folder: The person's state folder.
  init(in folder: String) { lines = StateLines(path: folder + "/notified", limit: 1_000) }

  /// Records the latest text of a key; false if it is the same as before. True, too, if that cannot
  /// be recorded: a notice too many is better than none.
  func isNews(_ key: String, _ text: String) -> Bool {
    let key = SHA256.hex(of: key).prefix(32)
    let line = "\(key) \(SHA256.hex(of: text).prefix(32))"
    let isNews = lines.change { lines in
      if lines.contains(line) { return false }
      lines.removeAll { $0.hasPrefix(key) }
      lines.append(line)
      return true
    }
    return isNews ?? true
  }
}
