/// A completion.
package struct CompletionItem: Sendable {
  /// The kinds of completions.
  package enum Kind: Sendable {
    case key, verb, block, action, entity, argument, parameter, property, value, type, function,
      macro, variable
  }

  /// A subject whose help is made on demand.
  package enum Subject: Hashable, Sendable {
    case verb(String)
    case function(String)
    case definition(String)
  }

  package let label: String
  package let kind: Kind
  /// The type or the form, on one line.
  package var detail: String?
  /// Help in Markdown; nil if it is made on demand or missing.
  package var help: String?
  package var subject: Subject?
  /// The inserted text.
  package var insert: String
  /// The inserted text with the cursor at `$0`; nil if it is at the end.
  package var snippet: String?
  /// Sort group, the most relevant first.
  package var group = 1

  init(_ label: String, _ kind: Kind) {
    self.label = label
    self.kind = kind
    insert = label
  }
}
