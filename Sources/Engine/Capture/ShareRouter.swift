package import CEL
package import Catalog
package import Inbox
import Items
import Program
import Source
import Store
import YAML

/// Finds the intents and shortcuts that take what was shared.
package struct ShareRouter {
  /// Things that go to one of them together.
  package struct Route {
    package let handler: ActionDefinition
    package var items: [Share.Item]
  }

  let workspace: Workspace

  /// What is shipped for what nobody else takes, in the order in which it is asked.
  private static let shipped = ["keep-link", "keep-note", "keep-file"]

  /// The person's own intents and shortcuts that take shares, by name.
  private let own: [ActionDefinition]

  package init(_ workspace: Workspace) {
    self.workspace = workspace
    own = Self.own(in: workspace.library)
  }

  /// Where the things of a share go.
  ///
  /// - Throws: `ShareRefusal` when nothing takes them.
  package func routes(of share: Share) throws -> [Route] {
    if let name = share.to {
      let handler = try self.handler(named: name, for: share.items)
      return Self.parted([Route(handler: handler, items: share.items)])
    }
    if let handler = try rule(for: share.items, of: share) {
      return [Route(handler: handler, items: share.items)]
    }
    var routes: [Route] = []
    for item in share.items {
      let handler = try rule(for: [item], of: share) ?? usual(for: item)
      let position = routes.firstIndex { $0.handler.name.text == handler.name.text }
      if let position {
        routes[position].items.append(item)
      } else {
        routes.append(Route(handler: handler, items: [item]))
      }
    }
    return Self.parted(routes)
  }

  /// What takes all of a share, the person's own first.
  package func offers(for share: Share) -> [ActionDefinition] {
    let items = share.items
    let offered = own.filter { handler in
      guard Self.accepts(handler, items) else { return false }
      guard let filter = handler.accepts?.filter else { return true }
      return items.allSatisfy { holds(filter, $0, share) }
    }
    let names = Set(offered.map(\.name.text))
    return offered
      + Self.shipped.filter { !names.contains($0) }.compactMap { name in
        (try? workspace.library.action(name)).flatMap { Self.accepts($0, items) ? $0 : nil }
      }
  }

  /// What the person named for some things.
  ///
  /// - Throws: `ShareRefusal`.
  package func handler(named name: String, for items: [Share.Item]) throws -> ActionDefinition {
    let library = workspace.library
    guard let handler = try? library.action(name), let accepts = handler.accepts else {
      let isThere = library.place(ofAction: name) != nil
      throw ShareRefusal(
        isThere ? "`\(name)` takes no shares" : "there is no intent or shortcut `\(name)`",
        help: isThere
          ? "give it `accepts: {types: […]}`"
          : Suggestion.help(for: name, in: own.map(\.name.text) + Self.shipped))
    }
    switch library.place(ofAction: name)?.layer {
    case .builtIn?, .user?: break
    default:
      throw ShareRefusal(
        "`\(name)` is not among your own definitions, so it takes no shares",
        help: "put it into the folder of your own definitions")
    }
    if let item = items.first(where: { item in !accepts.types.contains(where: item.fits) }) {
      throw ShareRefusal(
        "`\(name)` takes \(accepts.types.joined(separator: ", ")), and this is "
          + (item.kind == .file ? item.mediaType : item.kind.rawValue))
    }
    return handler
  }

  /// The first of the person's own whose `where` holds for all of some things; nil when there is
  /// none.
  package func rule(for items: [Share.Item], of share: Share) throws -> ActionDefinition? {
    for handler in own where Self.accepts(handler, items) {
      guard let filter = handler.accepts?.filter else { continue }
      if items.allSatisfy({ holds(filter, $0, share) }) { return handler }
    }
    return nil
  }

  private func usual(for item: Share.Item) throws -> ActionDefinition {
    for name in Self.shipped {
      if let handler = try? workspace.library.action(name), Self.accepts(handler, [item]) {
        return handler
      }
    }
    throw ShareRefusal("nothing here takes it", remedy: .nameHandler)
  }

  private static func own(in library: Library) -> [ActionDefinition] {
    library.addedActionNames.compactMap { name in
      // Most say nothing of it, and need not be read.
      guard library.place(ofAction: name)?.layer == .user,
        library.source(of: name)?.contains("accepts") == true,
        let action = try? library.action(name), action.accepts != nil
      else { return nil }
      return action
    }
  }

  private static func accepts(_ handler: ActionDefinition, _ items: [Share.Item]) -> Bool {
    guard let accepts = handler.accepts, items.count <= accepts.max else { return false }
    return items.allSatisfy { item in accepts.types.contains(where: item.fits) }
  }

  /// Whether a condition holds; one that can't be told does not.
  private func holds(_ filter: ExpressionSource, _ item: Share.Item, _ share: Share) -> Bool {
    let condition = try? workspace.condition(filter, over: .share(slot: 0))
    let value = item.value(in: share, path: nil)
    return (try? condition?.evaluate(Frame([value]))) == .bool(true)
  }

  /// Routes of no more things than their handlers take at once.
  private static func parted(_ routes: [Route]) -> [Route] {
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
  /// What a handler was given of a thing.
  init(_ value: Value) {
    var kind = Share.Kind.file
    var mediaType = ""
    if case .map(let map) = value {
      if case .string(let text)? = map["kind"] { kind = Share.Kind(rawValue: text) ?? .file }
      if case .string(let text)? = map["mediaType"] { mediaType = text }
    }
    self.init(kind: kind, mediaType: mediaType, size: 0)
  }

  /// What a handler is given of it.
  ///
  /// A file that came with a text or an address, such as an attachment, goes by its own name: what
  /// the share is called is the title of the text.
  func value(in share: Share, path: String?) -> Value {
    let isFile = kind == .image || kind == .file
    let isCompanion =
      isFile && name != nil && share.items.contains { $0.kind == .text || $0.kind == .url }
    let title = isCompanion ? nil : share.title
    let fields: [(String, String?)] = [
      ("kind", kind.rawValue), ("url", url), ("text", path == nil ? text : nil),
      ("title", title), ("path", path), ("name", name), ("mediaType", mediaType),
      ("from", share.from),
    ]
    return SharedValue.make(
      MapValue(fields.map { ($0.0, $0.1.map(Value.string) ?? .null) })) ?? .null
  }
}

extension Share {
  /// The things in it, as a handler would be given them, but for where their bytes lie.
  package var values: [Value] { items.map { $0.value(in: self, path: nil) } }
}

/// An automation that is set off by what is shared.
struct ShareAutomation {
  let name: String
  let action: CompiledAction
  let trigger: CompiledTrigger

  /// The job that something sets off.
  func job(of shared: Value, key: String, at time: Timestamp, in run: Run) throws -> NewJob {
    let value = trigger.value(time: .timestamp(time), item: shared)
    var job = NewJob(
      handler: name, input: try run.jobText(of: value), key: "\(key) \(trigger.key)",
      requires: action.definition.automation?.requires ?? [], origin: "automation \(name)")
    job.chain = [name]
    job.isExclusive = action.definition.runMode == .single
    if let retry = action.jobRetry { job.retry = try run.jobRetry(of: retry) }
    return job
  }
}

extension ShareRouter {
  /// The automations of the person's own that a share sets off, with what sets each off.
  func automations(for share: Share) -> [(automation: ShareAutomation, item: Share.Item)] {
    let library = workspace.library
    var found: [(automation: ShareAutomation, item: Share.Item)] = []
    for name in library.addedActionNames {
      guard let place = library.place(ofAction: name), place.layer == .user,
        place.kind == .automation, library.source(of: name)?.contains("share") == true,
        let action = try? workspace.automation(name),
        action.definition.automation?.isEnabled == true
      else { continue }
      for trigger in action.triggers {
        guard case .share(let types) = trigger.event else { continue }
        for item in share.items where types.contains(where: item.fits) {
          found.append((ShareAutomation(name: name, action: action, trigger: trigger), item))
        }
      }
    }
    return found
  }
}

/// Why a share stays in the inbox.
package struct ShareRefusal: Error, Sendable {
  /// In a sentence without a full stop.
  package let reason: String
  /// What to do about it.
  package let remedy: Remedy?
  /// Whether it is over by itself before long.
  package let isPassing: Bool

  init(_ reason: String, remedy: Remedy?, isPassing: Bool = false) {
    self.reason = reason
    self.remedy = remedy
    self.isPassing = isPassing
  }

  /// A refusal with advice that reads the same everywhere.
  init(_ reason: String, help: String? = nil, isPassing: Bool = false) {
    self.init(reason, remedy: help.map(Remedy.advice), isPassing: isPassing)
  }

  /// The refusal of a bare file that is not whole yet.
  static let stillWritten = ShareRefusal(
    "another program is writing it", help: "give it another name once it is whole",
    isPassing: true)
}
