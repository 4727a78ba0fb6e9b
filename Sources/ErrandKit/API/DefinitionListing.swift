package import CEL
package import Catalog
import Source

/// The definitions in reach, as a list shows them.
package struct DefinitionListing {
  package struct Row {
    package let kind: Definition.Kind
    package let name: String
    package let description: String
    package let layer: Library.Layer

    package var value: Value {
      .map(
        MapValue([
          ("kind", .string(kind.rawValue)), ("name", .string(name)),
          ("description", .string(description)), ("layer", .string(layer.displayName)),
        ]))
    }
  }

  private let library: Library

  package init(_ library: Library) {
    self.library = library
  }

  /// The definitions of a kind by name; one that can't be read says so.
  package func rows(of kind: Definition.Kind) -> [Row] {
    if kind == .entity {
      return library.entityNames.map { name in
        let text = (try? library.entity(name))?.description
        return Row(
          kind: kind, name: name, description: text ?? "",
          layer: library.layer(ofEntity: name) ?? .builtIn)
      }
    }
    return library.actionNames.compactMap { name in
      guard let place = library.place(ofAction: name), place.kind == kind else { return nil }
      var text: String
      do throws(Diagnostics) {
        let definition = try library.action(name)
        text = definition?.description ?? definition?.title ?? ""
      } catch {
        text = "(can't be read: \(error.all.first?.message ?? ""))"
      }
      return Row(kind: kind, name: name, description: text, layer: place.layer)
    }
  }
}
