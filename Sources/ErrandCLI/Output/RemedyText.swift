import Engine
import Program

/// Words the remedies of errors for the command line, where flags and commands supply what is missing.
enum RemedyText {
  /// The advice, without a full stop; it may have several lines.
  static func text(of remedy: Remedy) -> String {
    switch remedy {
    case .advice(let text): text
    case .answer(let key): "give it with --answer \(key.quotedForShell)=…"
    case .agree: "give it with --yes"
    case .parameter(let name, let action, let isPrimary):
      isPrimary
        ? "errand \(action) \(name.uppercased())" : "give it with --\(name.flagName) …"
    case .callParameter(let name):
      "give it with --answer \(name)=…, or in the step that calls it"
    case .choose(let references):
      "give one of these references:\n" + references.joined(separator: "\n")
    case .list(let entity): "`errand find \(entity)` lists what there is"
    case .save(let url): "save it first: errand save \(url)"
    case .raiseLimit(let limit): "give --\(limit.rawValue) N for more"
    }
  }
}
