package import CEL
package import Source

extension Diagnostic {
  /// The finding for machine-readable output.
  package var value: Value {
    .record(
      ["id": id, "severity": severity.rawValue, "message": message, "help": help],
      span.map { span in
        let end = span.file.position(of: span.range.upperBound)
        return [
          "file": span.file.name, "line": span.position.line, "column": span.position.column,
          "endLine": end.line, "endColumn": end.column,
        ]
      } ?? [:])
  }
}
