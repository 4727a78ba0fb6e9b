package import Items

/// How the type of a verb's value follows from its arguments.
package struct ResultType: Sendable {
  /// The type for a call; nil where it is not known before the run.
  package let of: @Sendable (VerbCall) -> DataType?

  /// The type that a function gives for a call.
  package init(_ of: @escaping @Sendable (VerbCall) -> DataType?) {
    self.of = of
  }

  /// Always the same type.
  package static func fixed(_ type: DataType) -> ResultType { ResultType { _ in type } }

  /// Known only when the step runs.
  package static let unknown = ResultType { _ in nil }
}
