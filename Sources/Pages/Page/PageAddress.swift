import ForeignText
import Links

/// Addresses in a page, as those who follow them read them.
struct PageAddress {
  /// What relative addresses stand against; nil where the page's own address is not known.
  private let base: WebURL?

  /// - Parameter page: The address of the page; empty where it is not known.
  init(_ tree: HTMLTree?, page: String) {
    let own = try? WebURL(page)
    let given = tree?.nodes.first { $0.name == "base" && $0["href"] != nil }?["href"]
    guard let given = given?.trimmingBlanks else {
      base = own
      return
    }
    base = own.map { (try? $0.resolve(given)) ?? $0 } ?? (try? WebURL(given))
  }

  /// The address that a reference means; nil where it is none of the web.
  func resolved(_ reference: String?) -> String? {
    guard let text = reference?.trimmingBlanks, !text.isEmpty, text.utf8.count <= 4_096 else {
      return nil
    }
    let reference = Self.encoded(text)
    return (try? base?.resolve(reference).text) ?? (try? WebURL(reference))?.text
  }

  /// Spaces within become `%20`, as browsers have it; line ends and tabs are left out
  /// (URL Standard §4.4).
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
