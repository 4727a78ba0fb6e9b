package import CEL
package import Catalog
package import Inbox
import Items
import Program
import Source
import Store
import YAML

/// Chooses the intents and shortcuts that handle shared items.
package struct ShareRouter {
  /// Items that go to one handler together.
  package struct Route {
    package let handler: ActionDefinition
    package var items: [Share.Item]
  }

  let workspace: Workspace

  /// The built-in fallback handlers, in order of priority.
  private static let builtIn = ["keep-link", "keep-note", "keep-file"]

  /// The built-in handler of shares sent by other people.
  private static let shelf = "shelve"

  /// The user's own intents and shortcuts that accept shares, by name.
  private let own: [ActionDefinition]

  package init(_ workspace: Workspace) {
    self.workspace = workspace
    own = Self.own(in: workspace.catalog)
  }

  /// The handlers for the items of a share.
  ///
  /// - Throws: `ShareRefusal` when no handler accepts them.
  package func routes(of share: Share) throws -> [Route] {
    if let name = share.to {
      let handler = try self.handler(named: name, for: share.items)
      return Self.split([Route(handler: handler, items: share.items)])
    }
    if let handler = try rule(for: share.items, of: share) {
      return [Route(handler: handler, items: share.items)]
    }
    var routes: [Route] = []
    for item in share.items {
      let handler = try rule(for: [item], of: share) ?? fallback(for: item, of: share)
      let position = routes.firstIndex { $0.handler.name.text == handler.name.text }
      if let position {
        routes[position].items.append(item)
      } else {
        routes.append(Route(handler: handler, items: [item]))
      }
    }
    return Self.split(routes)
  }

  /// The handlers that accept all items of a share, the user's own first.
  package func offers(for share: Share) -> [ActionDefinition] {
    let items = share.items
    let offered = own.filter { handler in
      guard Self.accepts(handler, items) else { return false }
      guard let filter = handler.accepts?.filter else { return true }
      return items.allSatisfy { holds(filter, $0, share) }
    }
    let names = Set(offered.map(\.name.text))
    return offered + builtIn(for: items).filter { !names.contains($0.name.text) }
  }

  /// The built-in handlers that accept some items.
  private func builtIn(for items: [Share.Item]) -> [ActionDefinition] {
    Self.builtIn.compactMap { try? workspace.catalog.action($0) }.filter { Self.accepts($0, items) }
  }

  /// The handler with a name, if it accepts some items.
  ///
  /// - Throws: `ShareRefusal`.
  package func handler(named name: String, for items: [Share.Item]) throws -> ActionDefinition {
    let catalog = workspace.catalog
    guard let handler = try? catalog.action(name), let accepts = handler.accepts else {
      let isThere = catalog.place(ofAction: name) != nil
      throw ShareRefusal(
        isThere ? "`\(name)` does not accept shares" : "there is no intent or shortcut `\(name)`",
        help: isThere
          ? "add `accepts: {types: […]}` to it"
          : Suggestion.help(for: name, in: own.map(\.name.text) + Self.builtIn))
    }
    if catalog.isForeign(action: name) {
      throw ShareRefusal(
        "`\(name)` is not in your own definitions, so it cannot accept shares",
        help: "put it into the folder of your own definitions")
    }
    if let item = items.first(where: { item in !accepts.types.contains(where: item.fits) }) {
      throw ShareRefusal(
        "`\(name)` accepts \(accepts.types.joined(separator: ", ")), not "
          + (item.kind == .file ? item.mediaType : item.kind.rawValue))
    }
    return handler
  }

  /// The user's first handler whose `where` holds for all items; nil for none.
  package func rule(for items: [Share.Item], of share: Share) throws -> ActionDefinition? {
    for handler in own where Self.accepts(handler, items) {
      guard let filter = handler.accepts?.filter else { continue }
      if items.allSatisfy({ holds(filter, $0, share) }) { return handler }
    }
    return nil
  }

  /// Whether a definition of the user handles an item of a share, by its `where` or as a file of mails.
  func hasRule(for share: Share) -> Bool {
    let types = ContentSignature.mailTypes.union(["message/*"])
    return share.items.contains { item in
      (try? rule(for: [item], of: share)) ?? nil != nil
        || own.contains {
          Self.accepts($0, [item]) && !types.isDisjoint(with: $0.accepts?.types ?? [])
        }
    }
      || automations(for: share).contains {
        if case .share(let accepted) = $0.trigger.event {
          !types.isDisjoint(with: accepted)
        } else {
          false
        }
      }
  }

  private func fallback(for item: Share.Item, of share: Share) throws -> ActionDefinition {
    // A share sent by another person waits on the shelf until the user keeps it.
    let isSent = share.details.sender != nil || share.details.conversation != nil
    if isSent, let shelve = try? workspace.catalog.action(Self.shelf),
      Self.accepts(shelve, [item])
    {
      return shelve
    }
    if let handler = builtIn(for: [item]).first { return handler }
    throw ShareRefusal("no intent or shortcut accepts this type", remedy: .nameHandler)
  }

  private static func own(in catalog: DefinitionCatalog) -> [ActionDefinition] {
    catalog.addedActionNames.compactMap { name in
      // Skip parsing of definitions that do not mention `accepts`.
      guard catalog.place(ofAction: name)?.layer == .user,
        catalog.source(of: name)?.contains("accepts") == true,
        let action = try? catalog.action(name), action.accepts != nil
      else { return nil }
      return action
    }
  }

  private static func accepts(_ handler: ActionDefinition, _ items: [Share.Item]) -> Bool {
    guard let accepts = handler.accepts, items.count <= accepts.max else { return false }
    return items.allSatisfy { item in accepts.types.contains(where: item.fits) }
  }

  /// Whether a condition holds; one that fails does not.
  private func holds(_ filter: ExpressionSource, _ item: Share.Item, _ share: Share) -> Bool {
    let condition = try? workspace.condition(filter, over: .share(slot: 0))
    let value = item.value(in: share, path: nil)
    return (try? condition?.evaluate(Frame([value]))) == .bool(true)
  }

  /// Routes split to the maximum number of items of each handler.
  private static func split(_ routes: [Route]) -> [Route] {
    routes.flatMap { route -> [Route] in
      let most = max(1, route.handler.accepts?.max ?? 1)
      return stride(from: 0, to: route.items.count, by: most).map { start in
        Route(
          handler: route.handler,
          items: Array(route.items[start..<min(start + most, route.items.count)]))
      }
    }
  }
}

extension Share.Item {
  /// The item for the input value of a handler.
  init(_ value: Value) {
    let map = value.asMap
    let kind = (map?["kind"]?.asText).flatMap(Share.Kind.init) ?? .file
    self.init(kind: kind, mediaType: map?["mediaType"]?.asText ?? "", size: 0)
  }

  /// The input value for a handler.
  ///
  /// A file that accompanies a text or a URL, such as an attachment, keeps its own name: the title
  /// of the share is that of the text.
  func value(in share: Share, path: String?) -> Value {
    let isFile = kind == .image || kind == .file
    let isCompanion =
      isFile && name != nil && share.items.contains { $0.kind == .text || $0.kind == .url }
    let title = isCompanion ? nil : share.title
    let fields: [(String, String?)] = [
      ("kind", kind.rawValue), ("url", url), ("text", path == nil ? text : nil),
      ("title", title), ("path", path), ("name", name), ("mediaType", mediaType),
      ("from", share.from), ("note", share.details.note), ("reading", share.details.reading),
      ("sender", share.details.sender), ("conversation", share.details.conversation),
    ]
    let tags = ("tags", Value.list(share.details.tags.map(Value.string)))
    return SharedValue.make(MapValue(fields.map { ($0.0, .text($0.1)) } + [tags])) ?? .null
  }
}

extension Share {
  /// The items as input values, without the paths of their content.
  package var values: [Value] { items.map { $0.value(in: self, path: nil) } }
}

extension ShareRouter {
  /// The user's automations triggered by a share, with trigger and item.
  func automations(
    for share: Share
  ) -> [(action: CompiledAction, trigger: CompiledTrigger, item: Share.Item)] {
    let catalog = workspace.catalog
    var found: [(action: CompiledAction, trigger: CompiledTrigger, item: Share.Item)] = []
    for name in catalog.addedActionNames {
      guard let place = catalog.place(ofAction: name), place.layer == .user,
        place.kind == .automation, catalog.source(of: name)?.contains("share") == true,
        let action = try? workspace.automation(name),
        action.definition.automation?.isEnabled == true
      else { continue }
      for trigger in action.triggers {
        guard case .share(let types) = trigger.event else { continue }
        for item in share.items where types.contains(where: item.fits) {
          found.append((action, trigger, item))
        }
      }
    }
    return found
  }
}

/// The reason why a share stays in the inbox.
package struct ShareRefusal: Error, Sendable {
  /// A sentence without a full stop.
  package let reason: String
  /// The advice on how to fix it.
  package let remedy: Remedy?
  /// Whether the condition is temporary.
  package let isPassing: Bool

  /// A refusal with a remedy or with plain advice.
  init(
    _ reason: String, help: String? = nil, remedy: Remedy? = nil, isPassing: Bool = false
  ) {
    self.reason = reason
    self.remedy = remedy ?? help.map(Remedy.advice)
    self.isPassing = isPassing
  }

  /// The refusal of a file that is still being written.
  static let stillWritten = ShareRefusal(
    "another program is still writing it", help: "rename it once it is complete",
    isPassing: true)
}
