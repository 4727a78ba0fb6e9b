import Links

/// The text by which two URLs are known to be the same.
enum CanonicalURL {
  /// The canonical form of a URL; text that is none stands for itself.
  static func text(of text: String) -> String {
    (try? WebURL(text))?.canonical ?? text
  }

  /// Whether a text is a URL of the web.
  static func exists(of text: String) -> Bool { (try? WebURL(text)) != nil }
}
