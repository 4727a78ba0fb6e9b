import CEL
import Catalog
import Items
import Links
import Program
import Store
import YAML

/// Signs links and verifies signed links with the key of the store.
struct LinkSigning {
  let run: Run

  /// The property values of an item, with a signed link replaced by its URL.
  ///
  /// - Throws: `denied` for an invalid signature, since a saved item would look genuine.
  func opened(
    _ values: [(name: String, value: Value)], of entity: EntityDefinition
  ) throws -> [(name: String, value: Value)] {
    guard let identity = entity.identity?.text, entity.property(identity)?.type.unwrapped == .url,
      let index = values.firstIndex(where: { $0.name == identity }),
      case .string(let text) = values[index].value, text.contains("/w/"),
      LinkSigner.isWrapped(text, base: run.host.linkBase)
    else { return values }
    var values = values
    values[index].value = .string(try unwrap(text).url)
    return values
  }

  /// The signed link of an item; reuses the stored one while key, base and URL are unchanged.
  ///
  /// - Throws: `invalid-value` when the item has no URL, `denied` when the key is lost.
  func wrap(_ item: Item) throws -> String {
    let url = try url(of: item)
    return try translating {
      let signer = try signer()
      let canKeep = item.field("wrappedLink") != nil
      if canKeep, case .string(let stored)? = item.field("wrappedLink"),
        stored.hasPrefix(run.host.linkBase), let kept = try? signer.unwrap(stored),
        kept.url == url.text
      {
        return stored
      }
      let wrapped = try signer.wrap(url, title: Self.title(of: item))
      if canKeep, let reference = item.reference {
        let store = try run.store(for: item.entity)
        _ = try store.items.update(reference, set: [("wrappedLink", .string(wrapped))])
      }
      return wrapped
    }
  }

  /// A link to an item that only one receiver can open.
  ///
  /// - Throws: `invalid-value` for a malformed key, or when the item has no URL.
  func seal(_ item: Item, for receiver: String) throws -> String {
    let url = try url(of: item)
    return try translating {
      try signer().seal(url, title: Self.title(of: item), for: LinkAddress(receiver))
    }
  }

  private func url(of item: Item) throws -> WebURL {
    let names = item.schema.properties.filter { $0.type == .url }.map(\.name)
    let name = item.schema.identity.flatMap { names.contains($0) ? $0 : nil } ?? names.first
    guard let name, case .string(let text)? = item.field(name), let url = try? WebURL(text) else {
      throw RunError(.invalidValue, "\(run.renderer.title(of: item)) has no URL to share")
    }
    return url
  }

  private static func title(of item: Item) -> String? {
    if case .string(let text)? = item.field("title") { text } else { nil }
  }

  /// The content of a signed link.
  ///
  /// - Throws: `denied` for an invalid signature, without details.
  func unwrap(_ text: String) throws -> WrappedLink {
    try translating {
      let store = try run.store()
      guard
        let key = try run.host.linkKey
          ?? keyFile().existingKey(recordedID: try store.signingKeyID())
      else {
        throw RunError(
          .denied, "this wrapped link was not made with this store's key, or it was changed")
      }
      return try LinkSigner(key: key, base: run.host.linkBase).unwrap(text)
    }
  }

  /// The signer; the first use in a store creates the key and records its ID.
  private func signer() throws -> LinkSigner {
    let store = try run.store()
    let recorded = try store.signingKeyID()
    let key = try run.host.linkKey ?? keyFile().keyForSigning(recordedID: recorded)
    if recorded == nil { try store.setSigningKeyID(key.id) }
    return try LinkSigner(key: key, base: run.host.linkBase)
  }

  private func keyFile() throws -> LinkKeyFile {
    guard let path = run.host.keyPath else {
      throw RunError(.denied, "cannot sign links: the location of the key is unknown")
    }
    return LinkKeyFile(path: path)
  }

  private func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try RunError.translating(body)
    } catch let error as LinkError {
      throw RunError(RunError.Code(error.code.rawValue), error.message)
    }
  }
}
