package import CEL

/// A share in the inbox, as read from its file.
package struct Share: Sendable {
  /// The kinds of shared items.
  package enum Kind: String, Sendable, CaseIterable {
    case url, text, image, file
  }

  /// A shared item.
  package struct Item: Sendable {
    package var kind: Kind
    /// The text; nil for other kinds.
    package var text: String?
    /// The URL; nil for other kinds.
    package var url: String?
    /// The file name given by the application; nil if there is none.
    package var name: String?
    package var mediaType: String
    /// The offset of its bytes in the share's file; nil if the header contains all of it.
    package var offset: Int?
    /// The size in bytes.
    package var size: Int

    package init(
      kind: Kind, text: String? = nil, url: String? = nil, name: String? = nil, mediaType: String,
      offset: Int? = nil, size: Int
    ) {
      self.kind = kind
      self.text = text
      self.url = url
      self.name = name
      self.mediaType = mediaType
      self.offset = offset
      self.size = size
    }

    /// Whether it matches an accepted type: a kind, or a media type such as `application/pdf` or
    /// `image/*`.
    ///
    /// An image also matches `file`.
    package func fits(_ type: String) -> Bool {
      if type == kind.rawValue || type == mediaType { return true }
      if type == Kind.file.rawValue { return kind == .image }
      return type.hasSuffix("/*") && kind != .url && mediaType.hasPrefix(type.dropLast())
    }
  }

  /// The name of its file.
  package let name: String
  package let from: String?
  package let title: String?
  /// The intent or shortcut that should handle it.
  package var to: String?
  package var details = ShareDetails()
  package var items: [Item]
  /// The time it was put into the inbox.
  package let time: Timestamp

  /// An identifier that differs from that of any other share, even of a file with the same name.
  package var receipt: String
  /// Whether its file is the shared item itself, put there by a program that does not know the
  /// format of shares.
  package var isBare = false

  /// A short description.
  package var summary: String {
    let first = items.first.map(\.summary) ?? ""
    return items.count < 2 ? first : "\(first) and \(items.count - 1) more"
  }
}

extension Share.Item {
  /// Creates an item from bytes, with its type detected from the content.
  init(head: [UInt8], size: Int, name: String?, told: String, offset: Int? = nil) {
    let type = ContentSignature.mediaType(
      of: head, isWhole: head.count == size, name: name, told: told)
    self.init(
      kind: type.hasPrefix("image/") ? .image : .file, name: name, mediaType: type, offset: offset,
      size: size)
  }

  /// The maximum number of characters in a summary.
  private static let shown = 60

  /// A short description.
  package var summary: String {
    switch kind {
    case .url: return url ?? ""
    case .text:
      let line = (text ?? "").split(whereSeparator: \.isNewline).first.map { String($0) } ?? ""
      return line.count > Self.shown ? line.prefix(Self.shown - 1) + "…" : line
    case .image, .file: return name ?? mediaType
    }
  }
}
