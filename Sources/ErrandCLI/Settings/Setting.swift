/// A thing about Errand that a person can set.
enum Setting: String, CaseIterable, Sendable {
  case linkBase, pager, colour, maxSteps

  /// What it does.
  var help: String {
    switch self {
    case .linkBase: "what signed links begin with; the usual one is only a name on this machine"
    case .pager: "the program that shows long results page by page; `none` for no paging"
    case .colour: "when text is coloured: auto, always or never"
    case .maxSteps: "how many steps a run may take in all"
    }
  }

  /// What holds where nothing is set.
  var usual: String {
    switch self {
    case .linkBase: Self.usualLinkBase
    case .pager: "less"
    case .colour: "auto"
    case .maxSteps: "50000000"
    }
  }

  /// What signed links begin with where nobody said anything else.
  static let usualLinkBase = "https://errand.localhost"

  /// The variable of the environment that goes before the file.
  var variable: String? {
    switch self {
    case .linkBase: "ERRAND_LINK_BASE"
    case .pager: "PAGER"
    case .colour, .maxSteps: nil
    }
  }

  /// What is wrong with a value, as the end of a sentence about it; nil when it fits.
  func problem(with value: String) -> String? {
    switch self {
    case .linkBase:
      let hasScheme = value.hasPrefix("https://") || value.hasPrefix("http://")
      return hasScheme && !value.contains(where: \.isWhitespace) && value.count > 8
        ? nil : "is not an address that begins with https://"
    case .pager: return value.isEmpty ? "is empty; `none` is for no paging" : nil
    case .colour:
      return Console.ColorMode(rawValue: value) == nil ? "is none of auto, always, never" : nil
    case .maxSteps:
      return Int(value).map { $0 > 0 } ?? false ? nil : "is not a whole number from 1"
    }
  }
}
