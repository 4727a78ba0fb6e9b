import CEL
import Glibc

extension ShareDraft {
  /// The share as whoever reads it will see it, for a look ahead.
  package var preview: Share {
    Share(
      name: "", from: from, title: title, to: to, items: items.map(\.preview),
      time: Timestamp(microseconds: 0), receipt: "")
  }
}

extension ShareDraft.Item {
  /// How many bytes tell a type.
  private static let headSize = 4096

  fileprivate var preview: Share.Item {
    switch self {
    case .url(let text): return ShareReader.address(text)
    case .text(let text, let isPlain):
      return isPlain ? ShareReader.plain(text) : ShareReader.guessed(text)
    case .bytes(let bytes, let name, let mediaType):
      return Self.file(Array(bytes.prefix(Self.headSize)), bytes.count, name, mediaType)
    case .file(let file, let mediaType):
      let head = [UInt8](unsafeUninitializedCapacity: Self.headSize) { buffer, count in
        count = max(0, pread(file.descriptor, buffer.baseAddress, buffer.count, 0))
      }
      return Self.file(head, file.size, file.name, mediaType)
    }
  }

  private static func file(
    _ head: [UInt8], _ size: Int, _ name: String?, _ told: String?
  ) -> Share.Item {
    let type = ContentSignature.mediaType(
      of: head, isWhole: head.count == size, name: name, told: told ?? "")
    return Share.Item(
      kind: type.hasPrefix("image/") ? .image : .file, name: name, mediaType: type, size: size)
  }
}
