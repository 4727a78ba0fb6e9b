import CCurl

/// What is the same for all requests of a process.
struct ClientOptions: Sendable {
  private let userAgent: String
  /// A file or a folder with the certificates that are trusted, instead of the system's.
  private let certificateFile: String?
  private let certificateFolder: String?

  /// Takes the certificates from where `curl` has them, too (curl(1), ENVIRONMENT).
  init(userAgent: String, environment: (String) -> String?) {
    self.userAgent = userAgent
    let bundle = environment("CURL_CA_BUNDLE")
    certificateFile = bundle ?? environment("SSL_CERT_FILE")
    certificateFolder = bundle == nil ? environment("SSL_CERT_DIR") : nil
  }

  /// Sets them on a handle. Proxies are those of the environment, which libcurl reads itself;
  /// cookies, passwords of `.netrc` and protocols other than HTTP are off.
  func apply(to easy: UnsafeMutableRawPointer) {
    errand_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    errand_curl_set_number(easy, CURLOPT_FOLLOWLOCATION, 0)
    errand_curl_set_number(easy, CURLOPT_NOSIGNAL, 1)
    errand_curl_set_number(easy, CURLOPT_NOPROGRESS, 1)
    // The search for an address that nobody waits for any more is not waited for.
    errand_curl_set_number(easy, CURLOPT_QUICK_EXIT, 1)
    errand_curl_set_number(
      easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    // libcurl takes a packed body that is cut short for a whole one, so `Transfer` unpacks it.
    errand_curl_set_number(easy, CURLOPT_HTTP_CONTENT_DECODING, 0)
    errand_curl_set_text(easy, CURLOPT_USERAGENT, userAgent)
    if let certificateFile { errand_curl_set_text(easy, CURLOPT_CAINFO, certificateFile) }
    if let certificateFolder { errand_curl_set_text(easy, CURLOPT_CAPATH, certificateFolder) }
  }
}
