import CCurl
import Engine
import Program

/// A URL as parsed by libcurl, which also connects to it.
struct CurlURL {
  /// The absolute URL without its fragment.
  let text: String
  /// `http` or `https`.
  let scheme: String
  let host: String
  let port: String

  /// Returns whether both have the same origin (RFC 6454 §4).
  func isSameOrigin(as other: CurlURL) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  /// Parses a URL, relative to a base URL if given.
  ///
  /// - Throws: `invalid-value` if it is invalid or not http or https.
  init(_ text: String, relativeTo base: CurlURL? = nil) throws {
    guard let handle = curl_url() else { throw RunError(.network, "out of memory for a URL") }
    defer { curl_url_cleanup(handle) }
    let flags = UInt32(CURLU_URLENCODE | CURLU_NON_SUPPORT_SCHEME)
    var status = CURLUE_OK
    if let base { status = curl_url_set(handle, CURLUPART_URL, base.text, flags) }
    if status == CURLUE_OK { status = curl_url_set(handle, CURLUPART_URL, text, flags) }
    guard status == CURLUE_OK, !text.utf8.contains(0) else {
      let reason = status == CURLUE_OK ? "it contains a zero byte" : Self.reason(status)
      throw RunError(
        .invalidValue, "“\(text.shortened)” is not a URL: \(reason)",
        help: "write it in full, such as https://example.com/page")
    }
    // A fragment is not sent (RFC 9110 §4.2.4), and a redirect must not set credentials.
    _ = curl_url_set(handle, CURLUPART_FRAGMENT, nil, 0)
    if base != nil {
      _ = curl_url_set(handle, CURLUPART_USER, nil, 0)
      _ = curl_url_set(handle, CURLUPART_PASSWORD, nil, 0)
    }
    func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String {
      var pointer: UnsafeMutablePointer<CChar>?
      guard curl_url_get(handle, part, &pointer, UInt32(flags)) == CURLUE_OK, let pointer else {
        return ""
      }
      defer { curl_free(pointer) }
      return String(cString: pointer)
    }
    scheme = part(CURLUPART_SCHEME).lowercased()
    host = part(CURLUPART_HOST).lowercased()
    port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT)
    self.text = part(CURLUPART_URL)
    guard scheme == "http" || scheme == "https" else {
      throw RunError(.invalidValue, "“\(text.shortened)” is not http or https")
    }
  }

  private static func reason(_ code: CURLUcode) -> String {
    switch code {
    case CURLUE_BAD_SCHEME: "it does not begin with http:// or https://"
    case CURLUE_BAD_PORT_NUMBER: "its port is not a number up to 65535"
    case CURLUE_NO_HOST, CURLUE_BAD_HOSTNAME: "its host is missing or malformed"
    default: "it is malformed"
    }
  }
}
