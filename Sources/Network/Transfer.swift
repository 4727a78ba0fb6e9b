import CCurl
import CEL
import Compression
import Engine
import Glibc
import POSIX
import Platform
import Program

/// One HTTP exchange: sends a request and receives the response.
final class Transfer {
  private let request: HTTPRequest
  private let url: CurlURL
  private let connection: Connection
  private(set) var head = ReplyHead()
  private var body: [UInt8] = []
  private var size = 0
  private var sink: FileSink?
  /// Received bytes of the body that are not processed yet.
  private var pending: ArraySlice<UInt8> = []
  /// Whether receiving is paused.
  private var isPaused = false
  /// The decompressor of the body, created when the first compressed bytes arrive.
  private var decoder: GzipDecoder?
  /// The ticket of a large body in the run's `ReplyMemory`.
  private var ticket: Int?
  private var source: BodySource?
  private var form: OpaquePointer?
  private var headerList: UnsafeMutablePointer<curl_slist>?
  /// A local address that was not connected to, since its host is not allowed.
  private var refused: String?
  /// The local error that aborted the transfer.
  private var failure: (any Error)?
  /// The deadline of the exchange by the monotonic clock, in nanoseconds.
  private var deadline: Int64?
  private var isLate = false

  /// Maximum number of bytes kept of the body of an error response.
  private static let errorBodyLimit = 64 << 10
  /// Maximum length of one wait.
  private static let longestWait = Duration.seconds(60)
  /// Length of one wait for memory; no event announces free memory.
  private static let memoryWait = Duration.milliseconds(20)
  /// Maximum number of bytes decompressed at once.
  private static let pieceSize = 64 << 10

  init(_ request: HTTPRequest, _ url: CurlURL, on connection: Connection) {
    self.request = request
    self.url = url
    self.connection = connection
  }

  deinit {
    curl_slist_free_all(headerList)
    curl_mime_free(form)
    if let ticket { request.memory?.leave(ticket) }
  }

  /// Sends the request and returns the response; nil if a bound was reached first.
  ///
  /// - Parameter options: The options set on every handle.
  /// - Throws: `network`, `invalid-value`, `io`.
  func run(_ bounds: WaitBounds, options: ClientOptions) throws -> HTTPReply? {
    let easy = connection.easy
    curl_easy_reset(easy)
    options.apply(to: easy)
    try prepare()
    curl_multi_add_handle(connection.multi, easy)
    defer { curl_multi_remove_handle(connection.multi, easy) }
    guard let code = try exchange(bounds) else { return nil }
    if let failure { throw failure }
    try expectSuccess(code)
    let isSaved = sink != nil
    try sink?.publish()
    return HTTPReply(
      status: head.status, headers: head.headers, url: url.text, body: body, isSaved: isSaved)
  }

  /// Runs the transfer to its end; nil if a bound was reached first.
  private func exchange(_ bounds: WaitBounds) throws -> CURLcode? {
    deadline = bounds.deadline
    while true {
      var running: Int32 = 0
      let status = curl_multi_perform(connection.multi, &running)
      if isLate { return nil }
      guard status == CURLM_OK else {
        throw failed("the request failed (libcurl multi error \(status.rawValue))")
      }
      if awaitsMemory, !drain() { break }
      if running == 0, !awaitsMemory { break }
      let left =
        bounds.deadline.map { Int(($0 - MonotonicClock.nanoseconds) / 1_000_000) + 1 }
        ?? Self.longestWait.milliseconds
      guard left > 0 else {
        if awaitsMemory { throw failed("no memory is left in this run for the reply") }
        return nil
      }
      var waits = bounds.descriptors.map {
        curl_waitfd(fd: $0, events: Int16(CURL_WAIT_POLLIN), revents: 0)
      }
      curl_multi_poll(
        connection.multi, &waits, UInt32(waits.count),
        Int32(
          min(left, awaitsMemory ? Self.memoryWait.milliseconds : Self.longestWait.milliseconds)),
        nil)
      if waits.contains(where: { $0.revents != 0 }) { return nil }
    }
    let result = errand_curl_result(connection.multi)
    return CURLcode(rawValue: UInt32(max(result, 0)))
  }

  // MARK: Request

  private func prepare() throws {
    let easy = connection.easy
    let context = Unmanaged.passUnretained(self).toOpaque()
    errand_curl_set_text(easy, CURLOPT_URL, url.text)
    errand_curl_set_bytes(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      Transfer.of(context)?.take(head: UnsafeBufferPointer(start: bytes, count: size * count)) ?? 0
    }
    errand_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
    errand_curl_set_bytes(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      Transfer.of(context)?.take(body: UnsafeBufferPointer(start: bytes, count: size * count)) ?? 0
    }
    errand_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
    if let hosts = request.localHosts, !hosts.contains(url.host) { guardAddresses(context) }
    try prepareBody()
    for header in request.headers { add("\(header.name): \(header.value)") }
    // Do not wait a second for “100 Continue” before sending a large body (RFC 9110 §10.1.1).
    add("Expect:")
    // A range of a compressed body cannot be decompressed.
    let own = ["accept-encoding", "range"]
    if !request.headers.contains(where: { own.contains($0.name.lowercased()) }) {
      add("Accept-Encoding: gzip")
    }
    errand_curl_set_pointer(easy, CURLOPT_HTTPHEADER, headerList)
  }

  /// Checks each address when its socket is opened: resolving the name beforehand would allow DNS rebinding.
  private func guardAddresses(_ context: UnsafeMutableRawPointer) {
    let easy = connection.easy
    // An open connection may lead to another address.
    errand_curl_set_number(easy, CURLOPT_FRESH_CONNECT, 1)
    errand_curl_set_number(easy, CURLOPT_FORBID_REUSE, 1)
    errand_curl_set_open(
      easy,
      { context, _, address in
        guard let address, let transfer = Transfer.of(context) else { return CURL_SOCKET_BAD }
        return transfer.open(&address.pointee)
      }, context)
  }

  private func open(_ address: inout curl_sockaddr) -> curl_socket_t {
    let length = Int(address.addrlen)
    if let name = withUnsafePointer(
      to: &address.addr, { LocalAddress.name(of: $0, length: length) })
    {
      refused = name
      return CURL_SOCKET_BAD
    }
    return socket(
      address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.`protocol`)
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private func add(_ line: String) {
    if let longer = curl_slist_append(headerList, line) { headerList = longer }
  }

  private func prepareBody() throws {
    let easy = connection.easy
    switch request.body {
    case .none:
      if request.method == "HEAD" {
        errand_curl_set_number(easy, CURLOPT_NOBODY, 1)
      } else if request.method != "GET" {
        errand_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method)
        if ["POST", "PUT", "PATCH"].contains(request.method) { add("Content-Length: 0") }
      }
      return
    case .bytes(let bytes): source = BodySource(bytes)
    case .file(let path): source = try BodySource(file: path)
    case .parts(let parts): try prepare(parts)
    }
    errand_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method)
    guard let source else { return }
    errand_curl_set_number(easy, CURLOPT_POST, 1)
    errand_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(source.size))
    let context = Unmanaged.passUnretained(source).toOpaque()
    errand_curl_set_bytes(easy, CURLOPT_READFUNCTION) { bytes, size, count, context in
      BodySource.of(context)?
        .read(UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) ?? 0
    }
    errand_curl_set_pointer(easy, CURLOPT_READDATA, context)
    errand_curl_set_seek(easy) { context, offset, origin in
      BodySource.of(context)?.seek(Int(offset), origin) ?? 1
    }
    errand_curl_set_pointer(easy, CURLOPT_SEEKDATA, context)
    if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
      add("Content-Type: application/octet-stream")
    }
  }

  private func prepare(_ parts: [HTTPRequest.Part]) throws {
    form = curl_mime_init(connection.easy)
    for part in parts {
      let field = curl_mime_addpart(form)
      curl_mime_name(field, part.name)
      switch part.content {
      case .bytes(let bytes):
        // A null pointer would mean no content instead of empty content.
        (bytes + [0]).withUnsafeBytes { buffer in
          let start = buffer.bindMemory(to: CChar.self).baseAddress
          _ = curl_mime_data(field, start, bytes.count)
        }
      case .file(let path):
        guard access(path, R_OK) == 0 else {
          throw RunError(
            errno == ENOENT ? .notFound : .io,
            "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        curl_mime_filedata(field, path)
      }
      if let name = part.fileName { curl_mime_filename(field, name) }
      if let type = part.mediaType { curl_mime_type(field, type) }
    }
    errand_curl_set_pointer(
      connection.easy, CURLOPT_MIMEPOST, form.map(UnsafeMutableRawPointer.init))
  }

  // MARK: Response

  /// Receives a line of the head and returns the number of bytes accepted; fewer than given abort the transfer.
  private func take(head bytes: UnsafeBufferPointer<CChar>) -> Int {
    let line = bytes.map { UInt8(bitPattern: $0) }
    guard head.take(line) else {
      failure = failed("its headers exceed \(ReplyHead.limit >> 10) KiB")
      return 0
    }
    if head.isWhole, head.hasWrongLength {
      failure = failed("the reply has a Content-Length that is contradictory or not a size")
      return 0
    }
    return bytes.count
  }

  /// Receives a piece of the body and returns the number of bytes accepted; fewer than given abort the transfer.
  private func take(body piece: UnsafeBufferPointer<CChar>) -> Int {
    // libcurl delivers a fast body without returning, so check the deadline here.
    if let deadline, MonotonicClock.nanoseconds >= deadline {
      isLate = true
      return 0
    }
    pending += UnsafeRawBufferPointer(piece)
    guard drain() else { return 0 }
    // Pause until there is memory for more.
    if awaitsMemory {
      isPaused = true
      curl_easy_pause(connection.easy, Int32(CURLPAUSE_RECV))
    }
    return piece.count
  }

  /// Whether received bytes wait for memory.
  private var awaitsMemory: Bool { !pending.isEmpty || decoder?.hasMore == true }

  /// Processes received bytes as far as memory allows; false if the exchange failed.
  private func drain() -> Bool {
    do {
      while awaitsMemory, hasMemory { try add(try unpacked()) }
    } catch {
      failure = error
      pending = []
      decoder = nil
      return false
    }
    if isPaused, !awaitsMemory {
      isPaused = false
      curl_easy_pause(connection.easy, Int32(CURLPAUSE_CONT))
    }
    return true
  }

  /// Whether the run has memory for more of the body.
  private var hasMemory: Bool {
    guard let memory = request.memory, body.count >= ReplyMemory.small else { return true }
    let ticket = ticket ?? memory.enter()
    self.ticket = ticket
    return memory.mayGrow(ticket)
  }

  /// Returns the next bytes of the body, decompressed.
  private func unpacked() throws -> [UInt8] {
    let encodings = head.encodings
    guard let encoding = encodings.first else {
      defer { pending = [] }
      return Array(pending)
    }
    guard encodings.count == 1, ["gzip", "x-gzip", "deflate"].contains(encoding) else {
      let listed = encodings.joined(separator: ", ").shortened
      throw failed("the reply has an unsupported encoding, \(listed)", mayRepeat: false)
    }
    do {
      let decoder = try decoder ?? GzipDecoder()
      self.decoder = decoder
      return try decoder.decode(&pending, limit: Self.pieceSize)
    } catch {
      throw failed("the reply cannot be decompressed", mayRepeat: false)
    }
  }

  private func add(_ piece: [UInt8]) throws {
    size += piece.count
    guard size <= request.maxSize else {
      var error = RunError(
        .network, "\(url.host): the reply exceeds \(ByteCount.text(request.maxSize))",
        help: "raise the limit with maxSize:")
      error.mayRepeat = false
      throw error
    }
    let isAccepted = request.accepts(head.status)
    if let path = request.outputPath, isAccepted, !head.isRedirect {
      if sink == nil { sink = try FileSink(path) }
      try sink?.write(piece)
      request.progressed?(Int64(size), length)
    } else {
      body += piece.prefix(isAccepted ? piece.count : max(0, Self.errorBodyLimit - body.count))
    }
  }

  /// The announced size of the body; nil if unknown or if the body is compressed.
  private var length: Int64? {
    let headers = head.headers
    guard !headers.contains(where: { $0.name == "content-encoding" }) else { return nil }
    return headers.last { $0.name == "content-length" }.flatMap { Int64($0.value) }
  }

  /// - Throws: `network` if the exchange failed.
  private func expectSuccess(_ code: CURLcode) throws {
    guard code != CURLE_OK else {
      // libcurl accepts a truncated head.
      guard head.isWhole, decoder?.isWhole ?? true else {
        throw failed(CurlFailure.reason(CURLE_PARTIAL_FILE, host: url.host))
      }
      // An empty body also creates a file.
      if let path = request.outputPath, sink == nil, request.accepts(head.status), !head.isRedirect
      {
        sink = try FileSink(path)
      }
      return
    }
    if let refused {
      let isAddress = url.host == refused || url.host == "[\(refused)]"
      var error = RunError(
        .notAllowed,
        "\(url.host) is \(isAddress ? "" : "\(refused), ")a local address; allow it with "
          + "--local \(url.host), or in a step with `local: [\(url.host)]`")
      error.mayRepeat = false
      throw error
    }
    var cause = 0
    errand_curl_number(connection.easy, CURLINFO_OS_ERRNO, &cause)
    throw failed(
      CurlFailure.reason(code, host: url.host, cause: Int32(truncatingIfNeeded: cause)),
      mayRepeat: CurlFailure.mayPass(code))
  }

  private func failed(_ reason: String, mayRepeat: Bool = true) -> RunError {
    var error = RunError(.network, "\(url.host): \(reason)")
    error.mayRepeat = mayRepeat
    return error
  }
}
