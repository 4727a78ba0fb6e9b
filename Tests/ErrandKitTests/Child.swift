import ErrandKit
import FoundationEssentials
import Glibc

/// A program of the package, running with a separate home and captured output.
final class Child {
  let process: Int32
  private let output: Int32
  private var bytes: [UInt8] = []

  init(_ name: String, _ words: [String], _ home: Home) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw POSIXFailure(code: errno) }
    // Other tests start programs at the same time, which must not inherit the pipe.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    output = ends[0]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    var arguments: [UnsafeMutablePointer<CChar>?] =
      ([Self.path(of: name)] + words).map { strdup($0) } + [nil]
    let given = home.options.environment.filter { !$0.value.isEmpty }
    var variables: [UnsafeMutablePointer<CChar>?] =
      given.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var id: Int32 = 0
    let status = posix_spawn(
      &id, Self.path(of: name), &actions, nil, &arguments, &variables)
    guard status == 0 else { throw POSIXFailure(code: status) }
    process = id
  }

  deinit { close(output) }

  struct POSIXFailure: Error { let code: Int32 }

  /// The next line of its output; nil at the end. Kills a program that is silent for two minutes.
  func line() -> Substring? {
    while true {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        defer { bytes.removeSubrange(...end) }
        return Substring(decoding: bytes[..<end], as: UTF8.self)
      }
      var polled = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 120_000) > 0 else {
        kill(process, SIGKILL)
        return nil
      }
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = read(output, &chunk, chunk.count)
      guard count > 0 else { return nil }
      bytes += chunk[..<count]
    }
  }

  /// Waits for the exit; the exit status, or -1 after a signal.
  func status() -> Int32 {
    var code: Int32 = 0
    while waitpid(process, &code, 0) < 0, errno == EINTR {}
    return code & 0x7F == 0 ? (code >> 8) & 0xFF : -1
  }

  /// The path of a program of the package, in the build folder of the tests.
  static func path(of name: String) -> String { folder + "/" + name }

  /// The build folder.
  static var folder: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(
      decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  /// The processes whose environment has this home.
  static func processes(in home: Home) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { process in
      guard let bytes = try? Data(contentsOf: URL(filePath: "/proc/\(process)/environ")) else {
        return false
      }
      return isAlive(process)
        && bytes.split(separator: 0).contains { $0.elementsEqual("HOME=\(home.path)".utf8) }
    }
  }
}
