import Glibc

/// A process of `store-child` whose output is read line by line.
package final class StoreProcess {
  private let process: pid_t
  /// The process id.
  package var number: Int32 { process }
  private let output: Int32
  private var pending: [UInt8] = []
  private var hasEnded = false

  /// Starts `store-child` with arguments; standard error joins standard output.
  package init(_ arguments: [String]) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure(what: "pipe") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addclose(&actions, ends[1])
    defer { posix_spawn_file_actions_destroy(&actions) }
    let path = try Self.executable()
    var strings = ([path] + arguments).map { strdup($0) }
    strings.append(nil)
    defer { for string in strings { free(string) } }
    var process = pid_t()
    let status = posix_spawn(&process, path, &actions, nil, strings, environ)
    close(ends[1])
    guard status == 0 else {
      close(ends[0])
      throw Failure(what: "start \(path)")
    }
    self.process = process
    output = ends[0]
    // A later child process must not keep this end open.
    _ = fcntl(output, F_SETFD, FD_CLOEXEC)
  }

  deinit {
    if !hasEnded {
      kill()
      _ = wait()
    }
    close(output)
  }

  /// The next line of its output; nil at the end.
  package func readLine() -> String? {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        defer { pending.removeSubrange(...end) }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(output, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      pending += buffer[..<count]
    }
  }

  /// The remaining lines.
  package func readLines() -> [String] {
    var lines: [String] = []
    while let line = readLine() { lines.append(line) }
    return lines
  }

  /// Kills it at once, like a power cut.
  package func kill() {
    _ = Glibc.kill(process, SIGKILL)
  }

  /// Waits for the process; returns the exit status, or nil when it was killed.
  package func wait() -> Int32? {
    hasEnded = true
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return nil }
    }
    return status & 0x7f == 0 ? (status >> 8) & 0xff : nil
  }

  /// The program beside the one that runs the tests.
  private static func executable() throws -> String {
    var folder = "."
    if let own = realpath("/proc/self/exe", nil) ?? realpath(CommandLine.arguments[0], nil) {
      folder = String(cString: own)
      free(own)
    }
    // On macOS the tests are a bundle some folders further down.
    for _ in 0..<6 {
      guard let slash = folder.lastIndex(of: "/") else { break }
      folder = String(folder[..<slash])
      if access(folder + "/store-child", X_OK) == 0 { return folder + "/store-child" }
    }
    throw Failure(what: "find store-child")
  }

  /// An error of starting the process.
  private struct Failure: Error {
    let what: String
  }
}
