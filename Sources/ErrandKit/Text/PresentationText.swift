package import Engine
import Source
import Store

/// A presentation as plain text, for a window.
package struct PresentationText {
  private let presentation: Presentation

  package init(_ presentation: Presentation) { self.presentation = presentation }

  /// The lines; a table is aligned in columns.
  package var text: String {
    switch presentation.layout {
    case .text(let text): text.harmless(keepsLines: true)
    case .cards(let cards):
      joined(
        cards.map { [$0.title, $0.details?.text].compactMap { $0 }.joined(separator: "  ·  ") })
    case .fields(let fields): joined(fields.map { "\($0.name): \($0.text)" })
    case .table(let columns, let rows):
      TableLayout(style: .plain, width: nil).lines(columns: columns, rows: rows)
        .map(\.text).joined(separator: "\n")
    }
  }

  private func joined(_ lines: [String]) -> String {
    lines.map { $0.harmless(keepsLines: true) }.joined(separator: "\n")
  }
}
