import Catalog
import Engine
import ErrandKit
import Inbox
import YAML

extension Invocation {
  /// Path of the store; shares and files are stored next to it.
  ///
  /// - Throws: `UsageError` for a store in memory or without a home folder.
  func inboxBase() throws -> String {
    let path = try storePath().expected(
      "cannot find the inbox: HOME is not set",
      help: "set HOME, or give the store with --store PATH")
    guard path != ":memory:" else { throw UsageError("a store in memory has no inbox") }
    return path
  }

  /// The folder of shares waiting for this store.
  func inbox() throws -> InboxFolder {
    InboxFolder(besideStore: try inboxBase(), vault: places?.vault)
  }

  /// Seals the shares that wait in clear although there is a vault; returns their number.
  ///
  /// None while another process has the lock of the inbox: if it imports, it seals them.
  @discardableResult
  func sealShares() throws -> Int {
    let inbox = try inbox()
    guard inbox.isThere, inbox.vault?.exists == true, let lock = try InboxLock(inbox) else {
      return 0
    }
    return try withExtendedLifetime(lock) { try inbox.sealClearShares(at: SystemHost.now()) }
  }

  /// Asks where a share should go; nil if no one can answer or there is no choice.
  ///
  /// - Throws: `cancelled` if the person leaves.
  func chooseHandler(of newShare: NewShare) throws -> String? {
    guard front.canAnswer else { return nil }
    let workspace = try openRun().workspace
    let router = ShareRouter(workspace)
    let share = newShare.preview
    guard try router.rule(for: share.items, of: share) == nil else { return nil }
    let offers = router.offers(for: share)
    // Without own handlers there is no choice.
    guard offers.count > 1,
      offers.contains(where: { !workspace.catalog.isBuiltIn($0.name.text) })
    else { return nil }
    let choices = offers.map {
      Question.Choice(title: $0.displayTitle, subtitle: $0.description)
    }
    let question = Question(
      .choice(choices, many: false), key: "to", prompt: "Where should “\(share.summary)” go?")
    guard case .chosen(let chosen) = try front.ask(question),
      let position = chosen.first, offers.indices.contains(position)
    else { return nil }
    return offers[position].name.text
  }
}
