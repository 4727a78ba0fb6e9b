import CEL
import Catalog
import Inbox
import Items
import Program
import Store

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
