import ErrandKit
import Glibc
import Inbox
import Links
import POSIX
import Synchronization

/// The bodies of shares by `Idempotency-Key`, as hashes in files.
final class ShareKeys: Sendable {
  private let folder: String
  /// Held while a share with a key is stored, so that two with the same key are compared.
  private let storing = Mutex(())

  /// The age in seconds at which a key is forgotten.
  private static let retention = 7 * 86_400

  /// Removes old keys.
  init(folder: String) {
    self.folder = folder
    for name in Folder.names(in: folder) ?? [] {
      if let status = stat.at("\(folder)/\(name)"),
        time(nil) - status.st_mtim.tv_sec > Self.retention
      {
        unlink("\(folder)/\(name)")
      }
    }
  }

  /// Stores a share once.
  ///
  /// - Parameters:
  ///   - key: The hash of token and key.
  ///   - hash: The hash of the body.
  /// - Throws: A problem if there was another body with this key; rethrows errors of `store`.
  func once(_ key: String, hash: String, _ store: () throws -> Void) throws {
    try storing.withLock { _ in
      let path = "\(folder)/\(key)"
      if let known = try? FileReader.bytes(of: path, limit: 1024) {
        guard known == Array(hash.utf8) else {
          throw Problem(
            422, "conflict", "there was another share with this Idempotency-Key",
            help: "use a new key for each share")
        }
        return
      }
      // After a crash in between, the share is stored again under the same name.
      try store()
      guard PrivateFile(path: path).replace(Array(hash.utf8), isDurable: true) else {
        throw Problem(500, "io", "the key cannot be stored")
      }
    }
  }
}

extension Resources {
  /// A share, from one of the accepted bodies.
  private struct Incoming {
    var items: [SharedItem] = []
    var title: String?
    var handler: String?
    var details = ShareDetails()
    /// Holds the files until they are copied.
    var form: MultipartForm?

    /// Whether a file, an address or a text that is not blank is shared.
    var hasContent: Bool {
      items.contains { item in
        switch item {
        case .text(let text), .url(let text): !text.allSatisfy(\.isWhitespace)
        default: true
        }
      }
    }

    mutating func set(_ name: String, _ text: String) throws {
      switch name {
      case "url": items.append(.url(text))
      case "text": items.append(.text(text))
      case "title": title = text
      case "to": handler = text
      case "note": details.note = text
      case "reading": details.reading = text
      case "sender": details.sender = text
      case "conversation": details.conversation = text
      case "tags":
        details.tags += text.split(separator: ",").map {
          $0.split(separator: " ").joined(separator: " ")
        }
      default:
        throw Problem(
          422, "invalid-value", "unknown field `\(name)`",
          help: "the fields are url, text, title, tags, note, reading, sender, conversation and to")
      }
    }
  }

  func share(_ context: WorkerContext) throws -> Response {
    let incoming = try incoming()
    // A handler by name could be any of the person's intents.
    if incoming.handler != nil, token.scope != .all {
      throw Problem(403, "not-allowed", "only a token with the scope `all` can choose with `to`")
    }
    guard incoming.hasContent else {
      throw Problem(422, "invalid-value", "there is nothing to share")
    }
    for file in incoming.form?.files ?? [] {
      let size = stat.at(file.path)?.st_size ?? 0
      guard size > 0 else {
        throw Problem(
          422, "invalid-value", "the file “\(file.path.split(separator: "/").last ?? "")” is empty")
      }
      guard size <= ShareLimits.itemBytes else {
        throw Problem(
          413, "invalid-value",
          "the file has \(size >> 20) MiB; the limit is \(ShareLimits.itemBytes >> 20) MiB")
      }
    }
    let errand = try context.errand()
    func store(_ name: String?) throws -> String {
      try errand.share(
        incoming.items, title: incoming.title, from: token.name, for: incoming.handler, named: name,
        incoming.details)
    }
    let name: String
    if let key = head.header("idempotency-key") {
      guard key.utf8.count <= 256 else {
        throw Problem(422, "invalid-value", "the Idempotency-Key is longer than 256 bytes")
      }
      name = SHA256.hex(of: "\(token.id) \(key)")
      try shareKeys.once(name, hash: try incoming.form?.hash() ?? bodyHash()) {
        _ = try store(name)
      }
    } else {
      name = try store(nil)
    }
    return Response(json: ["share": .string(name)], status: 202)
  }

  private func bodyHash() throws -> String {
    var stream = SHA256.Stream()
    try body.withBytes { bytes in
      for start in Swift.stride(from: 0, to: bytes.count, by: 1 << 16) {
        stream.add(Array(bytes[start..<min(start + 1 << 16, bytes.count)]))
      }
    }
    return stream.finish().hexadecimal
  }

  private func incoming() throws -> Incoming {
    var incoming = Incoming()
    switch head.mediaType {
    case "application/json":
      for (name, value) in try body.object().sorted(by: { $0.key < $1.key }) {
        let texts = name == "tags" ? value.array?.map(\.string) : nil
        guard let text = value.string ?? texts?.compactMap({ $0 }).joined(separator: ",") else {
          throw Problem(422, "invalid-value", "`\(name)` must be a text")
        }
        try incoming.set(name, text)
      }
    case "text/plain": incoming.items = [.text(try body.text())]
    case "multipart/form-data":
      let form = try MultipartForm(
        body, contentType: head.header("content-type") ?? "", in: folder)
      for (name, text) in form.fields { try incoming.set(name, text) }
      incoming.items += form.files.map { .file($0.path) }
      incoming.form = form
    default:
      throw Problem(
        415, "invalid-value",
        "the body must be application/json, text/plain or multipart/form-data")
    }
    return incoming
  }
}
