extension WebURL {
  /// The URL that a reference means when it stands in the page of this URL (RFC 3986 §5.2).
  ///
  /// - Throws: Why the result is not a URL of the web.
  package func resolve(
    _ reference: String, maxBytes: Int = WebURL.maxBytes
  ) throws(WebURLError) -> WebURL {
    let relative = URLReference(reference)
    guard relative.scheme == nil else { return try WebURL(reference, maxBytes: maxBytes) }

    var result = scheme + "://"
    if let authority = relative.authority {
      result += authority + Self.removingDotSegments(from: String(relative.path))
    } else {
      result += authority
      if relative.path.isEmpty {
        result += path
      } else {
        result += Self.removingDotSegments(from: merge(relative.path))
      }
    }
    let keepsQuery = relative.authority == nil && relative.path.isEmpty
    if let query = relative.query.map({ String($0) }) ?? (keepsQuery ? query : nil) {
      result += "?" + query
    }
    if let fragment = relative.fragment { result += "#" + fragment }
    return try WebURL(result, maxBytes: maxBytes)
  }

  /// User information, host and port as they stand in a URL.
  private var authority: String {
    (userinfo.map { $0 + "@" } ?? "") + host + (port.map { ":\($0)" } ?? "")
  }

  /// A relative path put in the place of the last segment of this URL's path (§5.2.3).
  private func merge(_ relative: Substring) -> String {
    if relative.utf8.first == UInt8(ascii: "/") { return String(relative) }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "/" + relative }
    return String(path[..<path.utf8.index(after: slash)]) + relative
  }

  /// A path without its `.` and `..` segments (§5.2.4).
  static func removingDotSegments(from path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: ".")), path.utf8.first == UInt8(ascii: "/") else {
      return path
    }
    let segments = path.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var kept: [Substring.UTF8View] = []
    var endsInFolder = false
    for segment in segments {
      endsInFolder = false
      if segment.elementsEqual(".".utf8) {
        endsInFolder = true
      } else if segment.elementsEqual("..".utf8) {
        if !kept.isEmpty { kept.removeLast() }
        endsInFolder = true
      } else {
        kept.append(segment)
      }
    }
    let joined = kept.map { "/" + Substring($0) }.joined()
    return endsInFolder || joined.isEmpty ? joined + "/" : joined
  }
}
