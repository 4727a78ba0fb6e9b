package import CEL
package import Catalog
import Source

/// What a compiler must know beside the document: other definitions and the expression language.
package struct CompilationContext {
  package let library: Library
  package let environment: CEL.Environment
  /// The verbs that steps may call.
  package let verbs: VerbTable
  /// Whether the types in documents that came with the program are checked again.
  package let checksBuiltIns: Bool
  /// Whether to look for what is no mistake by the rules, and hardly meant.
  package let findsDoubts: Bool

  /// What compiles the definitions of a library.
  package init(
    library: Library, environment: CEL.Environment, verbs: VerbTable, checksBuiltIns: Bool = false,
    findsDoubts: Bool = false
  ) {
    self.library = library
    self.environment = environment
    self.verbs = verbs
    self.checksBuiltIns = checksBuiltIns
    self.findsDoubts = findsDoubts
  }

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
