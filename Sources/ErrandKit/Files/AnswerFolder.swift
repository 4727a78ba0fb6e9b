package import Engine
import Glibc
import POSIX
import Synchronization

/// A folder with the answers of servers that runs have not made use of yet, a file for each.
///
/// They are for the case that a process dies, so nothing is synced; each is removed once what came of
/// it is saved, and after a day.
package final class AnswerFolder: Sendable {
  /// Where it is.
  private let path: String
  private let isTidied = Mutex(false)

  /// For how long an answer stands for a new one, in seconds.
  private static let age = 86_400
  /// How long a file may be, and how much of it is a head at most.
  private static let limit = 64 << 20
  private static let headLimit = 1 << 20
  private static let mark = "errand answer 1"

  package init(_ path: String) { self.path = path }

  /// The folder as runs use it.
  package var keeping: AnswerKeeping {
    AnswerKeeping(
      answer: { self.answer($0) }, keep: { self.keep($0, $1) }, remove: { unlink(self.file($0)) })
  }

  private func file(_ key: String) -> String { path + "/" + key }

  // MARK: Writing

  private func keep(_ key: String, _ reply: HTTPReply) -> Bool {
    tidy()
    var lines = [Self.mark, "\(reply.status)", reply.url, "\(reply.body.count)"]
    for (name, value) in reply.headers { lines += [name, value] }
    guard reply.body.count < Self.limit, !lines.contains(where: { $0.utf8.contains(0x0A) }) else {
      return false
    }
    // An empty line ends the head, in which a name is never empty.
    let head = Array((lines.joined(separator: "\n") + "\n\n").utf8)
    guard head.count < Self.headLimit else { return false }
    return PrivateFile(path: file(key)).replace(head + reply.body, isDurable: false)
  }

  /// Removes what was left behind long ago, once a process.
  private func tidy() {
    guard
      isTidied.withLock({ isTidied in
        defer { isTidied = true }
        return !isTidied
      })
    else { return }
    for name in Folder.visibleNames(in: path) where Self.youngSize(of: path + "/" + name) == nil {
      unlink(path + "/" + name)
    }
  }

  // MARK: Reading

  private func answer(_ key: String) -> HTTPReply? {
    guard let size = Self.youngSize(of: file(key)), size < Self.limit + Self.headLimit else {
      return nil
    }
    let descriptor = open(file(key), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
    return Self.reply(bytes)
  }

  /// The answer that the bytes of a file hold; nil where a power cut left only some of them.
  private static func reply(_ bytes: [UInt8]) -> HTTPReply? {
    var lines: [String] = []
    var start = 0
    while let end = bytes[start...].firstIndex(of: 0x0A) {
      let line = String(decoding: bytes[start..<end], as: UTF8.self)
      start = end + 1
      // The value of a header may be empty, its name is not.
      if line.isEmpty, lines.count >= 4, lines.count % 2 == 0 { break }
      lines.append(line)
    }
    guard lines.count >= 4, lines[0] == mark, let status = Int(lines[1]),
      bytes.count - start == Int(lines[3])
    else { return nil }
    let headers = stride(from: 4, to: lines.count - 1, by: 2).map {
      (name: lines[$0], value: lines[$0 + 1])
    }
    return HTTPReply(
      status: status, headers: headers, url: lines[2], body: Array(bytes[start...]), isSaved: false)
  }

  /// How long a file is that is young enough to count; nil for another.
  private static func youngSize(of file: String) -> Int? {
    var status = stat()
    guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      abs(time(nil) - status.st_mtim.tv_sec) < age
    else { return nil }
    return Int(status.st_size)
  }
}
