import CEL
import Catalog
import Program
import Source

/// Signatures of the function around the cursor.
package struct SignatureHelp {
  /// A form of the function.
  package struct Form {
    /// The whole form.
    package let label: String
    /// UTF-8 ranges of the arguments in the label.
    package let arguments: [Range<Int>]
  }

  package let name: String
  package let forms: [Form]
  /// The index of the active argument.
  package let argument: Int
  /// The index of the active form.
  package let form: Int

  /// Finds the call at an offset; nil if there is none.
  package init?(_ bytes: [UInt8], at offset: Int, index: ([UInt8]) -> DocumentIndex?) {
    guard let probe = Probe(bytes, at: offset, index: index), let (met, place) = probe.expression
    else { return nil }
    let text = met.source.text.utf8Prefix(place)
    guard let (name, argument) = Self.call(in: text) else { return nil }
    let environment = probe.index.context.environment
    let short = name.split(separator: ".").last.map(String.init) ?? name
    let isQualified = !environment.functions(named: name).isEmpty
    self.name = isQualified ? name : short
    let functions = environment.functions(named: self.name)
    var forms = functions.map { Self.form("\($0.signature) → \($0.result)") }
    forms += environment.macroForms.filter { $0.name == short }.map { Self.form($0.form) }
    if forms.isEmpty { return nil }
    self.forms = forms
    self.argument = argument
    form = forms.firstIndex { $0.arguments.count > argument } ?? 0
  }

  /// The function of the last open bracket, and the number of commas behind it.
  private static func call(in text: String) -> (name: String, argument: Int)? {
    let tokens = ExpressionToken.all(in: text)
    var open: [(position: Int, commas: Int)] = []
    for (position, token) in tokens.enumerated() where token.kind == .mark {
      switch text.utf8Text(token.range) {
      case "(", "[", "{": open.append((position, 0))
      case ")", "]", "}": _ = open.popLast()
      case ",": if !open.isEmpty { open[open.count - 1].commas += 1 }
      default: break
      }
    }
    guard let (position, commas) = open.last, position > 0, tokens[position - 1].kind == .function
    else { return nil }
    var first = position - 1
    while first >= 2, text.utf8Text(tokens[first - 1].range) == ".", tokens[first - 2].kind != .mark
    {
      first -= 2
    }
    let range = tokens[first].range.lowerBound..<tokens[position - 1].range.upperBound
    return (text.utf8Text(range), commas)
  }

  private static func form(_ label: String) -> Form {
    let bytes = Array(label.utf8)
    var arguments: [Range<Int>] = []
    guard let open = bytes.firstIndex(of: UInt8(ascii: "(")) else {
      return Form(label: label, arguments: [])
    }
    var start = open + 1
    var depth = 0
    for index in start..<bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "("), UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: ">"): depth -= 1
      case UInt8(ascii: ")") where depth > 0: depth -= 1
      case UInt8(ascii: ",") where depth == 0, UInt8(ascii: ")"):
        if index > start { arguments.append(start..<index) }
        start = index + 1
        while start < bytes.count, bytes[start] == 0x20 { start += 1 }
        if bytes[index] == UInt8(ascii: ")") { return Form(label: label, arguments: arguments) }
      default: break
      }
    }
    return Form(label: label, arguments: arguments)
  }
}
