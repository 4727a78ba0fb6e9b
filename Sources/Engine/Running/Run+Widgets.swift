package import CEL
import Catalog
import Items

extension Run {
  /// The values of a widget's run: the number of items in the library, or what is given.
  ///
  /// - Parameters:
  ///   - name: The name with its prefix, such as `widget:tasks`.
  ///   - given: What it shows that is not in the library.
  /// - Throws: `Diagnostics` for an invalid definition, `RunError`.
  package func widgetValues(_ name: String, given: [Value] = []) throws -> [Int: GivenValue] {
    guard let widget = try workspace.catalog.action(name)?.widget else { return [:] }
    switch widget.source {
    case .entity(let entity, let condition):
      var search = Search(entity: entity)
      search.filter = condition
      return [0: .value(.int(Int64(try count(search))))]
    case .given: return [0: .value(.list(given))]
    case .action, .none: return [:]
    }
  }
}
