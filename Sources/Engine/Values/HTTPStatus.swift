/// The statuses of HTTP in words (RFC 9110 §15).
enum HTTPStatus {
  /// The number with its words, such as `404 Not Found`.
  static func text(_ status: Int) -> String {
    words(status).map { "\(status) \($0)" } ?? String(status)
  }

  private static func words(_ status: Int) -> String? {
    switch status {
    case 300: "Multiple Choices"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 402: "Payment Required"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 415: "Unsupported Media Type"
    case 418: "I'm a teapot"
    case 422: "Unprocessable Content"
    case 425: "Too Early"
    case 428: "Precondition Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 451: "Unavailable For Legal Reasons"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 507: "Insufficient Storage"
    default: nil
    }
  }
}
