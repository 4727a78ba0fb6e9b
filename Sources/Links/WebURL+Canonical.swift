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

  /// The part of the canonical form by which addresses of one page are recognized: without the scheme,
  /// `www.`, a slash at the end and a fragment that is no route, and with sorted parameters.
  ///
  /// Addresses with the same one probably lead to the same page; a person decides.
  package var pageKey: String {
    let host = canonicalHost
    var output = String(host.hasPrefix("www.") ? host.dropFirst(4) : host[...])
    if let port, port != (scheme == "http" ? 80 : 443) { output += ":\(port)" }
    output += canonicalPath
    while output.hasSuffix("/") { output.removeLast() }
    let parameters = canonicalQuery.split(separator: "&").sorted().joined(separator: "&")
    if !parameters.isEmpty { output += "?" + parameters }
    let fragment = canonicalFragment
    return fragment.hasPrefix("!") || fragment.hasPrefix("/") ? output + "#" + fragment : output
  }

  /// The address without tracking parameters and text fragments, otherwise unaltered.
  package var clean: String {
    var parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    if let query {
      let kept = query.split(separator: "&", omittingEmptySubsequences: false).filter {
        !Self.isTracking($0)
      }
      let address = parts[0].prefix { $0 != "?" }
      if kept.count < query.split(separator: "&", omittingEmptySubsequences: false).count {
        parts[0] = kept.isEmpty ? address : address + "?" + kept.joined(separator: "&")
      }
    }
    if parts.count > 1, let directive = parts[1].firstRange(of: ":~:text=") {
      parts[1] = parts[1][..<directive.lowerBound]
      if parts[1].isEmpty { parts.removeLast() }
    }
    return parts.joined(separator: "#")
  }

  /// Returns the one of two addresses of a page to keep: the given one, unless only that has tracking
  /// parameters or both have.
  package static func preferred(_ stored: String, _ given: String) -> String {
    guard let url = try? WebURL(stored: given) else { return given }
    return url.clean == given ? given : stored
  }

  /// Whether a parameter with its value is only for tracking.
  private static func isTracking(_ parameter: some StringProtocol) -> Bool {
    let name = PercentEncoding.normalized(parameter.utf8).prefix { $0 != "=" }
    return TrackingNames.shared.contain(String(name))
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
      .map { PercentEncoding.normalized($0) }.filter { !Self.isTracking($0) }
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
