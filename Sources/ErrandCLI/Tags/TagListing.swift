import CEL
import Engine
import ErrandKit
import Items
import Source

/// Shows tags: the most used first, or as a tree.
struct TagListing {
  private let invocation: Invocation
  private let vocabulary: TagVocabulary

  init(_ invocation: Invocation, _ vocabulary: TagVocabulary) {
    self.invocation = invocation
    self.vocabulary = vocabulary
  }

  /// Writes the tags, the most used first.
  func write(limit: Int?) throws {
    let report = Report<ElementCount>(
      columns: ["tag": \.text, "items": { String($0.count) }],
      value: { .record(["tag": $0.text, "items": $0.count]) }, empty: "No tags.",
      form: .tableOrLines { "\($0.text)\t\($0.count)" })
    let tags = vocabulary.mostUsed
    try report.write(Array(tags.prefix(limit ?? tags.count)), to: invocation)
  }

  /// Writes the tags as a tree; a tag's number counts those below it, too.
  func writeTree() throws {
    let roots = TagNode.forest(vocabulary.tags.map(\.text))
    guard invocation.mode.isPlain else {
      return try invocation.resultWriter.write(.list(try roots.map(value)))
    }
    if roots.isEmpty, invocation.console.stdoutIsTerminal {
      return invocation.say("No tags.")
    }
    var lines: [(text: String, count: Int)] = []
    func collect(_ node: TagNode, _ depth: Int) throws {
      let indentation = String(repeating: "  ", count: depth)
      lines.append((indentation + node.name.harmless(), try vocabulary.count(under: node.tag)))
      for child in node.children { try collect(child, depth + 1) }
    }
    for root in roots { try collect(root, 0) }
    let width = lines.map(\.text.displayWidth).max() ?? 0
    let digits = lines.map { String($0.count).count }.max() ?? 0
    for (text, count) in lines {
      let number = String(count)
      let padding = String(repeating: " ", count: digits - number.count)
      invocation.console.out("\(text.padded(to: width))  \(padding)\(number)\n")
    }
  }

  private func value(of node: TagNode) throws -> Value {
    .record([
      "name": node.name, "tag": node.tag, "items": try vocabulary.count(under: node.tag),
      "children": try node.children.map(value),
    ])
  }
}
