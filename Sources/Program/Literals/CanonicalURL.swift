import Links

/// The text by which two URLs are known to be the same.
package enum CanonicalURL {
  /// The canonical form of a URL; text that is none stands for itself.
  package static func text(of text: String) -> String {
    (try? WebURL(stored: text))?.canonical ?? text
  }

  /// Whether a text that is stored is a URL of the web.
  package static func exists(of text: String) -> Bool { (try? WebURL(stored: text)) != nil }
}
