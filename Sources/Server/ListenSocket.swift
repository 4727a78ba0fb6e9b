import CLinux
package import ErrandKit
import Glibc

/// A listening socket: on the loopback address, at a path, or from systemd.
package struct ListenSocket {
  /// The descriptor.
  package let descriptor: Int32
  /// The port on the loopback address; nil for a socket at a path.
  package let port: Int?

  private static let kind = Int32(
    SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
  private static let backlog: Int32 = 512

  /// Takes the socket that systemd passes on (sd_listen_fds(3)); nil if there is none.
  package init?(environment: (String) -> String?) {
    var isListening: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    // Unset them, so that no child process takes the socket for its own.
    defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) } }
    guard environment("LISTEN_PID") == "\(getpid())",
      let count = environment("LISTEN_FDS").flatMap({ Int32($0) }), (1...64).contains(count)
    else { return nil }
    for passed in 3..<3 + count { _ = fcntl(passed, F_SETFD, FD_CLOEXEC) }
    guard count == 1,
      getsockopt(3, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0, isListening != 0
    else { return nil }
    descriptor = 3
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    port = Self.port(of: descriptor)
  }

  /// Listens on 127.0.0.1; port 0 chooses a free one.
  ///
  /// - Throws: `io`.
  package init(port: Int) throws(ErrandError) {
    descriptor = socket(AF_INET, Self.kind, 0)
    let made = descriptor
    var one: Int32 = 1
    setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    var address = Self.loopback(port)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(made, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0, listen(made, Self.backlog) == 0 else {
      let code = errno
      close(made)
      throw ErrandError(
        code: "io", message: "cannot listen on port \(port): \(String(cString: strerror(code)))",
        help: code == EADDRINUSE
          ? "end the program that uses it, or choose another with --port" : nil)
    }
    self.port = Self.port(of: descriptor)
  }

  /// Listens at a path that only the owner can connect to; replaces a socket without a listener.
  ///
  /// - Throws: `io`, `conflict`.
  package init(path: String) throws(ErrandError) {
    port = nil
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.isEmpty else {
      throw ErrandError(
        code: "invalid-value", message: "the path of the socket is too long: \(path)",
        help: "choose one of at most 107 bytes")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    descriptor = socket(AF_UNIX, Self.kind, 0)
    let made = descriptor
    var isListening = false
    defer { if !isListening { close(made) } }
    func call(_ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32) -> Int32 {
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          function(made, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK {
      // A full backlog (EAGAIN) also means that a program listens.
      if call(connect) == 0 || errno != ECONNREFUSED {
        throw ErrandError(
          code: "conflict", message: "another program listens at \(path)",
          help: "end it, or choose another path")
      }
      unlink(path)
    }
    let mask = umask(0o177)
    defer { umask(mask) }
    guard call(bind) == 0, listen(made, Self.backlog) == 0 else {
      throw ErrandError(
        code: "io", message: "cannot listen at \(path): \(String(cString: strerror(errno)))")
    }
    isListening = true
  }

  /// Whether a program listens on a port of the loopback address.
  package static func isServed(port: Int) -> Bool {
    let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(made) }
    var address = loopback(port)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(made, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func port(of descriptor: Int32) -> Int? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
    }
    // The port of an IPv6 address (`sin6_port`) is at the same offset.
    guard status == 0, [AF_INET, AF_INET6].contains(Int32(address.sin_family)) else { return nil }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
