import Glibc

/// The server's end of a connection; for use on its thread.
package final class Peer: @unchecked Sendable {
  private let descriptor: Int32
  /// Whether this side is open.
  package private(set) var isOpen = true
  private var buffer: [UInt8] = []

  /// The read timeout in seconds; far longer than any test should take.
  private static let patience = 60

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(
        descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  deinit { hangUp() }

  /// Sends bytes; false if the client has disconnected.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  /// Sends text; false if the client has disconnected.
  @discardableResult
  package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Sends a response with a status, headers and a body.
  package func reply(_ status: Int, _ headers: [String] = [], body: String = "") {
    let lines = ["HTTP/1.1 \(status) Words", "Content-Length: \(body.utf8.count)"] + headers
    send(lines.map { $0 + "\r\n" }.joined() + "\r\n" + body)
  }

  /// Sends a JSON response.
  package func reply(json: String, _ headers: [String] = []) {
    reply(200, ["Content-Type: application/json"] + headers, body: json)
  }

  /// Reads available bytes; empty at the end.
  package func read() -> [UInt8] {
    if buffer.isEmpty { _ = fill() }
    defer { buffer = [] }
    return buffer
  }

  /// Waits until the client closes its side.
  package func waitForEnd() {
    var byte = UInt8(0)
    while recv(descriptor, &byte, 1, 0) > 0 {}
  }

  /// Closes the connection.
  package func hangUp() {
    guard isOpen else { return }
    isOpen = false
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }

  /// Reads the next request; nil at the end.
  func readRequest(_ connection: Int) -> LoopbackServer.Request? {
    guard let head = readHead() else { return nil }
    let lines = head.split(separator: "\r\n").map(String.init)
    let words = lines.first?.split(separator: " ").map(String.init) ?? []
    guard words.count >= 2 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard let name = parts.first else { continue }
      headers[name.lowercased()] = String((parts.count > 1 ? parts[1] : "").drop { $0 == " " })
    }
    guard let body = readBody(headers) else { return nil }
    return LoopbackServer.Request(
      method: words[0], target: words[1], headers: headers,
      body: String(decoding: body, as: UTF8.self), connection: connection)
  }

  private func readHead() -> String? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let found = buffer.firstRange(of: end) {
        let head = String(decoding: buffer[..<found.lowerBound], as: UTF8.self)
        buffer.removeFirst(found.upperBound)
        return head
      }
      guard fill() else { return nil }
    }
  }

  private func readBody(_ headers: [String: String]) -> [UInt8]? {
    if headers["transfer-encoding"] == "chunked" {
      let end = Array("0\r\n\r\n".utf8)
      while buffer.firstRange(of: end) == nil { guard fill() else { return nil } }
      let body = buffer
      buffer = []
      return body
    }
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    while buffer.count < length { guard fill() else { return nil } }
    let body = Array(buffer.prefix(length))
    buffer.removeFirst(length)
    return body
  }

  private func fill() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    guard count > 0 else { return false }
    buffer += chunk[..<count]
    return true
  }
}
