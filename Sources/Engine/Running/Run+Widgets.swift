package import CEL
import Catalog
import Items

extension Run {
  /// The values of a widget's run: the number of items in the library, or the current activities.
  ///
  /// - Parameters:
  ///   - name: The name with its prefix, such as `widget:tasks`.
  ///   - given: The current activities.
  /// - Throws: `Diagnostics` for an invalid definition, `RunError`.
  package func widgetValues(_ name: String, given: [Value] = []) throws -> [Int: GivenValue] {
    guard let widget = try workspace.catalog.action(name)?.widget else { return [:] }
    switch widget.source {
    case .entity(let entity, let condition):
      var search = Search(entity: entity)
      search.filter = condition
      search.isRelaxed = false
      return [0: .value(.int(Int64(try count(search))))]
    case .activities: return [0: .value(.list(given))]
    case .action, .none: return [:]
    }
  }
}
