import CCurl
import Glibc

/// Wording of libcurl's errors (libcurl-errors(3)).
enum CurlFailure {
  /// Returns the reason, to follow the name of the host.
  ///
  /// - Parameter cause: The `errno` of the failure, if libcurl knows one.
  static func reason(_ code: CURLcode, host: String, cause: Int32 = 0) -> String {
    switch code {
    case CURLE_URL_MALFORMAT: "the URL is not valid"
    case CURLE_COULDNT_RESOLVE_HOST: "host not found"
    case CURLE_COULDNT_RESOLVE_PROXY: "its proxy was not found"
    case CURLE_COULDNT_CONNECT:
      cause == 0 || cause == ECONNREFUSED
        ? "connection refused" : "cannot connect: \(String(cString: strerror(cause)).lowercased())"
    case CURLE_OPERATION_TIMEDOUT: "the connection timed out"
    case CURLE_PROXY: "its proxy refused the connection"
    case CURLE_PARTIAL_FILE: "the reply was cut short"
    case CURLE_GOT_NOTHING: "the server closed the connection without a reply"
    case CURLE_SEND_ERROR: "the connection broke while the request was sent"
    case CURLE_RECV_ERROR: "the connection broke while the reply was read"
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      "the reply is not valid HTTP"
    case CURLE_OUT_OF_MEMORY: "a header of the reply is too long"
    case CURLE_SSL_CONNECT_ERROR: "the TLS handshake failed"
    case CURLE_PEER_FAILED_VERIFICATION: "its certificate is not trusted for \(host)"
    case CURLE_SSL_CACERT_BADFILE: "the file of trusted certificates cannot be read"
    case CURLE_ABORTED_BY_CALLBACK, CURLE_READ_ERROR: "a file changed while it was sent"
    // libcurl's own messages are for programmers.
    default: "the request failed (libcurl error \(code.rawValue))"
    }
  }

  /// Whether the error may be transient.
  static func mayPass(_ code: CURLcode) -> Bool {
    switch code {
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_OUT_OF_MEMORY,
      CURLE_URL_MALFORMAT, CURLE_ABORTED_BY_CALLBACK, CURLE_READ_ERROR:
      false
    default: true
    }
  }
}
