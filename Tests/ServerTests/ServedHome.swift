import FoundationEssentials
import Glibc
import TestSupport

/// A built `errand serve` with a separate home.
final class ServedHome {
  let sandbox: Sandbox
  let token: String
  private(set) var port = 0
  private var process: TestProcess?

  /// The server did not start or end, or a connection broke.
  struct Failure: Error {}

  init(_ definitions: String = "") throws {
    sandbox = try Sandbox(
      definitions.isEmpty ? [:] : [".config/errand/mine.yaml": definitions])
    let created = try sandbox.run("serve", "token", "create", "all", "--scope", "all")
    token = created.out.split(separator: "\n").first.map(String.init) ?? ""
    try start()
  }

  /// Everything that the server wrote.
  var log: String {
    (try? String(contentsOfFile: sandbox.path + "/log", encoding: .utf8)) ?? ""
  }

  func start() throws {
    let file = sandbox.path + "/.local/state/errand/serve/port"
    unlink(file)
    close(open(sandbox.path + "/log", O_WRONLY | O_CREAT, 0o600))
    process = try TestProcess(
      Sandbox.products + "/errand", ["serve", "--port", "0"], environment: sandbox.environment,
      folder: sandbox.path,
      streams: [
        0: .file("/dev/null", O_RDONLY), 1: .file(sandbox.path + "/log", O_WRONLY | O_APPEND),
        2: .file(sandbox.path + "/log", O_WRONLY | O_APPEND),
      ])
    let end = Clock.seconds + 60
    while Clock.seconds < end {
      let text = try? String(contentsOfFile: file, encoding: .utf8)
      if let found = text.flatMap({ Int($0.filter(\.isNumber)) }) {
        port = found
        return
      }
      usleep(5_000)
    }
    throw Failure()
  }

  /// Sends a signal, and returns the exit status.
  func end(_ signal: Int32 = SIGTERM) throws -> Int32 {
    guard let process else { throw Failure() }
    kill(process.id, signal)
    return try process.wait()
  }

  /// The memory that the server uses, in kibibytes.
  var memory: Int {
    let text = process.flatMap {
      try? String(contentsOfFile: "/proc/\($0.id)/status", encoding: .utf8)
    }
    let line = text?.split(separator: "\n").first { $0.hasPrefix("VmRSS") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  /// Opens a connection.
  func connect() throws -> Wire { try Wire(port: port) }

  /// Makes a request on a new connection; returns the head and the body as sent.
  func request(
    _ method: String, _ path: String, _ body: String? = nil, headers: [String] = [],
    type: String = "application/json"
  ) throws -> (status: Int, text: String) {
    let wire = try connect()
    var lines = [
      "\(method) /api/v1\(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close",
      "Authorization: Bearer \(token)",
    ]
    if let body { lines += ["Content-Type: \(type)", "Content-Length: \(body.utf8.count)"] }
    wire.send((lines + headers).map { $0 + "\r\n" }.joined() + "\r\n" + (body ?? ""))
    return wire.response()
  }
}

/// A client's end of a connection, for bytes of any kind.
final class Wire {
  private let descriptor: Int32

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | 0o2000000, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw ServedHome.Failure() }
  }

  deinit { close(descriptor) }

  /// Sends text; false once the server has closed the connection.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Sends no more.
  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads until a text, or the end, and returns everything.
  func read(until end: String? = nil) -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      if let end, String(decoding: bytes, as: UTF8.self).contains(end) { break }
      let count = recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads all that follows, and its first status.
  func response() -> (status: Int, text: String) {
    let text = read()
    let words = text.split(separator: " ", maxSplits: 2)
    return (words.count > 1 ? Int(words[1]) ?? 0 : 0, text)
  }
}
