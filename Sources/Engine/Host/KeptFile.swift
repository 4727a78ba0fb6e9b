import Inbox
import Links
import Program

/// A file whose bytes are kept.
package struct KeptFile: Sendable {
  /// How many bytes it may have.
  package static let limit = 64 << 20

  /// The SHA-256 of its bytes, in hexadecimal digits.
  package let hash: String
  /// Where its bytes lie.
  package let path: String
  /// How many bytes it has.
  package let size: Int64
  package let mediaType: String

  package init(hash: String, path: String, size: Int64, mediaType: String) {
    self.hash = hash
    self.path = path
    self.size = size
    self.mediaType = mediaType
  }

  /// A file with these bytes, which stay where they are.
  package init(bytes: [UInt8], at path: String) {
    self.init(
      hash: SHA256.hash(bytes).hexadecimal, path: path, size: Int64(bytes.count),
      mediaType: ContentSignature.mediaType(
        of: Array(bytes.prefix(4096)), isWhole: bytes.count <= 4096,
        name: FilePathText.name(of: path)))
  }
}
