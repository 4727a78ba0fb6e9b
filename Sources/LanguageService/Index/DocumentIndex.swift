import CEL
package import Catalog
package import Program
package import Source
package import YAML

/// An analysed file: its documents, the role of each scalar, and its expressions with their scopes.
///
/// All parts are computed lazily. Not thread-safe.
package final class DocumentIndex {
  package let file: SourceFile
  /// The catalog, verbs and functions.
  package let context: CompilationContext
  private let tracing: CompilationContext

  /// Creates an index of a file in the context's catalog.
  package init(_ file: SourceFile, _ context: CompilationContext) {
    self.file = file
    self.context = context
    var tracing = context
    tracing.trace = CompilationTrace()
    self.tracing = tracing
  }

  /// Root nodes of the documents that parse.
  package private(set) lazy var roots: [Node] = DocumentSlice.split(file).compactMap {
    try? $0.parse()
  }

  /// All scalars with their roles, in text order except for aliases.
  package private(set) lazy var sites: [Site] = {
    var walker = RoleWalker(context)
    for root in roots { walker.walk(root: root) }
    return walker.sites
  }()

  /// Expressions with their scopes.
  package private(set) lazy var expressions: [CompilationTrace.Expression] = {
    trace.expressions.filter { $0.source.scalar.span.file === file }
  }()

  /// The trace of compiling the file's definitions.
  private(set) lazy var trace: CompilationTrace = {
    let collector = DiagnosticCollector()
    for (kind, name) in context.catalog.definitions(in: file) {
      if kind == .entity {
        let entity = (try? context.catalog.entity(name)) ?? context.catalog.partialEntity(name)
        if let entity { _ = EntityCompiler(tracing, collector).compile(entity) }
      } else {
        let action = (try? context.catalog.action(name)) ?? context.catalog.partialAction(name)
        if let action {
          var compiler = ActionCompiler(tracing, collector)
          _ = compiler.compile(action)
        }
      }
    }
    return tracing.trace ?? CompilationTrace()
  }()

  /// All declarations and uses of names.
  package private(set) lazy var occurrences: [Occurrence] = findOccurrences()

  /// The site at a byte offset; the ends of a scalar belong to it.
  package func site(at offset: Int) -> Site? {
    sites.last { $0.scalar.span.range.touches(offset) }
  }

  /// The expression at a byte offset, with the offset in its text.
  package func expression(at offset: Int) -> (expression: CompilationTrace.Expression, offset: Int)?
  {
    let found = expressions.last { $0.source.span.range.touches(offset) }
    return found.map { ($0, $0.source.offset(at: offset)) }
  }
}

extension Range<Int> {
  /// Whether an offset lies in the range, or at its end.
  func touches(_ offset: Int) -> Bool { lowerBound <= offset && offset <= upperBound }
}

extension ExpressionSource {
  /// The offset in the expression's text of a place in its file.
  ///
  /// - Complexity: O(length).
  package func offset(at place: Int) -> Int {
    let count = text.utf8.count
    return (0..<count).first { span(of: $0..<$0).range.lowerBound >= place } ?? count
  }
}
