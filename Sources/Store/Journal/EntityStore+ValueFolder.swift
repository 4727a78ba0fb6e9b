import Glibc

extension EntityStore {
  /// The folder beside a store with the values of journals that are too large for a line, each in a
  /// file that is called by its hash and never changes.
  package static func valueFolder(ofStore path: String) -> String { path + ".values" }

  /// Puts the values that lines of journals name beside a copy of the store.
  ///
  /// - Throws: `full`, `io`.
  func copyValues(besides copy: String) throws {
    guard case .file(let path) = location else { return }
    try Self.copyValues(try hashesInJournal(), ofStore: path, besides: copy)
  }

  /// Puts values of a store beside another one.
  ///
  /// - Throws: `full`, `io`.
  package static func copyValues(
    _ hashes: Set<String>, ofStore path: String, besides copy: String
  ) throws {
    if hashes.isEmpty { return }
    let source = Self.valueFolder(ofStore: path)
    let target = Self.valueFolder(ofStore: copy)
    guard mkdir(target, 0o700) == 0 || errno == EEXIST else { throw Self.failure(target) }
    for hash in hashes {
      let original = "\(source)/\(hash)"
      // One that is gone by now belonged to a run that was forgotten meanwhile.
      guard access(original, F_OK) == 0 else { continue }
      let place = "\(target)/\(hash)"
      if link(original, place) == 0 || errno == EEXIST { continue }
      try Self.copyFile(original, to: place)
    }
  }

  /// Copies a file where it can't be linked, as to another disk.
  private static func copyFile(_ source: String, to target: String) throws {
    let input = open(source, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw failure(source) }
    defer { close(input) }
    let output = open(target, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw failure(target) }
    defer { close(output) }
    do {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(input, &buffer, buffer.count)
        if count == 0 { break }
        // A part that is not written is an error of the disk: files take all or fail.
        guard count > 0, Glibc.write(output, buffer, count) == count else { throw failure(target) }
      }
      guard fsync(output) == 0 else { throw failure(target) }
    } catch {
      unlink(target)
      throw error
    }
  }

  private static func failure(_ path: String) -> StoreError {
    let number = errno
    return StoreError(
      number == ENOSPC || number == EDQUOT ? .full : .io,
      "a value of a run can't be copied to \(path): \(String(cString: strerror(number)))")
  }
}
