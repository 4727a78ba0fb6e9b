import Resources

/// The browser extension: its files, which are part of the program, and its names.
enum BrowserExtension {
  /// The files of its folder.
  static var files: [(name: String, bytes: [UInt8])] {
    let own = Resource.all.compactMap { file in
      file.path(in: "browser/").map { (name: $0, bytes: file.bytes) }
    }
    return own + [("style.css", Resource.bytes(of: "Sources/Web/assets/style.css"))]
  }

  /// The id in Chromium and its relatives, from the `key` in the manifest: the first 32 digits of its
  /// SHA-256, with letters from `a` on.
  static let chromiumID = "ffjjldflhfkflajhokblnlgmonebgfkg"
  /// The id in Firefox.
  static let firefoxID = "errand@errand.localhost"
  /// The name of the program that it talks to.
  static let host = "errand"
}
