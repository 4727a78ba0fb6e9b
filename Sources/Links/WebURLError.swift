/// Why a text is not a URL of the web.
package struct WebURLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of reason.
  package enum Reason: Hashable, Sendable {
    case empty
    case tooLong(maxBytes: Int)
    case space
    case controlCharacter
    case notWeb
    case noHost
    case backslashInHost
    case malformedHost
    case malformedPort
  }

  package let reason: Reason
  /// A URL that was perhaps meant.
  package let suggestion: String?

  init(_ reason: Reason, suggestion: String? = nil) {
    self.reason = reason
    self.suggestion = suggestion
  }

  /// The reason in a few words that follow a colon: `it is empty`.
  package var description: String {
    switch reason {
    case .empty: "it is empty"
    case .tooLong(let maxBytes): "it is longer than \(maxBytes / 1024) KiB"
    case .space: "there is a space in it"
    case .controlCharacter: "there is a control character in it"
    case .notWeb: "it must begin with http:// or https://"
    case .noHost: "it has no host"
    case .backslashInHost: "there is a backslash in its host"
    case .malformedHost: "its host is malformed"
    case .malformedPort: "its port is not a number up to 65535"
    }
  }
}
