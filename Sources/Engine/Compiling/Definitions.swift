import CEL
import Catalog
import Source

/// What a compiler must know beside the document: other definitions and the expression language.
struct CompilationContext {
  let library: Library
  let environment: CEL.Environment
  /// Whether the types in documents that came with the program are checked again.
  var checksBuiltIns = false

  /// The entity of a name; its own mistakes are reported where it is used.
  func entity(_ name: String, _ collector: DiagnosticCollector) -> EntityDefinition? {
    do throws(Diagnostics) {
      return try library.entity(name)
    } catch {
      collector.report(error.all)
      return nil
    }
  }

  /// The intent or shortcut of a name; its own mistakes are reported where it is called.
  func action(_ name: String, _ collector: DiagnosticCollector) -> ActionDefinition? {
    do throws(Diagnostics) {
      return try library.action(name)
    } catch {
      collector.report(error.all)
      return nil
    }
  }
}
