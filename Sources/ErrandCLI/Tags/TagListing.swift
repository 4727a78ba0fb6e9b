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
    let sorted = vocabulary.mostUsed
    let tags = sorted.prefix(limit ?? sorted.count)
    if try writeForPrograms(tags.map { ($0.text, $0.count) }) { return }
    if tags.isEmpty { return invocation.say("No tags.") }
    let rows = tags.map { [$0.text, String($0.count)] }
    let table = Presentation(.table(columns: ["tag", "items"], rows: rows), value: .null)
    invocation.front.show(table)
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

  /// Writes tags for another program; false for a person on a terminal.
  private func writeForPrograms(_ tags: [(text: String, count: Int)]) throws -> Bool {
    if invocation.mode.isPlain {
      if invocation.console.stdoutIsTerminal { return false }
      for tag in tags { invocation.console.result("\(tag.text)\t\(tag.count)\n") }
      return true
    }
    let values = tags.map { tag in
      Value.map(MapValue([("tag", .string(tag.text)), ("items", .int(Int64(tag.count)))]))
    }
    try invocation.resultWriter.write(.list(values))
    return true
  }

  private func value(of node: TagNode) throws -> Value {
    .map(
      MapValue([
        ("name", .string(node.name)), ("tag", .string(node.tag)),
        ("items", .int(Int64(try vocabulary.count(under: node.tag)))),
        ("children", .list(try node.children.map(value))),
      ]))
  }
}
