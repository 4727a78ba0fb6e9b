import CEL
import Items
import Program

/// A setting.
package enum Setting: String, CaseIterable, Sendable {
  case enrich, worker, linkBase, pager, colour, keepRuns, maxSteps, location, holidays,
    secretCommand
  case answerTime, theme, browserSearch, shelf, mailTo, ntfy, ntfyToken, notifyCommand
  case pushHosts, embedOrigins, cleanURLs, learning

  /// Finds a setting by name; `color` is accepted for `colour`.
  package init?(named name: String) { self.init(rawValue: name == "color" ? "colour" : name) }

  /// Help text, default value, and environment variable that overrides the file.
  private var row: (help: String, defaultValue: String, variable: String?) {
    switch self {
    case .enrich:
      ("fetch the pages of saved links in the background: on or off", "on", "ERRAND_ENRICH")
    case .worker:
      ("run queued jobs and automations while `serve` runs: on or off", "off", nil)
    case .linkBase:
      (
        "base URL of signed links; the default works only on this machine", Self.defaultLinkBase,
        "ERRAND_LINK_BASE"
      )
    case .pager:
      ("program that shows long results page by page; `none` to turn it off", "less", "PAGER")
    case .colour: ("use colour: auto, always or never", "auto", nil)
    case .keepRuns: ("how long to keep finished runs", "30d", nil)
    case .maxSteps: ("maximum number of steps in a run", "50000000", nil)
    case .answerTime: ("how long `serve` and `mcp` wait for the answer to a question", "10m", nil)
    case .theme: ("appearance of the page of `serve`: auto, light or dark", "auto", nil)
    case .browserSearch:
      ("let the browser extension find and show links: on or off", "off", nil)
    case .shelf:
      ("keep links that others share on the shelf: on or off, which empties it", "on", nil)
    case .cleanURLs:
      ("save addresses without tracking parameters: on or off, which alters none", "off", nil)
    case .learning:
      (
        "learn from what you do, on this machine, for suggestions and sentences: on or off", "on",
        nil
      )
    case .embedOrigins:
      ("origins whose pages may embed widgets, such as https://home.example", "", nil)
    case .secretCommand: ("program that prints a secret, with {name} for its name", "", nil)
    case .location: ("your location (degrees north, east) for sunrise and sunset", "", nil)
    case .holidays:
      ("days on which nobody works: a file, such as ~/holidays.ics, or days", "", nil)
    case .mailTo: ("mail address for `notify`, used with sendmail", "", nil)
    case .ntfy: ("ntfy topic for `notify`, such as https://ntfy.sh/backups", "", nil)
    case .ntfyToken: ("name of the secret that holds the topic's access token", "", nil)
    case .pushHosts:
      ("further push services of browsers, such as push.example.com *.push.example.com", "", nil)
    case .notifyCommand:
      (
        "program for `notify`, with {title}, {text} and {urgency} in its arguments", "",
        nil
      )
    }
  }

  /// The help text.
  package var help: String { row.help }
  /// The default value.
  package var defaultValue: String { row.defaultValue }
  /// The environment variable that overrides the file.
  package var variable: String? { row.variable }

  /// The default base URL of signed links.
  package static let defaultLinkBase = "https://errand.localhost"

  private static let longestAnswerTime = Duration.seconds(30 * 86_400)

  /// Whether a text is a bare mail address.
  private static func isMailAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty } && !text.hasPrefix("-")
      && text.unicodeScalars.allSatisfy {
        $0.value > 0x20 && !"<>,;:\"()".unicodeScalars.contains($0)
      }
  }

  /// Whether a text is a scheme, a host and perhaps a port, and nothing else (RFC 6454 §6.2).
  private static func isOrigin(_ text: String) -> Bool {
    guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
    let parts = text.dropFirst(scheme.count).split(separator: ":", omittingEmptySubsequences: false)
    guard let host = parts.first, (1...2).contains(parts.count), isHost(host) else { return false }
    return parts.count == 1 || UInt16(parts[1]).map { $0 > 0 } == true
  }

  /// Whether a text has the characters of a host.
  private static func isHost(_ text: some StringProtocol) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        $0 == 0x2E || $0 == 0x2D || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
      }
  }

  /// Parses a duration; nil if it is invalid or too long.
  package static func length(_ value: String) -> Duration? {
    DurationReader.duration(value)?.totalNanoseconds.map(Duration.nanoseconds)
  }

  /// Whether its value in the file is a list: a program and its arguments.
  package var isCommand: Bool { self == .secretCommand || self == .notifyCommand }

  /// An example of such a list.
  package var commandSample: String {
    self == .secretCommand ? "[pass, show, '{name}']" : "[telegram-send, '{title}: {text}']"
  }

  /// Splits the text of such a value into a program and its arguments.
  package static func words(_ value: String) -> [String] {
    value.split(separator: " ").map(String.init)
  }

  /// The values it can have; empty if there are others.
  package var choices: [String] {
    switch self {
    case .enrich, .worker, .browserSearch, .shelf, .cleanURLs, .learning: ["on", "off"]
    case .colour: ["auto", "always", "never"]
    case .theme: ["auto", "light", "dark"]
    default: []
    }
  }

  /// The problem with a value, worded to follow it; nil if it is valid.
  package func problem(with value: String) -> String? {
    if let last = choices.last {
      return choices.contains(value)
        ? nil : "must be \(choices.dropLast().joined(separator: ", ")) or \(last)"
    }
    switch self {
    case .enrich, .worker, .browserSearch, .shelf, .cleanURLs, .learning, .colour, .theme:
      return nil
    case .linkBase:
      let hasScheme = value.hasPrefix("https://") || value.hasPrefix("http://")
      return hasScheme && !value.contains(where: \.isWhitespace) && value.count > 8
        ? nil : "must begin with https:// or http://"
    case .pager: return value.isEmpty ? "must not be empty; use `none` to turn paging off" : nil
    case .keepRuns:
      return (Self.length(value) ?? .zero) >= .seconds(60)
        ? nil : "must be a duration of at least a minute, such as 30d"
    case .answerTime:
      return (Duration.seconds(1)...Self.longestAnswerTime).contains(Self.length(value) ?? .zero)
        ? nil : "must be a duration from 1s to 30d"
    case .location:
      return Coordinates(value) == nil ? "must be latitude and longitude: 52.52, 13.40" : nil
    case .holidays:
      return Holidays(value) != nil || value.contains("/") || value.hasSuffix(".ics")
        ? nil : "must be a file such as ~/holidays.ics, or days such as 2026-12-25, 2026-12-26"
    case .secretCommand, .notifyCommand:
      return Self.words(value).isEmpty ? "must name a program" : nil
    case .mailTo: return Self.isMailAddress(value) ? nil : "is not a mail address"
    case .ntfy:
      return NtfyTopic(value) == nil ? "is not a topic such as https://ntfy.sh/backups" : nil
    case .embedOrigins:
      let origins = Self.words(value)
      return !origins.isEmpty && origins.allSatisfy(Self.isOrigin)
        ? nil : "must be origins such as https://home.example, separated by spaces"
    case .pushHosts:
      let hosts = Self.words(value).map { $0.hasPrefix("*.") ? $0.dropFirst(2) : $0[...] }
      return !hosts.isEmpty && hosts.allSatisfy(Self.isHost)
        ? nil : "must be hosts such as push.example.com or *.push.example.com, separated by spaces"
    case .ntfyToken: return value.isEmpty ? "must name a secret" : nil
    case .maxSteps:
      return Int(value).map { $0 > 0 } ?? false ? nil : "must be a positive integer"
    }
  }
}
