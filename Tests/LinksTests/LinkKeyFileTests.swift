import Glibc
import Testing

@testable import Links

@Suite struct LinkKeyFileTests {
  private let folder = TemporaryFolder()

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  private func write(_ bytes: [UInt8], to path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
  }

  @Test func firstSigningCreatesAKey() throws {
    let path = folder.path + "/a/b/link.key"
    let file = LinkKeyFile(path: path)
    #expect(try file.existingKey(recordedID: nil) == nil)
    let key = try file.keyForSigning(recordedID: nil)
    #expect(mode(path) == 0o600)
    #expect(mode(folder.path + "/a/b") == 0o700)
    #expect(mode(folder.path + "/a") == 0o700)
    #expect(folder.names(in: "a/b") == ["link.key"])
    #expect(try file.keyForSigning(recordedID: key.id).bytes == key.bytes)
    #expect(try file.existingKey(recordedID: key.id)?.bytes == key.bytes)
  }

  @Test func keysDiffer() throws {
    let first = try LinkKeyFile(path: folder.path + "/1").keyForSigning(recordedID: nil)
    let second = try LinkKeyFile(path: folder.path + "/2").keyForSigning(recordedID: nil)
    #expect(first.bytes != second.bytes)
  }

  @Test func lostKeyIsNotReplaced() throws {
    let file = LinkKeyFile(path: folder.path + "/link.key")
    for action in [
      { _ = try file.keyForSigning(recordedID: "0123abcd") },
      { _ = try file.existingKey(recordedID: "0123abcd") },
    ] {
      let error = try #require(throws: LinkError.self) { try action() }
      #expect(error.code == .io)
      #expect(error.message.contains("0123abcd"))
      #expect(error.message.contains("restore"))
    }
    #expect(folder.names(in: "") == [])
  }

  @Test(arguments: [0o644, 0o640, 0o620, 0o601] as [mode_t])
  func keyReadableByOthersIsRejected(mode: mode_t) throws {
    let path = folder.path + "/link's key"
    let file = LinkKeyFile(path: path)
    let key = try file.keyForSigning(recordedID: nil)
    chmod(path, mode)
    for recorded in [nil, key.id] {
      let error = try #require(throws: LinkError.self) {
        try file.existingKey(recordedID: recorded)
      }
      #expect(error.code == .io)
      #expect(
        error.message
          == "the key for wrapped links, \(path), can be read by others; remove their access: "
          + "chmod 600 '\(folder.path)/link'\\''s key'")
    }
    chmod(path, 0o600)
    #expect(try file.existingKey(recordedID: key.id)?.bytes == key.bytes)
  }

  @Test(arguments: [0, 31, 33, 1_000])
  func keyOfWrongSizeIsRejectedAndPreserved(size: Int) throws {
    let path = folder.path + "/link.key"
    write([UInt8](repeating: 0xAB, count: size), to: path)
    let error = try #require(throws: LinkError.self) {
      try LinkKeyFile(path: path).keyForSigning(recordedID: nil)
    }
    #expect(error.code == .io)
    #expect(!error.message.contains("171") && !error.message.lowercased().contains("abab"))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_size == size)
  }

  @Test func keyOtherThanTheRecordedOneIsRejected() throws {
    let path = folder.path + "/link.key"
    write([UInt8](repeating: 1, count: 32), to: path)
    let error = try #require(throws: LinkError.self) {
      try LinkKeyFile(path: path).keyForSigning(recordedID: "ffffffff")
    }
    #expect(error.message.contains("ffffffff"))
  }

  @Test func unreadableKeyIsAnError() throws {
    let error = try #require(throws: LinkError.self) {
      try LinkKeyFile(path: folder.path).keyForSigning(recordedID: nil)
    }
    #expect(error.code == .io)
    write([1], to: folder.path + "/file")
    #expect(throws: LinkError.self) {
      try LinkKeyFile(path: folder.path + "/file/link.key").keyForSigning(recordedID: nil)
    }
  }

  @Test func concurrentSignersGetOneKey() throws {
    let path = folder.path + "/x/link.key"
    // Threads race like processes: only the file system synchronizes them.
    final class Race: Sendable {
      let path: String
      init(_ path: String) { self.path = path }
    }
    var threads: [pthread_t] = []
    for _ in 0..<8 {
      var thread = pthread_t()
      let race = Unmanaged.passRetained(Race(path))
      let status = pthread_create(
        &thread, nil,
        { raw in
          guard let raw else { return nil }
          let race = Unmanaged<Race>.fromOpaque(raw).takeRetainedValue()
          guard let key = try? LinkKeyFile(path: race.path).keyForSigning(recordedID: nil) else {
            return nil
          }
          return UnsafeMutableRawPointer(bitPattern: UInt(key.id, radix: 16) ?? 0)
        }, race.toOpaque())
      #expect(status == 0)
      threads.append(thread)
    }
    var ids: Set<UInt> = []
    for thread in threads {
      var result: UnsafeMutableRawPointer?
      pthread_join(thread, &result)
      ids.insert(UInt(bitPattern: result))
    }
    let key = try #require(try LinkKeyFile(path: path).existingKey(recordedID: nil))
    #expect(ids == [UInt(key.id, radix: 16) ?? 0])
    #expect(folder.names(in: "x") == ["link.key"])
  }
}

/// A temporary folder for one test.
private final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/errand-links-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? "/nowhere"
  }

  deinit {
    remove(path)
  }

  /// The names in a subfolder, sorted.
  func names(in subfolder: String) -> [String] {
    guard let handle = opendir(path + "/" + subfolder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private func remove(_ path: String) {
    if unlink(path) == 0 { return }
    let below = String(path.dropFirst(self.path.count + 1))
    for name in names(in: below) { remove(path + "/" + name) }
    rmdir(path)
  }
}
