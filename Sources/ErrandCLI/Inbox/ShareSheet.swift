import Catalog
import Engine
import Inbox
import YAML

/// Asks a person where a share is to go.
struct ShareSheet {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  /// What the person chose; nil when there is nobody to ask, or nothing to choose.
  ///
  /// - Throws: `cancelled` when the person leaves.
  func choose(for draft: ShareDraft) throws -> String? {
    guard invocation.front.canAnswer else { return nil }
    let workspace = try invocation.session().workspace
    let router = ShareRouter(workspace)
    let share = draft.preview
    guard try router.rule(for: share.items, of: share) == nil else { return nil }
    let offers = router.offers(for: share)
    // With nothing of the person's own there is nothing to choose.
    guard offers.count > 1,
      offers.contains(where: { !workspace.library.isBuiltIn(action: $0.name.text) })
    else { return nil }
    let choices = offers.map {
      Question.Choice(title: $0.displayTitle, subtitle: $0.description)
    }
    let question = Question(
      .choice(choices, many: false), key: "to", prompt: "Where to with “\(share.summary)”?")
    guard case .chosen(let chosen) = try invocation.front.ask(question),
      let position = chosen.first, offers.indices.contains(position)
    else { return nil }
    return offers[position].name.text
  }
}
