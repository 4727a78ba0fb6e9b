extension WebURL {
  /// Resolves a reference found in the page of this URL (RFC 3986 §5.2).
  ///
  /// - Throws: The reason the result is not a web URL.
  package func resolve(
    _ reference: String, maxBytes: Int = WebURL.maxBytes
  ) throws(WebURLError) -> WebURL {
    let relative = URLReference(reference)
    guard relative.scheme == nil else { return try WebURL(reference, maxBytes: maxBytes) }

    var result = scheme + "://"
    let keepsPath = relative.authority == nil && relative.path.isEmpty
    if let authority = relative.authority {
      result += authority + Self.removingDotSegments(from: String(relative.path))
    } else {
      let path = keepsPath ? path : Self.removingDotSegments(from: merge(relative.path))
      result += authority + path
    }
    if let query = relative.query.map({ String($0) }) ?? (keepsPath ? query : nil) {
      result += "?" + query
    }
    if let fragment = relative.fragment { result += "#" + fragment }
    return try WebURL(result, maxBytes: maxBytes)
  }

  /// User information, host and port as in the URL.
  private var authority: String {
    (userinfo.map { $0 + "@" } ?? "") + host + (port.map { ":\($0)" } ?? "")
  }

  /// Replaces the last segment of this URL's path by a relative path (§5.2.3).
  private func merge(_ relative: Substring) -> String {
    if relative.utf8.first == UInt8(ascii: "/") { return String(relative) }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "/" + relative }
    return String(path[..<path.utf8.index(after: slash)]) + relative
  }

  /// Removes `.` and `..` segments from a path (§5.2.4).
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
