/// The reason a text is not a web URL.
package struct WebURLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of problems.
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
  /// A URL that may have been intended.
  package let suggestion: String?

  init(_ reason: Reason, suggestion: String? = nil) {
    self.reason = reason
    self.suggestion = suggestion
  }

  /// The problem, worded to follow a colon, such as `it is empty`.
  package var description: String {
    switch reason {
    case .empty: "it is empty"
    case .tooLong(let maxBytes): "it is longer than \(maxBytes / 1024) KiB"
    case .space: "it contains a space"
    case .controlCharacter: "it contains a control character"
    case .notWeb: "it must begin with http:// or https://"
    case .noHost: "it has no host"
    case .backslashInHost: "its host contains a backslash"
    case .malformedHost: "its host is malformed"
    case .malformedPort: "its port is not a number up to 65535"
    }
  }
}
