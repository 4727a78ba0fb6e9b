package import CEL
package import Store

/// Something to put on the screen.
package struct Presentation {
  package enum Layout {
    case text(String)
    /// Items, each with its title, subtitle and reference.
    case cards(Cards)
    case table(columns: [String], rows: [[String]])
    /// Names with their values, for all there is to say of one item.
    case fields([(name: String, text: String)])
  }

  package struct Card: Sendable {
    package let title: String
    package let subtitle: String?
    /// Warnings for the person, such as `overdue`.
    package var warnings: [String] = []
    /// What else is told of the item in lists, such as its tags.
    package var marks: [String] = []
    package let reference: String?
    /// The title with the words of the search that found it; nil when they are not in it.
    package var markedTitle: MarkedText?
    /// The text of a property with the words that are not all in the title; nil when it is not
    /// needed.
    package var snippet: MarkedText?

    /// The line about the item beside its title, with its warnings marked; nil when there is none.
    package var details: MarkedText? {
      let separator = " · "
      var runs: [MarkedText.Run] = []
      for warning in warnings {
        if !runs.isEmpty { runs.append(.init(separator, isMarked: false)) }
        runs.append(.init(warning, isMarked: true))
      }
      let others = ([subtitle ?? ""] + marks).filter { !$0.isEmpty }.joined(separator: separator)
      if !others.isEmpty {
        runs.append(.init((runs.isEmpty ? "" : separator) + others, isMarked: false))
      }
      return runs.isEmpty ? nil : MarkedText(runs)
    }
  }

  package let layout: Layout
  /// What is shown, for other programs.
  package let value: Value

  package init(_ layout: Layout, value: Value) {
    self.layout = layout
    self.value = value
  }
}
