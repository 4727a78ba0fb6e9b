package import CEL

/// A share that lies in the inbox, as its file tells it.
package struct Share: Sendable {
  /// The kinds of what can be shared.
  package enum Kind: String, Sendable, CaseIterable {
    case url, text, image, file
  }

  /// One thing of it.
  package struct Item: Sendable {
    package var kind: Kind
    /// The text of a text; nil for other kinds.
    package var text: String?
    /// The address of a `url`; nil for other kinds.
    package var url: String?
    /// The name of a file as the application told it; nil without one.
    package var name: String?
    package var mediaType: String
    /// Where its bytes begin in the share's file; nil where the first line has all of it.
    package var offset: Int?
    /// How many bytes it has.
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

    /// Whether what accepts shares by such a word takes it: a kind, or a media type such as
    /// `application/pdf` or `image/*`.
    ///
    /// An image is a file, too.
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
  /// The intent or shortcut that it is for.
  package var to: String?
  package var items: [Item]
  /// When it was put into the inbox.
  package let time: Timestamp

  /// What tells it from every other share, also from one of another program with the same name.
  package let receipt: String
  /// Whether its file is no more than the thing that is shared, as another program puts it there
  /// that knows nothing of shares.
  package var isBare = false

  /// What it is, in a few words.
  package var summary: String {
    let first = items.first.map(\.summary) ?? ""
    return items.count < 2 ? first : "\(first) and \(items.count - 1) more"
  }
}

extension Share.Item {
  /// How many characters of a text a summary shows.
  private static let shown = 60

  /// What it is, in a few words.
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
