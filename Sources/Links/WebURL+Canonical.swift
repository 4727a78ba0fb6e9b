extension WebURL {
  /// One form of all URLs that surely mean the same page, used only to find duplicates.
  ///
  /// Brought into one form: the case of scheme and host, the default port, percent-encoding, dot
  /// segments, an empty path. Left out: parameters that only track (`tracking-names.txt`), the
  /// text fragment of a shared quotation. All else is identity: the scheme, `www.`, a trailing
  /// slash, the order of parameters, the fragment.
  package var canonical: String {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count + 1)
    output.append(contentsOf: scheme.utf8)
    output.append(contentsOf: "://".utf8)
    if let userinfo, !userinfo.isEmpty {
      PercentEncoding.appendNormalized(userinfo.utf8, to: &output)
      output.append(UInt8(ascii: "@"))
    }
    output.append(contentsOf: canonicalHost.utf8)
    if let port, port != (scheme == "http" ? 80 : 443) {
      output.append(contentsOf: ":\(port)".utf8)
    }
    output.append(contentsOf: canonicalPath.utf8)
    if let query = canonicalQuery {
      output.append(UInt8(ascii: "?"))
      output.append(contentsOf: query)
    }
    if let fragment = canonicalFragment {
      output.append(UInt8(ascii: "#"))
      output.append(contentsOf: fragment)
    }
    return String(decoding: output, as: UTF8.self)
  }

  private var canonicalHost: String {
    guard host.utf8.contains(UInt8(ascii: "%")) else { return host }
    var bytes: [UInt8] = []
    PercentEncoding.appendNormalized(host.utf8, keepingNonASCII: true, to: &bytes)
    return String(decoding: bytes, as: UTF8.self).lowercased()
  }

  /// Each segment is brought into form by itself: one that `..` removes must not bear on others.
  private var canonicalPath: String {
    guard !path.isEmpty else { return "/" }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(path.utf8.count)
    for segment in path.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      bytes.append(UInt8(ascii: "/"))
      PercentEncoding.appendNormalized(segment, to: &bytes)
    }
    return Self.removingDotSegments(from: String(decoding: bytes, as: UTF8.self))
  }

  private var canonicalQuery: [UInt8]? {
    guard let query, !query.isEmpty else { return nil }
    var bytes: [UInt8] = []
    var isFirst = true
    for parameter in query.utf8.split(
      separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    {
      var normalized: [UInt8] = []
      PercentEncoding.appendNormalized(parameter, to: &normalized)
      let name = normalized.prefix { $0 != UInt8(ascii: "=") }
      if TrackingNames.shared.contain(String(decoding: name, as: UTF8.self)) { continue }
      if !isFirst { bytes.append(UInt8(ascii: "&")) }
      isFirst = false
      bytes.append(contentsOf: normalized)
    }
    return bytes.isEmpty ? nil : bytes
  }

  private var canonicalFragment: [UInt8]? {
    guard let fragment else { return nil }
    let directive = ":~:text=".utf8
    func withoutDirective(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
      bytes[..<(bytes.firstRange(of: directive)?.lowerBound ?? bytes.endIndex)]
    }
    var normalized: [UInt8] = []
    PercentEncoding.appendNormalized(withoutDirective(Array(fragment.utf8)), to: &normalized)
    // An encoded tilde shows the directive only now.
    let kept = Array(withoutDirective(normalized))
    return kept.isEmpty ? nil : kept
  }
}
