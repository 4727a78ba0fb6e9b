import POSIX

/// The actions that the person does not want to have suggested, a name a line in the state folder.
struct DismissedSuggestions {
  private let path: String

  /// - Parameter folder: The person's state folder.
  init(in folder: String) { path = folder + "/dismissed-suggestions" }

  func names() -> Set<String> {
    let bytes = (try? FileReader.bytes(of: path, limit: 1 << 20)) ?? []
    return Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  /// Adds a name; false if it cannot be saved.
  func add(_ name: String) -> Bool {
    guard let lock = try? FileLock.taken(beside: path) else { return false }
    defer { lock.release() }
    let names = names().union([name]).sorted()
    return PrivateFile(path: path).write(names.joined(separator: "\n") + "\n")
  }
}
