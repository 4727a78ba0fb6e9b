import CCurl

/// Why libcurl gave an exchange up, in words (libcurl-errors(3)).
enum CurlFailure {
  /// The reason, in words that follow the name of the host.
  static func reason(_ code: CURLcode, host: String) -> String {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: "there is no host of this name"
    case CURLE_COULDNT_RESOLVE_PROXY: "the proxy on the way to it has no address"
    case CURLE_COULDNT_CONNECT: "nothing answers there"
    case CURLE_PROXY: "the proxy on the way to it refused"
    case CURLE_PARTIAL_FILE: "it ended the reply before all of it was there"
    case CURLE_GOT_NOTHING: "it closed the connection without a reply"
    case CURLE_SEND_ERROR: "it took no more of the request"
    case CURLE_RECV_ERROR: "the connection broke while the reply came"
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      "what it gave is not HTTP"
    case CURLE_BAD_CONTENT_ENCODING: "what it gave can't be unpacked"
    case CURLE_OUT_OF_MEMORY: "a line of its headers is too long"
    case CURLE_SSL_CONNECT_ERROR: "no encrypted connection came about"
    case CURLE_PEER_FAILED_VERIFICATION: "its certificate is not one that is trusted for \(host)"
    case CURLE_SSL_CACERT_BADFILE: "the file of trusted certificates can't be read"
    case CURLE_ABORTED_BY_CALLBACK, CURLE_READ_ERROR: "a file that is sent changed meanwhile"
    default: text(of: code)
    }
  }

  /// Whether it may be otherwise the next time.
  static func mayPass(_ code: CURLcode) -> Bool {
    switch code {
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_BAD_CONTENT_ENCODING,
      CURLE_OUT_OF_MEMORY, CURLE_URL_MALFORMAT, CURLE_ABORTED_BY_CALLBACK,
      CURLE_READ_ERROR:
      false
    default: true
    }
  }

  private static func text(of code: CURLcode) -> String {
    let text = String(cString: curl_easy_strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
