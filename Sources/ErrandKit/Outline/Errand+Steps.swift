import Catalog

extension Errand {
  /// The steps of an intent or a shortcut as a person reads them; empty for other definitions.
  package func steps(of name: String) -> [StepOutline] {
    ((try? catalog.action(name)) ?? nil).map(StepOutline.steps) ?? []
  }
}
