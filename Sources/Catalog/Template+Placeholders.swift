import CEL
import YAML

/// Placeholders of other languages, which templates leave as plain text.
extension Template {
  /// A part of a text that another language would fill in.
  package struct Placeholder: Sendable {
    /// Notations of placeholders.
    package enum Form: Sendable {
      /// `$x`, `${x}`, `{x}` or `{ { x } }`.
      case name
      /// `{% … %}`.
      case block
      /// `${{ x }}`, where only the `$` is plain text.
      case dollar
      /// `${X}` or `$(x)` of a shell.
      case shell
    }

    /// Words that begin a block in other template languages.
    package static let blockWords: Set<String> = [
      "if", "elif", "else", "elsif", "endif", "for", "endfor", "set", "block", "macro", "include",
      "extends", "with", "raw", "assign", "unless", "case",
    ]

    package let form: Form
    /// Names in it; of a path such as `x.y` the first.
    package let names: [String]
    /// The path, if any.
    package let path: String?
    /// UTF-8 offsets into the scalar's value.
    package let range: Range<Int>
  }

  /// Advice on a block of another template language.
  package static var blockHelp: String {
    "a text has no blocks: use the step `if` or `for`, or write "
      + "`{{ test ? \"yes\" : \"no\" }}` or `{{ list.map(x, string(x)).join(\" \") }}`"
  }

  /// All placeholders, in order.
  ///
  /// - Complexity: O(length).
  package var placeholders: [Placeholder] {
    let bytes = Array(scalar.text.utf8)
    guard bytes.contains(UInt8(ascii: "$")) || bytes.contains(UInt8(ascii: "{")) else { return [] }
    var reader = PlaceholderReader(bytes: bytes)
    return reader.all()
  }
}

/// Scans the text of a template, skipping expressions.
private struct PlaceholderReader {
  let bytes: [UInt8]
  var position = 0
  var found: [Template.Placeholder] = []

  mutating func all() -> [Template.Placeholder] {
    while position < bytes.count {
      let start = position
      if begins("{{{{") {
        position += 4
      } else if begins("{{") || begins("${{") {
        let isDollar = bytes[position] == UInt8(ascii: "$")
        position += isDollar ? 3 : 2
        let inner = expression()
        if isDollar, !isEscaped(start), let inner {
          if let name = lone(in: inner) { add(.dollar, [name], from: start) }
          let call = String(decoding: bytes[inner], as: UTF8.self).trimmed
          if ["secret(", "env("].contains(where: call.hasPrefix) {
            add(.dollar, ["secret"], path: call, from: start)
          }
        }
      } else if begins("$("), !isEscaped(start), let end = endOfCommand(from: start + 2) {
        position = end + 1
        add(.shell, [], from: start)
      } else if begins("{%") {
        block(from: start)
      } else if begins("{ {") {
        position += 3
        skipSpaces()
        let first = position
        if let name = root() {
          let path = String(decoding: bytes[first..<position], as: UTF8.self)
          skipSpaces()
          if begins("} }") {
            position += 3
            add(.name, [name], path: path, from: start)
          }
        }
      } else if begins("${") || begins("{") {
        let isShell = begins("${")
        position += isShell ? 2 : 1
        let first = position
        let name = root()
        if let name, begins("}"), !isEscaped(start) {
          let path = String(decoding: bytes[first..<position], as: UTF8.self)
          position += 1
          // Ruby has `#{x}`.
          let isMarked = start > 0 && bytes[start - 1] == UInt8(ascii: "#")
          let isVariable = isShell && !name.contains(where: \.isLowercase)
          add(isVariable ? .shell : .name, [name], path: path, from: isMarked ? start - 1 : start)
        }
      } else if begins("$") {
        position += 1
        if !isEscaped(start), let name = word() { add(.name, [name], from: start) }
      } else {
        position += 1
      }
    }
    return found
  }

  private mutating func add(
    _ form: Template.Placeholder.Form, _ names: [String], path: String? = nil, from start: Int
  ) {
    found.append(
      Template.Placeholder(form: form, names: names, path: path, range: start..<position))
  }

  /// Skips an expression up to its `}}` and returns its bytes.
  private mutating func expression() -> Range<Int>? {
    let start = position
    var scanner = TemplateScanner(bytes[start...])
    while !scanner.isFinished, !scanner.isAtEnd { _ = scanner.advance() }
    position = min(scanner.position + 2, bytes.count)
    return scanner.isFinished ? nil : start..<scanner.position
  }

  private mutating func skipSpaces() {
    while position < bytes.count, bytes[position] == 0x20 { position += 1 }
  }

  private mutating func block(from start: Int) {
    var names: [String] = []
    position += 2
    while position < bytes.count, !begins("%}") {
      if let name = word() { names.append(name) } else { position += 1 }
    }
    guard position < bytes.count else { return }
    position += 2
    add(.block, names, from: start)
  }

  /// Length of the longest `$(…)` that is looked for, so that many open ones take linear time.
  private static let longestCommand = 100

  /// The index of the `)` after a command that begins with a letter; nil if there is none.
  private func endOfCommand(from start: Int) -> Int? {
    let command = bytes[start...].prefix(Self.longestCommand)
    guard let first = command.first, (0x61...0x7A).contains(first) else { return nil }
    return command.firstIndex(of: 0x29)
  }

  /// Whether the preceding character marks the placeholder as literal.
  private func isEscaped(_ start: Int) -> Bool {
    start > 0 && [UInt8(ascii: "\\"), UInt8(ascii: "$")].contains(bytes[start - 1])
  }

  private func begins(_ text: StaticString) -> Bool {
    guard position + text.utf8CodeUnitCount <= bytes.count else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[position + $0] == text.utf8Start[$0] }
  }

  /// The name, if an expression is nothing else.
  private func lone(in range: Range<Int>) -> String? {
    let name = String(decoding: bytes[range], as: UTF8.self).filter { $0 != " " }
    return NameForm.lowerCamel.accepts(name) ? name : nil
  }

  /// Consumes a name.
  private mutating func word() -> String? {
    let end =
      bytes[position...].firstIndex { byte in
        !(0x30...0x39).contains(byte) && !(0x61...0x7A).contains(byte | 0x20) && byte != 0x5F
      } ?? bytes.count
    guard end > position, !(0x30...0x39).contains(bytes[position]) else { return nil }
    defer { position = end }
    return String(decoding: bytes[position..<end], as: UTF8.self)
  }

  /// Consumes a path such as `link.title` and returns its first name.
  private mutating func root() -> String? {
    guard let name = word() else { return nil }
    while begins(".") {
      position += 1
      guard word() != nil else { return nil }
    }
    return name
  }
}
