import CEL

/// A supported request with its capability and handler.
struct Feature: Sendable {
  /// The method of the request.
  let method: String
  /// The capability announced to the client; nil if there is none.
  let capability: (String, Value)?
  /// The answer to a request.
  let answer: @Sendable (LSPServer, Value) throws(ResponseError) -> Value

  init(
    _ method: String, _ capability: String? = nil, _ value: Value = true,
    answer: @escaping @Sendable (LSPServer, Value) throws(ResponseError) -> Value
  ) {
    self.method = method
    self.capability = capability.map { ($0, value) }
    self.answer = answer
  }

  /// All features; add those of a new file here.
  static var all: [Feature] {
    CompletionFeatures.rows + NameFeatures.rows + SymbolFeatures.rows + TextFeatures.rows
  }
}
