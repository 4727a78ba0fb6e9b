import CEL
import Items
import Program

/// A thing about Errand that a person can set.
package enum Setting: String, CaseIterable, Sendable {
  case enrich, linkBase, pager, colour, keepRuns, maxSteps, location, secretCommand
  case mailTo, ntfy, ntfyToken, notifyCommand

  /// The setting of a name, of which `color` has two spellings.
  package init?(named name: String) {
    self.init(rawValue: name == "color" ? "colour" : name)
  }

  /// What it does.
  package var help: String {
    switch self {
    case .enrich:
      "fetch the pages of saved links in the background: on or off"
    case .linkBase: "base URL of signed links; the default works only on this machine"
    case .pager: "program that shows long results page by page; `none` to turn it off"
    case .colour: "use colour: auto, always or never"
    case .keepRuns: "how long to keep finished runs"
    case .maxSteps: "most steps a run may take"
    case .secretCommand: "program that prints a secret, with {name} for its name"
    case .location: "where you are, in degrees north and east, for sunrise and sunset"
    case .mailTo: "the address to which `notify` sends mail, by sendmail"
    case .ntfy: "the topic to which `notify` sends, such as https://ntfy.sh/backups"
    case .ntfyToken: "the name of the secret with the access token of that topic"
    case .notifyCommand:
      "the program that `notify` starts, with {title}, {text} and {urgency} in its arguments"
    }
  }

  /// What holds where nothing is set.
  package var usual: String {
    switch self {
    case .enrich: "on"
    case .linkBase: Self.usualLinkBase
    case .pager: "less"
    case .colour: "auto"
    case .keepRuns: "30d"
    case .maxSteps: "50000000"
    case .secretCommand, .location, .mailTo, .ntfy, .ntfyToken, .notifyCommand: ""
    }
  }

  /// What signed links begin with where nobody said anything else.
  package static let usualLinkBase = "https://errand.localhost"

  /// The variable of the environment that goes before the file.
  package var variable: String? {
    switch self {
    case .enrich: "ERRAND_ENRICH"
    case .linkBase: "ERRAND_LINK_BASE"
    case .pager: "PAGER"
    case .colour, .keepRuns, .maxSteps, .location, .secretCommand, .mailTo, .ntfy, .ntfyToken,
      .notifyCommand:
      nil
    }
  }

  /// Whether a text is a plain address, without a name around it.
  private static func isMailAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty } && !text.hasPrefix("-")
      && text.unicodeScalars.allSatisfy {
        $0.value > 0x20 && !"<>,;:\"()".unicodeScalars.contains($0)
      }
  }

  /// The microseconds of a length of time; nil when it is none, or longer than can be told.
  package static func microseconds(_ value: String) -> Int64? {
    DurationReader.duration(value)?.totalNanoseconds.map { $0 / 1000 }
  }

  /// Whether it is a list in the file: a program and its arguments.
  package var isCommand: Bool { self == .secretCommand || self == .notifyCommand }

  /// How such a list is written.
  package var commandSample: String {
    self == .secretCommand ? "[pass, show, '{name}']" : "[telegram-send, '{title}: {text}']"
  }

  /// The program and its arguments that a value of such a setting names.
  package static func words(_ value: String) -> [String] {
    value.split(separator: " ").map(String.init)
  }

  /// What is wrong with a value, as the end of a sentence about it; nil when it fits.
  package func problem(with value: String) -> String? {
    switch self {
    case .enrich: return ["on", "off"].contains(value) ? nil : "must be on or off"
    case .linkBase:
      let hasScheme = value.hasPrefix("https://") || value.hasPrefix("http://")
      return hasScheme && !value.contains(where: \.isWhitespace) && value.count > 8
        ? nil : "isn't an address that begins with https://"
    case .pager: return value.isEmpty ? "is empty; `none` is for no paging" : nil
    case .colour:
      return ["auto", "always", "never"].contains(value) ? nil : "must be auto, always or never"
    case .keepRuns:
      return (Self.microseconds(value) ?? 0) >= 60_000_000
        ? nil : "isn't a duration of a minute or more; write for example 30d"
    case .location:
      return Coordinates(value) == nil ? "isn't degrees north and east such as 52.52, 13.40" : nil
    case .secretCommand, .notifyCommand:
      return Self.words(value).isEmpty ? "names no program" : nil
    case .mailTo: return Self.isMailAddress(value) ? nil : "is not a mail address"
    case .ntfy:
      return NtfyTopic(value) == nil ? "is not a topic such as https://ntfy.sh/backups" : nil
    case .ntfyToken: return value.isEmpty ? "names no secret" : nil
    case .maxSteps:
      return Int(value).map { $0 > 0 } ?? false ? nil : "isn't a whole number from 1"
    }
  }
}
