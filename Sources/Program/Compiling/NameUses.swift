import Catalog
import Source
import YAML

/// Which of the names that a document declares are used by something in it.
final class NameUses {
  private var declared: [(slot: Int, name: Scalar, kind: Binding.Kind)] = []
  private var used: Set<Int> = []

  /// Notes that a name was declared.
  func declare(_ name: Scalar, _ kind: Binding.Kind, slot: Int) {
    declared.append((slot, name, kind))
  }

  /// Notes that what stands in a slot is used.
  func use(_ slot: Int) {
    used.insert(slot)
  }

  /// A warning for each name that nothing uses.
  ///
  /// Loops need a variable, and the input of a shortcut is `it` as well.
  var warnings: [Diagnostic] {
    declared.compactMap { slot, name, kind in
      guard !used.contains(slot), !["input", "trigger"].contains(name.text) else { return nil }
      let help: String
      switch kind {
      case .loop: return nil
      case .parameter: help = "take it out, or use it as `{{ \(name.text) }}`"
      case .result: help = "take `as: \(name.text)` out, or use it as `{{ \(name.text) }}`"
      case .variable: help = "take it out, or use it as `{{ \(name.text) }}`"
      }
      return Diagnostic(
        "W205", "`\(name.text)` is never used", at: name.span, help: help, severity: .warning)
    }
  }
}
