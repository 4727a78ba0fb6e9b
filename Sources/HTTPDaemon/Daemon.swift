import CMicroHTTPD
import Glibc
import POSIX
package import Server

/// Serves the API on a listening socket, by libmicrohttpd.
///
/// One thread does everything: it polls libmicrohttpd's descriptor and those of the service.
/// Requests that the service answers later are suspended until then.
package final class Daemon {
  private let service: APIService
  private var daemon: OpaquePointer?
  private let listener: Int32
  /// Open connections by identity.
  private var connections: [ObjectIdentifier: Connection] = [:]
  /// Requests without a reply, by identity.
  private var pending: [ObjectIdentifier: Exchange] = [:]
  private var nextSweep: Int64 = 0

  /// The maximum number of connections; from three quarters on, the longest idle one is closed.
  private static let connectionLimit = 2_000
  /// The maximum size of a request's head in bytes.
  private static let headLimit = 32 << 10
  /// The time that runs and requests have to end, in nanoseconds.
  private static let grace: Int64 = 20_000_000_000
  /// The interval of checks for slow connections, in nanoseconds.
  private static let sweepTime: Int64 = 1_000_000_000

  private init(_ service: APIService, socket: Int32) throws {
    self.service = service
    listener = socket
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(7), &limit) == 0 {
      // Each connection takes a descriptor.
      limit.rlim_cur = min(limit.rlim_max, 8_192)
      setrlimit(__rlimit_resource_t(7), &limit)
    }
    var callbacks = errand_daemon_callbacks(
      access: { context, connection, _, method, version, bytes, count, exchange in
        guard let context, let connection, let method, let version, let count,
          let exchange = exchange?.pointee
        else { return .NO }
        let daemon = Unmanaged<Daemon>.fromOpaque(context).takeUnretainedValue()
        let request = Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue()
        guard request.request != nil || request.isRefused else {
          request.version = String(cString: version)
          let isPlain = errand_connection_head_is_plain(
            connection, method, request.target.utf8.count, version)
          return daemon.begin(request, connection, String(cString: method), isPlain: isPlain)
        }
        return daemon.handle(request, on: connection, bytes: bytes, count: count)
      },
      target: { _, target, _ in
        Unmanaged.passRetained(Exchange(target: target.map { String(cString: $0) } ?? ""))
          .toOpaque()
      },
      completed: { context, connection, exchange, _ in
        guard let context, let connection, let pointer = exchange?.pointee else { return }
        exchange?.pointee = nil
        let daemon = Unmanaged<Daemon>.fromOpaque(context).takeUnretainedValue()
        let request = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
        daemon.pending[ObjectIdentifier(request)] = nil
        request.connection = nil
        daemon.connection(connection)?.wait()
      },
      connection: { context, connection, pointer, code in
        guard let context, let connection, let pointer else { return }
        let daemon = Unmanaged<Daemon>.fromOpaque(context).takeUnretainedValue()
        if code == .CONNECTION_NOTIFY_STARTED {
          daemon.makeRoom()
          let opened = Connection(errand_connection_socket(connection))
          daemon.connections[ObjectIdentifier(opened)] = opened
          pointer.pointee = Unmanaged.passUnretained(opened).toOpaque()
        } else if let known = pointer.pointee {
          let closed = Unmanaged<Connection>.fromOpaque(known).takeUnretainedValue()
          daemon.connections[ObjectIdentifier(closed)] = nil
          pointer.pointee = nil
        }
      },
      context: Unmanaged.passUnretained(self).toOpaque())
    daemon = errand_daemon_start(
      socket, &callbacks, UInt32(Self.connectionLimit), Self.headLimit, 120)
    guard daemon != nil else {
      throw Problem(500, "io", "cannot serve: libmicrohttpd is not installed")
    }
  }

  /// Serves until asked to end, then lets runs and requests end.
  ///
  /// - Parameters:
  ///   - wake: Readable when asked to end.
  ///   - isEnding: Whether to end.
  package static func serve(
    _ service: APIService, socket: Int32, wake: Int32, isEnding: () -> Bool
  ) throws {
    let daemon = try Daemon(service, socket: socket)
    while !isEnding() { daemon.turn(besides: wake, until: nil) }
    // No new connections; those that are open get their replies.
    _ = MHD_quiesce_daemon(daemon.daemon)
    service.end()
    let end = MonotonicClock.nanoseconds + grace
    while MonotonicClock.nanoseconds < end, !service.isIdle || !daemon.pending.isEmpty {
      daemon.turn(besides: -1, until: MonotonicClock.nanoseconds + 100_000_000)
    }
    service.abandon()
    for exchange in daemon.pending.values {
      daemon.resolve(
        exchange, .response(Problem(503, "suspended", "the server is ending").response))
    }
    for connection in daemon.connections.values { connection.stream?.end() }
    daemon.turn(besides: -1, until: MonotonicClock.nanoseconds)
    MHD_stop_daemon(daemon.daemon)
    withExtendedLifetime(daemon) {}
  }

  /// Waits for something to do, and does it.
  private func turn(besides wake: Int32, until limit: Int64?) {
    var milliseconds: UInt64 = 0
    var due = limit
    func add(_ time: Int64) { due = min(due ?? .max, time) }
    let now = MonotonicClock.nanoseconds
    if MHD_get_timeout(daemon, &milliseconds) == .YES {
      add(now + Int64(clamping: milliseconds) * 1_000_000)
    }
    if let time = service.due { add(time) }
    if !connections.isEmpty { add(max(nextSweep, now)) }
    var polled = ([errand_daemon_descriptor(daemon), wake] + service.descriptors).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    MonotonicClock.wait(&polled, until: due)
    service.work()
    _ = MHD_run(daemon)
    if MonotonicClock.nanoseconds >= nextSweep { sweep() }
  }

  // MARK: Connections

  private func connection(_ connection: OpaquePointer) -> Connection? {
    errand_connection_context(connection).map {
      Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Closes connections that take too long to send a request.
  private func sweep() {
    let now = MonotonicClock.nanoseconds
    nextSweep = now + Self.sweepTime
    for connection in connections.values where connection.deadline < now { connection.close() }
  }

  private func makeRoom() {
    guard connections.count >= Self.connectionLimit * 3 / 4 else { return }
    connections.values.filter { $0.isIdle }.min { $0.deadline < $1.deadline }?.close()
  }

  // MARK: Requests

  /// Handles a call of libmicrohttpd after the one for the head: one for each piece of the body, one
  /// for the end, and one after each resumption.
  private func handle(
    _ exchange: Exchange, on connection: OpaquePointer, bytes: UnsafePointer<CChar>?,
    count: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    if count.pointee > 0 {
      defer { count.pointee = 0 }
      return receive(
        exchange, connection, UnsafeRawBufferPointer(start: bytes, count: count.pointee))
    }
    if let reply = exchange.reply { return send(reply, connection) }
    guard let request = exchange.request, let body = exchange.body else {
      return .NO
    }
    if body.count > request.bodyLimit {
      return send(.response(Authorizer.tooLarge(request.bodyLimit).response), connection)
    }
    self.connection(connection)?.rest()
    exchange.connection = connection
    pending[ObjectIdentifier(exchange)] = exchange
    exchange.body = nil
    service.answer(request, body) { [weak self, weak exchange] reply in
      if let exchange { self?.resolve(exchange, reply) }
    }
    if let reply = exchange.reply { return send(reply, connection) }
    exchange.isSuspended = true
    MHD_suspend_connection(connection)
    return .YES
  }

  /// Handles the head of a request.
  ///
  /// - Parameter isPlain: Whether libmicrohttpd passes on everything in it.
  private func begin(
    _ exchange: Exchange, _ connection: OpaquePointer, _ method: String, isPlain: Bool
  ) -> MHD_Result {
    var headers: [(name: String, value: String)] = []
    withUnsafeMutablePointer(to: &headers) { pointer in
      _ = MHD_get_connection_values(
        connection, MHD_ValueKind.HEADER_KIND,
        { context, _, name, value in
          let headers = context?.assumingMemoryBound(to: [(name: String, value: String)].self)
          headers?.pointee.append(
            (name.map { String(cString: $0) } ?? "", value.map { String(cString: $0) } ?? ""))
          return .YES
        }, pointer)
    }
    // libmicrohttpd answers other malformed lengths itself, and this one never.
    if let length = headers.first(where: { $0.name.lowercased() == "content-length" })?.value,
      !headers.contains(where: { $0.name.lowercased() == "transfer-encoding" }),
      UInt64(length) ?? .max == .max
    {
      refuseLength(connection)
      return .NO
    }
    let head =
      isPlain
      ? RequestHead(
        method: method, target: exchange.target, version: exchange.version, headers: headers) : nil
    do throws(Problem) {
      exchange.request = try service.admit(head)
      exchange.body = Body(spooledIn: service.spoolFolder)
      self.connection(connection)?.receive()
      return .YES
    } catch {
      exchange.isRefused = true
      var response = service.response(to: error, of: head)
      // The body is not read, so the following bytes on the connection are not a request.
      response.headers.append(("Connection", "close"))
      return send(.response(response), connection)
    }
  }

  /// Sends a refusal past libmicrohttpd, which then closes the connection.
  private func refuseLength(_ connection: OpaquePointer) {
    let body = Problem(400, "invalid-value", "the length of the body is not valid").response.body
    let head =
      "HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\n"
      + "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    let bytes = Array(head.utf8) + body
    _ = Glibc.send(
      errand_connection_socket(connection), bytes, bytes.count,
      Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
  }

  private func receive(
    _ exchange: Exchange, _ connection: OpaquePointer, _ bytes: UnsafeRawBufferPointer
  ) -> MHD_Result {
    guard let request = exchange.request, let body = exchange.body else { return .NO }
    self.connection(connection)?.receive(bytes.count)
    exchange.received += bytes.count
    // A body without a length is cut off; a little more is read so that the client sees why.
    if exchange.received > request.bodyLimit {
      guard exchange.received <= request.bodyLimit + 4 << 20 else { return .NO }
      if body.count <= request.bodyLimit { _ = body.append(bytes) }
      return .YES
    }
    return body.append(bytes) ? .YES : .NO
  }

  /// Notes the reply to a request, and resumes its connection.
  private func resolve(_ exchange: Exchange, _ reply: Reply) {
    guard exchange.reply == nil else { return }
    exchange.reply = reply
    pending[ObjectIdentifier(exchange)] = nil
    guard exchange.isSuspended, let connection = exchange.connection else { return }
    exchange.isSuspended = false
    MHD_resume_connection(connection)
  }

  private func send(_ reply: Reply, _ connection: OpaquePointer) -> MHD_Result {
    let status: Int
    var headers: [(name: String, value: String)]
    let made: OpaquePointer?
    switch reply {
    case .response(let response):
      (status, headers) = (response.status, response.headers)
      made = response.body.withUnsafeBytes {
        MHD_create_response_from_buffer(
          $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
      }
    case .stream(let stream):
      (status, headers) = (200, [("Content-Type", "text/event-stream")])
      let sender = StreamSender(stream, connection)
      self.connection(connection)?.stream = stream
      made = MHD_create_response_from_callback(
        UInt64.max, 16 << 10,
        { context, _, buffer, count in
          guard let context, let buffer else { return -1 }
          return Unmanaged<StreamSender>.fromOpaque(context).takeUnretainedValue()
            .fill(UnsafeMutableRawBufferPointer(start: buffer, count: count))
        }, Unmanaged.passRetained(sender).toOpaque(),
        { context in
          guard let context else { return }
          Unmanaged<StreamSender>.fromOpaque(context).takeRetainedValue().stream.close()
        })
    }
    guard let made else { return .NO }
    defer { MHD_destroy_response(made) }
    if !headers.contains(where: { $0.name == "Cache-Control" }) {
      headers.append(("Cache-Control", "no-store"))
    }
    headers.append(("X-Content-Type-Options", "nosniff"))
    for (name, value) in headers { _ = MHD_add_response_header(made, name, value) }
    return MHD_queue_response(connection, UInt32(status), made)
  }
}

/// Sends a stream on a connection, which is suspended while there is nothing to send.
private final class StreamSender {
  let stream: EventStream
  private let connection: OpaquePointer

  init(_ stream: EventStream, _ connection: OpaquePointer) {
    self.stream = stream
    self.connection = connection
  }

  /// Fills a buffer; returns the number of bytes, 0 to wait, -1 at the end.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    if stream.isClosed { return -1 }
    guard let bytes = stream.take(buffer.count) else { return -1 }
    if bytes.isEmpty {
      stream.wake = { [stream, connection] in
        stream.wake = nil
        MHD_resume_connection(connection)
      }
      MHD_suspend_connection(connection)
    } else {
      buffer.copyBytes(from: bytes)
    }
    return bytes.count
  }
}

/// A request and its reply.
private final class Exchange {
  /// The target as sent.
  let target: String
  var version = ""
  var request: AdmittedRequest?
  var body: Body?
  /// The number of bytes of the body received.
  var received = 0
  var isRefused = false
  var reply: Reply?
  var connection: OpaquePointer?
  var isSuspended = false

  init(target: String) { self.target = target }
}

/// A connection and the deadline of its request.
private final class Connection {
  private let socket: Int32
  /// The time of the monotonic clock after which it is closed.
  private(set) var deadline: Int64
  /// Whether no request is in progress.
  private(set) var isIdle = true
  /// The stream that is sent on it.
  var stream: EventStream?

  /// The time for a request, or between two, in nanoseconds.
  private static let patience: Int64 = 60_000_000_000
  /// The time for each byte above that: 64 KiB a second.
  private static let byteTime: Int64 = 1_000_000_000 / (64 << 10)

  init(_ socket: Int32) {
    self.socket = socket
    deadline = MonotonicClock.nanoseconds + Self.patience
  }

  /// Waits for the next request.
  func wait() {
    stream = nil
    isIdle = true
    deadline = MonotonicClock.nanoseconds + Self.patience
  }

  /// Begins to receive a body.
  func receive() { isIdle = false }

  /// Extends the time by that of some bytes.
  func receive(_ count: Int) { deadline += Int64(count) * Self.byteTime }

  /// Waits for the reply, which may take any time.
  func rest() {
    isIdle = false
    deadline = .max
  }

  /// Closes the connection; libmicrohttpd notices that.
  func close() {
    deadline = .max
    shutdown(socket, Int32(SHUT_RDWR))
  }
}
