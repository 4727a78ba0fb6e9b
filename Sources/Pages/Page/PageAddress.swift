import ForeignText
import Links

/// Resolves URLs in a page, as browsers do.
struct PageAddress {
  /// The base URL; nil if the page's URL is unknown.
  private let base: WebURL?

  /// - Parameter page: The URL of the page; empty if unknown.
  init(_ tree: HTMLTree?, page: String) {
    let own = try? WebURL(page)
    let given = tree?.nodes.first { $0.name == "base" && $0["href"] != nil }?["href"]
    guard let given = given?.trimmingBlanks else {
      base = own
      return
    }
    base = own.map { (try? $0.resolve(given)) ?? $0 } ?? (try? WebURL(given))
  }

  /// Resolves a reference; nil if the result is not a web URL.
  func resolved(_ reference: String?) -> String? {
    guard let text = reference?.trimmingBlanks, !text.isEmpty, text.utf8.count <= 4_096 else {
      return nil
    }
    let reference = Self.encoded(text)
    return (try? base?.resolve(reference).text) ?? (try? WebURL(reference))?.text
  }

  /// Encodes spaces as `%20`, as browsers do, and removes line breaks and tabs (URL Standard §4.4).
  private static func encoded(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: "\\") }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case " ": result += "%20"
      case "\t", "\n", "\r": break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
