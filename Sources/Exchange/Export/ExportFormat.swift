/// A format that items can go out in.
package enum ExportFormat: String, CaseIterable, Sendable {
  case jsonl, netscape, csv, markdown, opml

  /// Whether it can hold only what has an address.
  package var needsAddress: Bool {
    switch self {
    case .jsonl, .csv: false
    case .netscape, .markdown, .opml: true
    }
  }
}
