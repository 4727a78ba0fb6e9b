extension WebURL {
  /// The canonical form, for finding duplicates: the same for URLs that certainly lead to the same
  /// page.
  ///
  /// Normalizes the case of scheme and host, the default port, percent-encoding, dot segments and
  /// an empty path. Removes tracking parameters (`tracking-names.txt`) and text fragments. All
  /// other parts are significant: the scheme, `www.`, a trailing slash, the order of parameters,
  /// the fragment.
  package var canonical: String {
    var output = "\(scheme)://"
    if let userinfo, !userinfo.isEmpty { output += PercentEncoding.normalized(userinfo.utf8) + "@" }
    output += canonicalHost
    if let port, port != (scheme == "http" ? 80 : 443) { output += ":\(port)" }
    output += canonicalPath
    for (mark, part) in [("?", canonicalQuery), ("#", canonicalFragment)] where !part.isEmpty {
      output += mark + part
    }
    return output
  }

  private var canonicalHost: String {
    guard host.utf8.contains(UInt8(ascii: "%")) else { return host }
    return PercentEncoding.normalized(host.utf8, keepingNonASCII: true).lowercased()
  }

  /// The path with every segment normalized separately, so that one that `..` removes affects no
  /// other segment.
  private var canonicalPath: String {
    guard !path.isEmpty else { return "/" }
    let segments = path.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return Self.removingDotSegments(
      from: segments.map { "/" + PercentEncoding.normalized($0) }.joined())
  }

  private var canonicalQuery: String {
    (query ?? "").utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
      .map { PercentEncoding.normalized($0) }
      .filter { !TrackingNames.shared.contain(String($0.prefix { $0 != "=" })) }
      .joined(separator: "&")
  }

  private var canonicalFragment: String {
    func withoutDirective(_ text: String) -> Substring {
      text[..<(text.utf8.firstRange(of: ":~:text=".utf8)?.lowerBound ?? text.endIndex)]
    }
    // If the tilde is encoded, the directive is visible only after normalization.
    return String(
      withoutDirective(PercentEncoding.normalized(withoutDirective(fragment ?? "").utf8)))
  }
}
