import CLinux
import Synchronization

/// An HTTP request.
package struct HTTPRequest: Sendable {
  /// Whether a status is transient (RFC 9110 §15; RFC 6585 §4), so that the same request may succeed later.
  package static func mayPass(_ status: Int64) -> Bool {
    [408, 425, 429].contains(status) || (500...599).contains(status)
  }

  /// A header field of a request.
  package struct Header: Sendable {
    package let name: String
    package let value: String
    /// Whether its value is a secret, which is not sent to other hosts after a redirect.
    package let isSecret: Bool

    package init(_ name: String, _ value: String, isSecret: Bool = false) {
      self.name = name
      self.value = value
      self.isSecret = isSecret
    }
  }

  /// The content of a request.
  package enum Body: Sendable {
    case none
    case bytes([UInt8])
    /// The content of a file, streamed.
    case file(String)
    /// A multipart form (RFC 7578).
    case parts([Part])

    /// The paths of the files that are sent.
    package var files: [String] {
      switch self {
      case .none, .bytes: []
      case .file(let path): [path]
      case .parts(let parts):
        parts.compactMap { if case .file(let path) = $0.content { path } else { nil } }
      }
    }
  }

  /// A part of a multipart form.
  package struct Part: Sendable {
    /// The content of a part.
    package enum Content: Sendable {
      case bytes([UInt8])
      /// The content of a file, streamed.
      case file(String)
    }

    package let name: String
    package let content: Content
    /// The file name sent to the server; nil for a plain field.
    package var fileName: String?
    package var mediaType: String?

    package init(_ name: String, _ content: Content) {
      self.name = name
      self.content = content
    }
  }

  package var method: String
  package var url: String
  package var headers: [Header] = []
  package var body = Body.none
  /// Whether the body contains a secret, so that it is not sent to other hosts after a redirect.
  package var hasSecretBody = false
  /// Maximum number of redirects.
  package var redirects = 10
  /// Maximum size of the decoded body, in bytes.
  package var maxSize = 32 << 20
  /// The file that receives the body of an accepted status; nil to return it.
  package var outputPath: String?
  /// Called with the bytes received so far while the body goes to a file; from any thread.
  package var progressed: (@Sendable (_ done: Int64, _ total: Int64?) -> Void)?
  /// The memory budget for replies; nil for none.
  package var memory: ReplyMemory?
  /// Whether a status counts as success.
  package var accepts: @Sendable (Int) -> Bool = { (200...299).contains($0) }
  /// The hosts that may resolve to local addresses; nil for no restriction.
  package var localHosts: [String]?
  /// Called before each host is contacted; throws when the host is not allowed.
  package var approve: @Sendable (_ host: String) throws -> Void = { _ in }

  /// A request with default settings.
  package init(_ method: String, _ url: String) {
    self.method = method
    self.url = url
  }
}

/// The reply of a server.
package struct HTTPReply: Sendable {
  package let status: Int
  /// The headers in order, with lowercase names.
  package let headers: [(name: String, value: String)]
  /// The URL after all redirects.
  package let url: String
  /// The body; empty when saved to a file.
  package let body: [UInt8]
  /// Whether the body was saved to the file.
  package let isSaved: Bool

  package init(
    status: Int, headers: [(name: String, value: String)], url: String, body: [UInt8],
    isSaved: Bool
  ) {
    self.status = status
    self.headers = headers
    self.url = url
    self.body = body
    self.isSaved = isSaved
  }

  /// The value of a header; repeated fields are joined by commas, nil when there is none.
  package func header(_ name: String) -> String? {
    let values = headers.filter { $0.name == name }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
}

/// The outcome of a request that did not fail.
package enum HTTPEnd: Sendable {
  case reply(HTTPReply)
  /// The bounds of the wait ended it.
  case interrupted
}

/// Performs requests.
///
/// - Throws: `RunError` with the code `network`, `http`, `invalid-value` or `io`.
package typealias HTTPAccess = @Sendable (HTTPRequest, WaitBounds) throws -> HTTPEnd

extension HTTPRequest {
  /// The safe methods (RFC 9110 §9.2.1) but for TRACE, which is rejected.
  static let safeMethods: Set<String> = ["GET", "HEAD", "OPTIONS"]

  /// Whether it only reads: a safe method without a body or an output file.
  package var onlyReads: Bool {
    guard case .none = body, outputPath == nil else { return false }
    return Self.safeMethods.contains(method)
  }
}

/// Memory budget of a run for replies in flight.
///
/// Large replies pause while the run uses more than a quarter of its memory. The oldest of them may
/// go on up to half, so that one always makes progress.
package final class ReplyMemory: Sendable {
  private let limit: Int
  private let bytesInUse: @Sendable () -> Int
  private let large = Mutex(Large())

  /// The tickets of large replies in flight, oldest first.
  private struct Large {
    var last = 0
    var tickets: [Int] = []
  }

  /// Size up to which a reply is not counted, in bytes.
  package static let small = 1 << 20

  /// - Parameters:
  ///   - limit: the memory budget of the run, in bytes.
  ///   - bytesInUse: the memory the run uses, in bytes.
  package init(limit: Int, bytesInUse: @escaping @Sendable () -> Int) {
    self.limit = limit
    self.bytesInUse = bytesInUse
    errand_map_large_blocks()
  }

  /// Registers a reply that became large, and returns its ticket.
  package func enter() -> Int {
    large.withLock { large in
      large.last += 1
      large.tickets.append(large.last)
      return large.last
    }
  }

  /// Unregisters a reply.
  package func leave(_ ticket: Int) {
    large.withLock { $0.tickets.removeAll { $0 == ticket } }
  }

  /// Whether a large reply may receive more data now.
  package func mayGrow(_ ticket: Int) -> Bool {
    let used = bytesInUse()
    if used < limit / 4 { return true }
    return used < limit / 2 && large.withLock { $0.tickets.first == ticket }
  }
}
