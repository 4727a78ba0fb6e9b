package import ErrandKit

/// An HTTP response with a complete body.
package struct Response: Sendable {
  /// The status code.
  package var status: Int
  /// Headers, besides those that the daemon adds.
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]

  /// Whether it is a problem (RFC 9457).
  var isProblem: Bool { headers.first?.value == Problem.mediaType }

  package init(_ status: Int, _ headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Creates a response with a JSON body.
  package init(
    json value: JSONValue, status: Int = 200, headers: [(name: String, value: String)] = []
  ) {
    let text = (try? value.text()) ?? "null"
    self.init(
      status, [("Content-Type", "application/json")] + headers, body: Array(text.utf8))
  }
}

/// The reply to a request: a response, or a stream that is sent as it grows.
package enum Reply {
  case response(Response)
  case stream(EventStream)
}

/// An error as RFC 9457 “problem details”, with a code of docs/language/errors.md.
package struct Problem: Error {
  package var status: Int
  package var code: String
  package var detail: String
  package var help: String?
  /// The run that failed.
  package var run: String?
  package var headers: [(name: String, value: String)] = []

  package init(_ status: Int, _ code: String, _ detail: String, help: String? = nil) {
    self.status = status
    self.code = code
    self.detail = detail
    self.help = help
  }

  /// Creates a problem from an error, with the status of its code.
  package init(_ error: any Error) {
    switch error {
    case let problem as Problem: self = problem
    case let error as ErrandError:
      self.init(
        Self.status(of: error.code), error.code == Self.precondition ? "conflict" : error.code,
        error.message, help: error.help)
      if status == 503 { headers = [("Retry-After", "1")] }
    default: self.init(500, "internal", "\(error)")
    }
  }

  static let mediaType = "application/problem+json"

  /// The internal code of a failed `If-Match`, which clients see as `conflict`.
  static let precondition = "precondition"

  /// The status of an error code: 4xx for errors the client can fix, 5xx for failures of this
  /// machine.
  private static func status(of code: String) -> Int {
    switch code {
    case "not-found": 404
    case "conflict", "declined", "cancelled": 409
    case "denied", "not-allowed": 403
    case precondition: 412
    case "busy", "suspended": 503
    // Another program or server failed: RFC 4918 §11.4.
    case "exec", "http", "network", "no-secret", "timeout": 424
    case "io", "store", "internal", "unreadable", "unwritable": 500
    default: 422
    }
  }

  private static let titles = [
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 409: "Conflict", 410: "Gone", 412: "Precondition Failed",
    413: "Content Too Large", 415: "Unsupported Media Type", 421: "Misdirected Request",
    422: "Unprocessable Content", 424: "Failed Dependency", 500: "Internal Server Error",
    503: "Service Unavailable",
  ]

  /// The problem as a response.
  package var response: Response {
    var members: [String: JSONValue] = [
      "type": "about:blank", "title": .string(Self.titles[status] ?? "Error"),
      "status": .int(Int64(status)), "code": .string(code), "detail": .string(detail),
    ]
    members["help"] = help.map(JSONValue.string)
    members["run"] = run.map(JSONValue.string)
    var response = Response(json: .object(members), status: status, headers: headers)
    response.headers[0].value = Self.mediaType
    return response
  }
}
