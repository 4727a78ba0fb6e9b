package import CEL
package import Catalog
import Source

extension DefinitionCatalog {
  /// Returns summaries of all definitions of a kind, by name; an unreadable one says so in its
  /// description.
  package func summaries(of kind: Definition.Kind) -> [Errand.DefinitionSummary] {
    if kind == .entity {
      return entityNames.map { name in
        .init(
          kind, name, (try? entity(name))?.description, layer: layer(ofEntity: name) ?? .builtIn)
      }
    }
    if kind == .widget {
      return widgetNames.map { name in
        let full = WidgetDefinition.prefix + name
        return .init(
          kind, name, (try? action(full))?.description,
          layer: place(ofAction: full)?.layer ?? .builtIn)
      }
    }
    return actionNames.compactMap { name in
      guard let place = place(ofAction: name), place.kind == kind else { return nil }
      do throws(Diagnostics) {
        let definition = try action(name)
        return .init(kind, name, definition?.description ?? definition?.title, layer: place.layer)
      } catch {
        return .init(
          kind, name, "(cannot be read: \(error.all.first?.message ?? ""))", layer: place.layer)
      }
    }
  }
}

extension Errand.DefinitionSummary {
  init(
    _ kind: Definition.Kind, _ name: String, _ description: String?,
    layer: DefinitionCatalog.Layer
  ) {
    self.kind = kind.rawValue
    self.name = name
    self.description = description ?? ""
    origin = layer.displayName
  }

  /// The summary as a record for machine-readable output.
  package var value: Value {
    .record(["kind": kind, "name": name, "description": description, "layer": origin])
  }
}
