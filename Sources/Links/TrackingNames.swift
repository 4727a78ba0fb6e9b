/// The names of query parameters that only track who follows a link, never what it shows.
struct TrackingNames: Sendable {
  /// The names of `tracking-names.txt`, read when first needed.
  static let shared = TrackingNames(
    list: String(decoding: PackageResources.tracking_names_txt, as: UTF8.self))

  private var names: Set<Substring> = []
  private var prefixes: [Substring] = []

  /// - Parameter list: A name a line in lower case; `*` at the end stands for any rest, and `#`
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

  /// Whether a parameter of this name only tracks; letter case does not matter.
  func contain(_ name: String) -> Bool {
    let name = name.lowercased()
    return names.contains(name[...]) || prefixes.contains { name.hasPrefix($0) }
  }
}
