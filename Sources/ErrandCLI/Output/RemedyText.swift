import Engine
import Program
import Store

/// Formats remedies as advice in terms of flags and commands.
enum RemedyText {
  /// Returns the advice without a full stop; it may have several lines.
  static func text(of remedy: Remedy) -> String {
    switch remedy {
    case .advice(let text): text
    case .answer(let key): "answer it with --answer \(key.quotedForShell)=…"
    case .agree: "confirm with --yes"
    case .parameter(let name, let action, let isPrimary):
      isPrimary
        ? "errand \(action) \(name.uppercased()), or - in its place to read standard input"
        : "use --\(name.flagName) …"
    case .callParameter(let name):
      "use --answer \(name)=…, or set it in the step that calls it"
    case .choose(let references):
      "give one of these references:\n" + references.joined(separator: "\n")
    case .list(let entity, let words): "`errand find \(entity)` lists \(words)"
    case .save(let url): "save it first: errand save \(url)"
    case .store(let remedy): text(of: remedy)
    case .allow(let grants): "allow it with --allow \(grants.joined(separator: ",").quotedForShell)"
    case .cancelRun(let run): "wait until it ends, or cancel it with `errand cancel \(run)`"
    case .allowEnqueuer(let grants):
      "run what enqueued it again with --allow " + grants.joined(separator: ",")
    case .startAnew: "start it over with `errand retry RUN --from-start`"
    case .nameHandler: "choose one with --to NAME"
    case .discardShare: "`errand inbox discard` removes it"
    case .installNetwork: "install errand-net beside errand"
    case .raiseSteps: "raise the limit with --max-steps N"
    }
  }

  /// Returns the advice for a store failure.
  static func text(of remedy: StoreRemedy) -> String {
    switch remedy {
    case .rescue: "`errand doctor --rescue FILE` copies everything readable"
    case .repair: "`errand doctor --repair` repairs it"
    case .otherFile: "use another file with --store"
    case .otherFileOrRescue:
      "name another file with --store, or, if it was a store, save what can be read with "
        + "`errand doctor --rescue FILE`"
    case .makeWritable:
      "make the file and its folder writable, or use another one with --store"
    case .resolveConflict:
      "update it, or choose keep, merge, update or replace with --on-conflict (in a step "
        + "`onConflict`)"
    case .otherPlace: "choose another place with --store"
    }
  }
}
