import CCurl

/// The options shared by all requests of a process.
struct ClientOptions: Sendable {
  private let userAgent: String
  /// A file or folder of trusted certificates that replaces the system's.
  private let certificateFile: String?
  private let certificateFolder: String?

  /// Uses the same environment variables for certificates as `curl` (curl(1), ENVIRONMENT).
  init(userAgent: String, environment: (String) -> String?) {
    self.userAgent = userAgent
    let bundle = environment("CURL_CA_BUNDLE")
    certificateFile = bundle ?? environment("SSL_CERT_FILE")
    certificateFolder = bundle == nil ? environment("SSL_CERT_DIR") : nil
  }

  /// Sets the options on a handle. libcurl reads proxies from the environment; cookies, `.netrc` and protocols other
  /// than HTTP are off.
  func apply(to easy: UnsafeMutableRawPointer) {
    errand_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    errand_curl_set_number(easy, CURLOPT_FOLLOWLOCATION, 0)
    errand_curl_set_number(easy, CURLOPT_NOSIGNAL, 1)
    errand_curl_set_number(easy, CURLOPT_NOPROGRESS, 1)
    // Do not wait for an abandoned name resolution.
    errand_curl_set_number(easy, CURLOPT_QUICK_EXIT, 1)
    errand_curl_set_number(
      easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    // libcurl accepts a truncated compressed body, so `Transfer` decompresses it.
    errand_curl_set_number(easy, CURLOPT_HTTP_CONTENT_DECODING, 0)
    errand_curl_set_text(easy, CURLOPT_USERAGENT, userAgent)
    if let certificateFile { errand_curl_set_text(easy, CURLOPT_CAINFO, certificateFile) }
    if let certificateFolder { errand_curl_set_text(easy, CURLOPT_CAPATH, certificateFolder) }
  }
}
