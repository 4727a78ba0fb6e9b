/// A parsed sentence template in the language of hassil: `[optional]`, `(a|b)`, permutations
/// `(a;b)`, `{list:slot}`, `{@list}`, ranges `{1..10,2:slot}` and `<rule>`.
package struct PhraseTemplate: Hashable, Sendable {
  /// A part of a template.
  indirect enum Node: Hashable, Sendable {
    /// Scalars of words, folded; a space stands for any run of spaces.
    case text([Unicode.Scalar])
    case sequence([Node])
    case choice([Node])
    case optional(Node)
    case permutation([Node])
    /// A list with the slot of its value; nil to match without a slot.
    case list(String, slot: String?)
    /// A range written in the template itself.
    case range(PhraseList.Range, slot: String?)
    case rule(String)
  }

  let root: Node

  /// Parses a template.
  ///
  /// - Throws: `PhraseError` with the syntax error.
  init(_ text: String) throws(PhraseError) {
    var parser = Parser(text)
    root = try parser.template()
  }

  private struct Parser {
    private var rest: ArraySlice<Unicode.Scalar>
    private var depth = 0

    /// The maximum depth of groups.
    private static let deepest = 64

    init(_ text: String) {
      rest = PhraseSentence.scalars(of: text)[...]
      while rest.first == " " { rest.removeFirst() }
      while rest.last == " " { rest.removeLast() }
    }

    mutating func template() throws(PhraseError) -> Node {
      guard !rest.isEmpty else { throw PhraseError("the template is empty") }
      let node = try group(until: nil)
      return node
    }

    /// Reads up to a closing sign, and over it.
    private mutating func group(until end: Unicode.Scalar?) throws(PhraseError) -> Node {
      depth += 1
      defer { depth -= 1 }
      guard depth <= Self.deepest else { throw PhraseError("the groups are nested too deeply") }
      var items: [[Node]] = [[]]
      var text: [Unicode.Scalar] = []
      var separator: Unicode.Scalar?
      var isClosed = end == nil
      func flush() {
        if !text.isEmpty { items[items.count - 1].append(.text(text)) }
        text = []
      }
      while let sign = rest.popFirst() {
        switch sign {
        case "\\":
          guard let next = rest.popFirst() else { throw PhraseError("`\\` is the last sign") }
          text.append(next)
        case "[":
          flush()
          items[items.count - 1].append(.optional(try group(until: "]")))
        case "(":
          flush()
          items[items.count - 1].append(try group(until: ")"))
        case "{":
          flush()
          items[items.count - 1].append(try list())
        case "<":
          flush()
          let name = try name(until: ">")
          items[items.count - 1].append(.rule(name))
        case "|", ";":
          guard separator == nil || separator == sign else {
            throw PhraseError("a group has both `|` and `;`")
          }
          separator = sign
          flush()
          items.append([])
        case "]", ")", "}", ">":
          guard sign == end else { throw PhraseError("`\(sign)` closes nothing") }
          isClosed = true
        default: text.append(sign)
        }
        if isClosed, end != nil { break }
      }
      guard isClosed else { throw PhraseError("a group is not closed") }
      flush()
      // An empty choice matches nothing.
      let parts = items.filter { !$0.isEmpty }.map { $0.count == 1 ? $0[0] : .sequence($0) }
      guard let first = parts.first else { throw PhraseError("a group is empty") }
      if parts.count == 1 { return first }
      return separator == ";" ? .permutation(parts) : .choice(parts)
    }

    private mutating func name(until end: Unicode.Scalar) throws(PhraseError) -> String {
      var name = String.UnicodeScalarView()
      while let sign = rest.popFirst() {
        if sign == end {
          guard !name.isEmpty else { throw PhraseError("a name is empty") }
          return String(name)
        }
        name.append(sign)
      }
      throw PhraseError("a name is not closed")
    }

    /// Reads `list}`, `list:slot}`, `@list}` or `1..10,2:slot}`.
    private mutating func list() throws(PhraseError) -> Node {
      let text = try name(until: "}")
      let sides = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      var name = String(sides[0])
      let slot = sides.count > 1 ? String(sides[1]) : nil
      if let range = Self.range(name) { return .range(range, slot: slot) }
      if name.hasPrefix("@") {
        name.removeFirst()
        return .list(name, slot: nil)
      }
      return .list(name, slot: slot ?? name)
    }

    private static func range(_ text: String) -> PhraseList.Range? {
      let parts = text.split(separator: ",", maxSplits: 1)
      guard let bounds = parts.first, let dots = bounds.firstRange(of: "..") else { return nil }
      guard let from = Int(bounds[..<dots.lowerBound]), let to = Int(bounds[dots.upperBound...])
      else { return nil }
      let step = parts.count > 1 ? Int(parts[1]) ?? 1 : 1
      return PhraseList.Range(from: from, to: to, step: step)
    }
  }
}

/// The reason why a template cannot be used.
package struct PhraseError: Error, CustomStringConvertible, Sendable {
  package let description: String

  init(_ description: String) { self.description = description }
}
