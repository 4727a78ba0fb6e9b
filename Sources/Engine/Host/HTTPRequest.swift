import CLinux
import Synchronization

/// A request to a server.
package struct HTTPRequest: Sendable {
  /// A header of a request.
  package struct Header: Sendable {
    package let name: String
    package let value: String
    /// Whether it holds a secret, which goes to no other host.
    package let isSecret: Bool

    package init(_ name: String, _ value: String, isSecret: Bool = false) {
      self.name = name
      self.value = value
      self.isSecret = isSecret
    }
  }

  /// What is sent after the headers.
  package enum Body: Sendable {
    case none
    case bytes([UInt8])
    /// The content of a file, read while it is sent.
    case file(String)
    /// A form with files (RFC 7578).
    case parts([Part])

    /// The files that are sent.
    var files: [String] {
      switch self {
      case .none, .bytes: []
      case .file(let path): [path]
      case .parts(let parts):
        parts.compactMap { if case .file(let path) = $0.content { path } else { nil } }
      }
    }
  }

  /// A field of a form.
  package struct Part: Sendable {
    /// What a field holds.
    package enum Content: Sendable {
      case bytes([UInt8])
      /// The content of a file, read while it is sent.
      case file(String)
    }

    package let name: String
    package let content: Content
    /// The name of the file, for the server; nil for a plain field.
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
  /// Whether the body holds a secret, so that it goes to no other host.
  package var hasSecretBody = false
  /// How many redirects are followed at most.
  package var redirects = 10
  /// How many bytes a body may have, once it is unpacked.
  package var maxSize = 32 << 20
  /// The file that gets the body of an accepted status; nil keeps it.
  package var outputPath: String?
  /// Hears how many bytes have come, of how many, while a body goes into a file; from any thread.
  package var progressed: (@Sendable (_ done: Int64, _ total: Int64?) -> Void)?
  /// The memory that the reply is counted to; nil where nobody counts.
  package var memory: ReplyMemory?
  /// Whether a status is well.
  package var accepts: @Sendable (Int) -> Bool = { (200...299).contains($0) }
  /// The hosts that may have addresses of the local network; nil where all may.
  package var localHosts: [String]?
  /// Called with each host before it is reached; throws where that is not allowed.
  package var approve: @Sendable (_ host: String) throws -> Void = { _ in }

  /// A request with the usual settings.
  package init(_ method: String, _ url: String) {
    self.method = method
    self.url = url
  }
}

/// What a server answered.
package struct HTTPReply: Sendable {
  package let status: Int
  /// The headers in their order, their names in lower case.
  package let headers: [(name: String, value: String)]
  /// Where it came from, after all redirects.
  package let url: String
  /// The body; empty where it went to a file.
  package let body: [UInt8]
  /// Whether the body went to the file.
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

  /// The value of a header, those that came several times joined; nil when there is none.
  package func header(_ name: String) -> String? {
    let values = headers.filter { $0.name == name }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
}

/// How a request ended that did not fail.
package enum HTTPEnd: Sendable {
  case reply(HTTPReply)
  /// Its bounds were reached before.
  case interrupted
}

/// Makes requests.
///
/// - Throws: `RunError` with the code `network`, `http`, `invalid-value` or `io`.
package typealias HTTPAccess = @Sendable (HTTPRequest, WaitBounds) throws -> HTTPEnd

extension HTTPRequest {
  /// The methods that only read (RFC 9110 §9.2.1); TRACE is refused.
  static let safeMethods: Set<String> = ["GET", "HEAD", "OPTIONS"]

  /// Whether it only reads: by its method, without a body, and without a file to write.
  package var onlyReads: Bool {
    guard case .none = body, outputPath == nil else { return false }
    return Self.safeMethods.contains(method)
  }
}

/// The memory of a run that replies may take while they come in.
///
/// A large reply waits while a quarter of the run's memory is in use, until others were dealt with.
/// The one that was large first goes on up to half, so that one always gets through.
package final class ReplyMemory: Sendable {
  private let limit: Int
  private let bytesInUse: @Sendable () -> Int
  private let large = Mutex(Large())

  /// The large replies that are coming in, the first of them first.
  private struct Large {
    var last = 0
    var tickets: [Int] = []
  }

  /// The size up to which a reply is taken without a look, in bytes.
  package static let small = 1 << 20

  /// - Parameters:
  ///   - limit: how many bytes the run may use.
  ///   - bytesInUse: how many it uses.
  package init(limit: Int, bytesInUse: @escaping @Sendable () -> Int) {
    self.limit = limit
    self.bytesInUse = bytesInUse
  }

  /// The place of a reply that became large.
  package func enter() -> Int {
    large.withLock { large in
      large.last += 1
      large.tickets.append(large.last)
      return large.last
    }
  }

  /// Gives a place back.
  package func leave(_ ticket: Int) {
    large.withLock { $0.tickets.removeAll { $0 == ticket } }
  }

  /// Whether a large reply may take more now.
  package func mayGrow(_ ticket: Int) -> Bool {
    let used = bytesInUse()
    if used < limit / 4 { return true }
    return used < limit / 2 && large.withLock { $0.tickets.first == ticket }
  }
}
