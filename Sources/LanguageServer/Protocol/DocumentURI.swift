import Links

/// The addresses of files as clients write them.
package enum DocumentURI {
  /// The path of a `file:` address; nil for others.
  package static func path(of uri: String) -> String? {
    guard uri.hasPrefix("file://") else { return nil }
    let rest = uri.dropFirst("file://".count)
    guard let slash = rest.firstIndex(of: "/") else { return nil }
    return String(validating: PercentEncoding.decodedBytes(rest[slash...]), as: UTF8.self)
  }

  /// The address of a path.
  package static func uri(of path: String) -> String {
    path.hasPrefix("/") ? "file://" + PercentEncoding.encode(path, keeping: "/") : path
  }
}
