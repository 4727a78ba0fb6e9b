package import ErrandKit
import JSON

/// A JSON-RPC 2.0 error, with the codes of the Model Context Protocol.
struct ProtocolError: Error {
  /// The kind of an error.
  enum Code: Int64 {
    case notJSON = -32700
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParameters = -32602
    case failed = -32603
    case busy = -32000
    /// Up to revision 2025-11-25 only.
    case unknownResource = -32002
    case missingCapability = -32021
    case unsupportedRevision = -32022
  }

  let code: Code
  let message: String
  var data: JSONValue?

  init(_ code: Code, _ message: String, data: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// The answer to a request with this id; null if the id is not known.
  func answer(to id: JSONValue) -> JSONValue {
    let error = JSONValue.members([
      "code": .int(code.rawValue), "message": .string(message), "data": data,
    ])
    return ["jsonrpc": "2.0", "id": id, "error": error]
  }
}

/// Splits a byte stream into lines, one message each.
package struct MessageReader: Sendable {
  /// Maximum length of a message, in bytes.
  package static let longestMessage = 4 << 20

  private var bytes: [UInt8] = []
  private var start = 0
  /// The offset up to which the line at `start` was searched for its end.
  private var searched = 0
  /// Whether the rest of a line that was too long is being skipped.
  private var isSkipping = false

  package init() {}

  /// Adds received bytes.
  package mutating func append(_ new: some Sequence<UInt8>) {
    bytes.removeSubrange(..<start)
    searched -= start
    start = 0
    bytes += new
  }

  /// Returns the next line that is not blank; nil if it is incomplete.
  ///
  /// A line longer than ``longestMessage`` is returned once, truncated to the bytes read so far.
  package mutating func next() -> ArraySlice<UInt8>? {
    while true {
      guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
        searched = bytes.count
        let rest = bytes[start...]
        guard isSkipping || rest.count > Self.longestMessage else { return nil }
        start = bytes.count
        if isSkipping { return nil }
        isSkipping = true
        return rest
      }
      let line = bytes[start..<end]
      start = end + 1
      searched = start
      if isSkipping {
        isSkipping = false
      } else if !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) {
        return line
      }
    }
  }

  /// The bytes of a message on the wire.
  package static func bytes(of message: JSONValue) -> [UInt8] {
    ((try? message.text()).map { Array($0.utf8) } ?? []) + [UInt8(ascii: "\n")]
  }
}
