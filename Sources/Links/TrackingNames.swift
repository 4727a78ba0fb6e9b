import Resources

/// The names of query parameters that only track visitors and do not affect the page.
struct TrackingNames: Sendable {
  /// The names in `tracking-names.txt`, read on first use.
  static let shared = TrackingNames(
    list: Resource.text(of: "Sources/Links/tracking-names.txt"))

  private var names: Set<Substring> = []
  private var prefixes: [Substring] = []

  /// - Parameter list: One lower-case name per line; a trailing `*` matches any rest, and `#`
  ///   begins a comment.
  init(list: String) {
    for line in list.split(separator: "\n") where !line.hasPrefix("#") {
      if line.hasSuffix("*") {
        prefixes.append(line.dropLast())
      } else {
        names.insert(line)
      }
    }
  }

  /// Whether a parameter is only for tracking; case-insensitive.
  func contain(_ name: String) -> Bool {
    let name = name.lowercased()
    return names.contains(name[...]) || prefixes.contains { name.hasPrefix($0) }
  }
}
